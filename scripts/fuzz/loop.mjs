// The loop: changes inputs, keeps those that reach something new, stops at the first violation.

import { changeBytes, changeJson } from "./mutate.mjs";
import { digestOf } from "./target.mjs";

/**
 * @typedef {import("./target.mjs").FuzzTarget} FuzzTarget
 * @typedef {import("./target.mjs").Random} Random
 * @typedef {import("./target.mjs").Meter} Meter
 *
 * @typedef {object} Failure
 * @property {string} rule
 * @property {string} message
 * @property {Buffer} input
 *
 * @typedef {object} Tools
 * @property {Random} random
 * @property {Meter} meter
 * @property {import("./coverage.mjs").Coverage} coverage
 * @property {(input: Buffer) => void} announce told of each input before it is tried
 */

/** Processor time that one input may take. The slowest honest one takes some ten milliseconds. */
const maxInputMs = 1000;
/** One look at the coverage takes longer than most inputs, so many share one when news are rare. */
const inputsPerLook = { least: 2, most: 32 };
/** Tries to make a failing input shorter. */
const maxShortenings = 2000;

/** @param {unknown} error */
function ruleOf(error) {
  // Not `instanceof`: the target was bundled with a class of its own.
  if (error instanceof Error && error.name === "Violation" && "rule" in error)
    return String(error.rule);
  return error instanceof Error ? `throws ${error.name}` : "throws no error";
}

export class Loop {
  #target;
  #tools;
  /** @type {Buffer[]} */
  #corpus = [];
  #inputs = 0;
  #accepted = 0;

  /**
   * @param {FuzzTarget} target
   * @param {Tools} tools
   */
  constructor(target, tools) {
    this.#target = target;
    this.#tools = tools;
  }

  get inputs() {
    return this.#inputs;
  }

  get accepted() {
    return this.#accepted;
  }

  get corpus() {
    return this.#corpus;
  }

  /**
   * Tries one input.
   *
   * @param {Buffer} input
   * @returns {Promise<Failure | undefined>}
   */
  async try(input) {
    const { announce, meter } = this.#tools;
    announce(input);
    this.#inputs += 1;
    const start = process.cpuUsage();
    try {
      if (await this.#target.check(input, meter)) this.#accepted += 1;
    } catch (error) {
      return { rule: ruleOf(error), message: String(error), input };
    }
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    if (ms <= maxInputMs) return undefined;
    return { rule: "an input takes too long", message: `${ms} ms of processor time`, input };
  }

  /**
   * @param {readonly Uint8Array[]} inputs to begin with
   * @param {() => boolean} isOver
   * @returns {Promise<Failure | undefined>}
   */
  async run(inputs, isOver) {
    const { coverage } = this.#tools;
    for (const input of inputs) {
      const failure = await this.try(Buffer.from(input));
      if (failure !== undefined) return failure;
      coverage.take(true);
      this.#corpus.push(Buffer.from(input));
    }
    let length = inputsPerLook.least;
    while (!isOver()) {
      const batch = await Promise.all(Array.from({ length }, () => this.#next()));
      for (const input of batch) {
        const failure = await this.try(input);
        if (failure !== undefined) return failure;
      }
      if (coverage.take(false) === 0) {
        length = Math.min(length * 2, inputsPerLook.most);
        continue;
      }
      length = Math.max(length >> 1, inputsPerLook.least);
      // Which of them was it?
      for (const input of batch) {
        await this.try(input);
        if (coverage.take(true) > 0) this.#corpus.push(input);
      }
    }
    return undefined;
  }

  /** @returns {Promise<Buffer>} */
  async #next() {
    const { random } = this.#tools;
    const corpus = this.#corpus;
    // The later ones got further.
    const isLate = corpus.length > 8 && random.chance(0.5);
    const from = isLate ? corpus.length - Math.ceil(corpus.length / 4) : 0;
    const parent = corpus[from + random.below(corpus.length - from)] ?? Buffer.alloc(0);
    const { change, form, words, maxBytes } = this.#target;
    if (change !== undefined && random.chance(0.7)) return change(parent, random);
    const around = { words, others: corpus, maxBytes };
    return form === "json" && random.chance(0.8)
      ? changeJson(parent, random, around)
      : changeBytes(parent, random, around);
  }

  /**
   * Few inputs, short ones first, that together reach every block that was reached; without how
   * often, which would keep many that are alike.
   */
  async fewest() {
    const { coverage } = this.#tools;
    coverage.forget();
    const few = [];
    for (const input of [...this.#corpus].sort((one, other) => one.length - other.length)) {
      await this.try(input);
      if (coverage.takeBlocks() > 0) few.push(input);
    }
    return few;
  }

  /**
   * A shorter input that fails in the same way.
   *
   * @param {Failure} failure
   * @returns {Promise<Failure>}
   */
  async shorten(failure) {
    let best = failure;
    let left = maxShortenings;
    for (let length = best.input.length >> 1; length > 0 && left > 0; length >>= 1) {
      for (let at = 0; at < best.input.length && left > 0; left--) {
        const cut = Buffer.concat([best.input.subarray(0, at), best.input.subarray(at + length)]);
        const again = await this.try(cut);
        if (again?.rule === failure.rule) best = again;
        else at += length;
      }
    }
    return best;
  }
}

/**
 * The name under which a failing input is kept.
 *
 * @param {string} target
 * @param {Buffer} input
 */
export function failureName(target, input) {
  return `${target}-${digestOf(input).toString(16).padStart(8, "0")}.input`;
}
