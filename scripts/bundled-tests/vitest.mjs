// What the tests take from vitest, for a Node without it: vitest itself needs a transformer that is
// compiled for each system. Runner, `expect`, spies and snapshots are vitest's own; what only its
// transformer can do, replacing a module, is not here.
import { readFileSync } from "node:fs";
import { mock } from "node:test";
// @ts-expect-error: pnpm shows these to vitest alone; bundle.mjs knows where they are
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";
// @ts-expect-error: likewise
import { format } from "@vitest/pretty-format";
// @ts-expect-error: likewise
import { startTests } from "@vitest/runner";
// @ts-expect-error: likewise
import { stripSnapshotIndentation } from "@vitest/snapshot";
// @ts-expect-error: likewise
import { restoreAllMocks, spyOn } from "@vitest/spy";
// @ts-expect-error: likewise
import * as chai from "chai";

export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  onTestFinished,
  test,
  // @ts-expect-error: likewise
} from "@vitest/runner";

/**
 * @typedef {object} Outcome
 * @property {string} title file, groups and test
 * @property {"passed" | "failed" | "skipped"} state
 * @property {string} [detail] the error, or why it was skipped
 *
 * @typedef {object} Task as vitest's runner has it
 * @property {"suite" | "test"} type
 * @property {string} name
 * @property {Task[]} [tasks]
 * @property {string} mode
 * @property {{ state?: string, note?: string, errors?: { message?: string }[] }} [result]
 */

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

chai.util.addMethod(
  chai.Assertion.prototype,
  "toMatchInlineSnapshot",
  /** @this {object} @param {string} wanted */
  function toMatchInlineSnapshot(wanted) {
    const value = chai.util.flag(this, "object");
    const text = format(value, { escapeString: false, printBasicPrototype: false });
    chai.expect(text.trim()).equal(stripSnapshotIndentation(wanted).trim());
  },
);

chai.util.addMethod(
  chai.Assertion.prototype,
  "toMatchFileSnapshot",
  /** @this {object} @param {string} file absolute */
  async function toMatchFileSnapshot(file) {
    const value = chai.util.flag(this, "object");
    const wanted = readFileSync(file, "utf8");
    chai.expect(value).equal(wanted);
  },
);

export const expect = Object.assign(chai.expect, {
  unreachable: (/** @type {string} */ message = "expected not to come here") =>
    chai.assert.fail(message),
});

/** Only what the tests use. */
export const vi = {
  restoreAllMocks,
  spyOn,
  useFakeTimers: () => mock.timers.enable(),
  useRealTimers: () => mock.timers.reset(),
  advanceTimersByTime: (/** @type {number} */ ms) => mock.timers.tick(ms),
  async advanceTimersByTimeAsync(/** @type {number} */ ms) {
    mock.timers.tick(ms);
    await new Promise((resolve) => process.nextTick(resolve));
  },
};

/** Under emulation everything takes ten times as long. */
const limitMs = 300_000;

const config = {
  ...{ root: "", setupFiles: [], name: undefined, passWithNoTests: true, allowOnly: false },
  ...{ testNamePattern: undefined, chaiConfig: undefined, includeTaskLocation: false },
  ...{ sequence: { seed: 1, hooks: "stack", setupFiles: "list" }, maxConcurrency: 5 },
  ...{ testTimeout: limitMs, hookTimeout: limitMs, retry: 0 },
  ...{ tags: [], tagsFilter: undefined, strictTags: false },
};

/**
 * @param {Task} task
 * @param {string} title of what it stands in
 * @returns {Outcome[]}
 */
function outcomesOf(task, title) {
  const own = `${title} > ${task.name}`;
  const { state, note, errors = [] } = task.result ?? {};
  const detail = errors.map(({ message }) => message).join("; ");
  if (task.type === "test") {
    if (state === "pass") return [{ title: own, state: "passed" }];
    if (state === "fail") return [{ title: own, state: "failed", detail }];
    return [{ title: own, state: "skipped", ...(note === undefined ? {} : { detail: note }) }];
  }
  const within = (task.tasks ?? []).flatMap((each) => outcomesOf(each, own));
  // A hook of the group, or what describes it, failed.
  return errors.length === 0 ? within : [...within, { title: own, state: "failed", detail }];
}

/**
 * @param {string} file relative to the root, as it is called in the outcome
 * @param {string} url where it is
 * @returns {Promise<Outcome[]>} of its tests
 */
export async function runFile(file, url) {
  const runner = { config, importFile: () => import(url) };
  const [found] = await startTests([file], runner);
  const { tasks = [], result } = /** @type {Task} */ (found);
  const outcomes = tasks.flatMap((task) => outcomesOf(task, file));
  const errors = (result?.errors ?? []).map(({ message }) => message).join("; ");
  if (errors !== "") outcomes.push({ title: file, state: "failed", detail: errors });
  return outcomes;
}
