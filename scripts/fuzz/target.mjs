// What a fuzz target is, for the packages that have one (`test/fuzz/` in each) and for the loop.

/**
 * Chance, the same for the same seed (`SeededRandom` of `@fe/native/testing`).
 *
 * @typedef {object} Random
 * @property {() => number} next from 0 to below 1
 * @property {(bound: number) => number} below an integer from 0 to `bound - 1`
 * @property {(probability: number) => boolean} chance
 * @property {<Item>(items: readonly Item[]) => Item} pick
 */

/**
 * Counts what is asked for in memory: `Buffer.alloc`, typed arrays and their like.
 *
 * @typedef {object} Meter
 * @property {() => number} allocatedBytes since the process began
 */

/**
 * @typedef {(name: string) => Buffer} Fixture a file of `test/fixtures` of the target's package
 *
 * @typedef {object} FuzzTarget
 * @property {string} name
 * @property {"bytes" | "json" | "text"} form how inputs are changed where `change` is not asked
 * @property {readonly string[]} words what means something to it: names of members, magic bytes
 * @property {number} maxBytes longest input that is tried
 * @property {(fixture: Fixture) => readonly Uint8Array[]} seeds
 *   inputs to begin with, some accepted and some refused
 * @property {(input: Buffer, random: Random) => Buffer | Promise<Buffer>} [change]
 *   a change that knows the form, such as one that makes checksums right again
 * @property {(input: Buffer, meter: Meter) => Promise<boolean>} check
 *   whether the input was accepted. Throws `Violation` for whatever must not be; any other error
 *   is one that the code under test must not throw
 */

/** Something that must hold for every input, and did not for this one. */
export class Violation extends Error {
  /** @override */
  name = "Violation";
  /** @type {string} */
  rule;

  /**
   * @param {string} rule in a few words, the same for every input that breaks it
   * @param {string} [what] of this input
   */
  constructor(rule, what) {
    super(what === undefined ? rule : `${rule}: ${what}`);
    this.rule = rule;
  }
}

/**
 * @param {boolean} holds
 * @param {string} rule
 * @param {() => string} [what]
 * @returns {asserts holds}
 */
export function must(holds, rule, what) {
  if (!holds) throw new Violation(rule, what?.());
}

/**
 * What a call gave: its value, or the error, if it is one that may be.
 *
 * @template T
 * @param {() => T | Promise<T>} call
 * @param {(error: unknown) => boolean} isDocumented
 * @returns {Promise<{ value: T } | { refusal: Error }>}
 */
export async function attempt(call, isDocumented) {
  try {
    return { value: await call() };
  } catch (error) {
    if (error instanceof Error && isDocumented(error)) return { refusal: error };
    throw error;
  }
}

/**
 * A number that only the bytes decide, to choose what else is tried with an input: a replay chooses
 * the same.
 *
 * @param {Uint8Array} input
 */
export function digestOf(input) {
  let hash = 0x811c9dc5;
  for (const byte of input) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** @type {Meter} For a check without the loop. */
export const noMeter = { allocatedBytes: () => 0 };

/**
 * Tries what a target begins with, and what longer runs have reached, for tests that have no loop.
 *
 * @param {FuzzTarget} target
 * @param {Fixture} fixture
 * @returns {Promise<{ inputs: number, accepted: number }>}
 */
export async function tryKnownInputs(target, fixture) {
  const lines = fixture(`fuzz/${target.name}.txt`).toString("latin1").split("\n");
  const reached = lines.filter(Boolean).map((line) => Buffer.from(line, "base64"));
  const inputs = [...target.seeds(fixture).map((seed) => Buffer.from(seed)), ...reached];
  let accepted = 0;
  for (const input of inputs) if (await target.check(input, noMeter)) accepted += 1;
  return { inputs: inputs.length, accepted };
}
