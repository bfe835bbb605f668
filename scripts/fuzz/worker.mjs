// Runs the loop for one target in a process of its own, which a hang or exhausted memory may end.
//
//   node --max-old-space-size=512 worker.mjs JSON
//
// It sends its parent a message now and then, and a report at its end. What it tries stands in the
// file `current` before it is tried, so that the parent has it if no report comes.
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Coverage } from "./coverage.mjs";
import { failureName, Loop } from "./loop.mjs";
import { meter, startMeter } from "./meter.mjs";

/**
 * @typedef {object} Task
 * @property {string} bundle
 * @property {number} seed
 * @property {number} milliseconds of processor time, which is the same on a busy machine
 * @property {string} current file for the input that is being tried
 * @property {string} failures folder for failing inputs
 * @property {string} fixtures folder
 * @property {string | undefined} corpus file with inputs in base64, one a line
 * @property {boolean} keeps whether few inputs that reach the same are wanted
 * @property {string | undefined} replay file with the one input to try
 *
 * @typedef {object} Report
 * @property {number} inputs
 * @property {number} accepted
 * @property {number} kept inputs that reached something new
 * @property {number} milliseconds of processor time
 * @property {{ file: string, ran: number, all: number }[]} reached
 * @property {string[]} corpus few inputs that reach the same, in base64
 * @property {{ rule: string, message: string, file: string, bytes: number } | undefined} failure
 */

/** The parent waits longer than this for a sign of life. */
const beatMs = 500;

/** Processor time of this process. */
function usedMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @param {string | undefined} file */
function readCorpus(file) {
  if (file === undefined || !existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => Buffer.from(line, "base64"));
}

/** @param {Task} task */
async function main(task) {
  const coverage = new Coverage();
  startMeter();
  const folder = path.dirname(task.bundle);
  const { SeededRandom } = await import(pathToFileURL(path.join(folder, "random.mjs")).href);
  const url = pathToFileURL(task.bundle).href;
  const { target } = await import(url);
  coverage.watch(url, readFileSync(task.bundle, "utf8"));
  const current = openSync(task.current, "w");
  let beat = performance.now();
  /** @param {Buffer} input */
  const announce = (input) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(input.length);
    writeSync(current, Buffer.concat([length, input]), 0, input.length + 4, 0);
    const now = performance.now();
    if (now < beat + beatMs) return;
    beat = now;
    process.send?.("alive");
  };
  const loop = new Loop(target, { random: new SeededRandom(task.seed), meter, coverage, announce });
  /** @type {import("./target.mjs").Fixture} */
  const fixture = (name) => readFileSync(path.join(task.fixtures, name));
  const seeds = [...target.seeds(fixture), ...readCorpus(task.corpus)];
  const inputs = task.replay === undefined ? seeds : [readFileSync(task.replay)];
  const isOver = () => usedMs() > task.milliseconds;
  let failure = await loop.run(inputs, task.replay === undefined ? isOver : () => true);
  const { inputs: tried, accepted } = loop;
  if (failure !== undefined && task.replay === undefined) failure = await loop.shorten(failure);
  const reached = coverage.reached();
  const kept = loop.corpus.length;
  const few = task.keeps ? await loop.fewest() : [];
  closeSync(current);
  /** @type {Report} */
  const report = {
    inputs: tried,
    accepted,
    kept,
    milliseconds: usedMs(),
    reached,
    corpus: few.map((input) => input.toString("base64")),
    failure: failure && keep(task, target.name, failure),
  };
  process.send?.(report, () => process.exit());
}

/**
 * @param {Task} task
 * @param {string} target
 * @param {import("./loop.mjs").Failure} failure
 */
function keep(task, target, { rule, message, input }) {
  const file = path.join(task.failures, failureName(target, input));
  writeFileSync(file, input);
  return { rule, message, file, bytes: input.length };
}

await main(JSON.parse(process.argv[2] ?? ""));
