// As much of vitest as the tests of the addon use, in plain JavaScript: vitest itself would need a
// transformer that is compiled for the emulated processor. `expect` is vitest's own.
import { format } from "node:util";
// @ts-expect-error: pnpm shows it to vitest alone; bundle.mjs knows where it is
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";
// @ts-expect-error: likewise
import * as chai from "chai";

/**
 * @typedef {{ skip: (reason?: string) => never }} TestContext
 * @typedef {(...values: unknown[]) => unknown} Body
 *
 * @typedef {object} Group
 * @property {string[]} titles
 * @property {Group | undefined} parent
 * @property {(() => unknown)[]} before
 * @property {(() => unknown)[]} after
 *
 * @typedef {object} Case
 * @property {string} title
 * @property {Group} group
 * @property {Body | undefined} body `undefined`: skipped
 *
 * @typedef {object} Outcome
 * @property {string} title
 * @property {"passed" | "failed" | "skipped"} state
 * @property {string} [detail]
 */

/** Under emulation everything takes ten times as long. */
const limitMs = 120_000;

/** @type {Group} */
let current = { titles: [], parent: undefined, before: [], after: [] };

/**
 * What is described from now on has its own hooks.
 *
 * @param {string} name
 */
export function startFile(name) {
  current = { titles: [name], parent: undefined, before: [], after: [] };
}

/** @type {Case[]} */
const cases = [];

class Skipped extends Error {}

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

/** @type {(value: unknown, message?: string) => unknown} */
const expectValue = (value, message) => chai.expect(value, message);
export const expect = Object.assign(expectValue, {
  unreachable: () => chai.assert.fail("expected not to come here"),
});

/**
 * @param {string} title
 * @param {Body} [body]
 */
function addTest(title, body) {
  cases.push({ title, group: current, body });
}

/**
 * @param {string} title
 * @param {Body} body
 * @param {unknown[]} [values]
 */
function addGroup(title, body, values = []) {
  const parent = current;
  current = { titles: [...parent.titles, title], parent, before: [], after: [] };
  body(...values);
  current = parent;
}

/**
 * @param {(title: string, body: Body) => void} add
 * @returns {(rows: readonly unknown[]) => (title: string, body: Body) => void}
 */
function forEach(add) {
  return (rows) => (title, body) => {
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row];
      const count = title.match(/%[sdifjoO]/gu)?.length ?? 0;
      const text = format(title.replaceAll("%o", "%s"), ...values.slice(0, count));
      add(text, (...rest) => body(...values, ...rest));
    }
  };
}

export const test = Object.assign(addTest, {
  skip: (/** @type {string} */ title) => addTest(title),
  runIf:
    (/** @type {unknown} */ condition) => (/** @type {string} */ title, /** @type {Body} */ body) =>
      addTest(title, condition ? body : undefined),
  each: forEach(addTest),
});
export const describe = Object.assign(addGroup, { each: forEach(addGroup) });
/** @param {() => unknown} body */
export const beforeEach = (body) => current.before.push(body);
/** @param {() => unknown} body */
export const afterEach = (body) => current.after.unshift(body);

/**
 * @param {Group | undefined} group
 * @returns {Group[]} from the outermost
 */
function chain(group) {
  return group === undefined ? [] : [...chain(group.parent), group];
}

/** @param {Case} entry */
async function runCase({ group, body }) {
  if (body === undefined) throw new Skipped();
  const groups = chain(group);
  /** @type {TestContext} */
  const context = {
    skip: (reason) => {
      throw new Skipped(reason);
    },
  };
  try {
    for (const { before } of groups) for (const hook of before) await hook();
    await body(context);
  } finally {
    for (const { after } of groups.reverse()) for (const hook of after) await hook();
  }
}

/** @returns {Promise<Outcome[]>} of all tests that were described so far */
export async function runAll() {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const entry of cases) {
    const title = [...entry.group.titles, entry.title].join(" > ");
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const limit = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`took longer than ${limitMs} ms`)), limitMs);
    });
    try {
      await Promise.race([runCase(entry), limit]);
      outcomes.push({ title, state: "passed" });
    } catch (error) {
      const state = error instanceof Skipped ? "skipped" : "failed";
      const detail = error instanceof Error ? error.message : String(error);
      outcomes.push({ title, state, detail });
    } finally {
      clearTimeout(timer);
    }
  }
  return outcomes;
}
