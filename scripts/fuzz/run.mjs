// Runs the worker for one target and waits for its report, or for it to show no sign of life.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { failureName } from "./loop.mjs";

/**
 * @typedef {import("./worker.mjs").Report} Report
 * @typedef {import("./worker.mjs").Task} Task
 */

const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));
/** A busy machine may make an input wait; one that takes so long does not end. */
const silenceMs = 60_000;
/** No input has a reason to need more than a hundredth of it. */
const heapMb = 512;

/**
 * @param {Task} task
 * @param {string} target its name
 * @param {number} [silence] how long no sign of life is taken for a hang
 * @returns {Promise<Report>}
 */
export async function runTask(task, target, silence = silenceMs) {
  mkdirSync(task.failures, { recursive: true });
  writeFileSync(task.current, "");
  const parameters = [`--max-old-space-size=${heapMb}`, worker, JSON.stringify(task)];
  const child = spawn(process.execPath, parameters, {
    cwd: path.dirname(task.bundle),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let words = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      words = (words + chunk).slice(-4000);
    });
  }
  /** @type {Report | undefined} */
  let report;
  let isSilent = false;
  const hang = () => {
    isSilent = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(hang, silence);
  child.on("message", (message) => {
    clearTimeout(timer);
    if (message === "alive") timer = setTimeout(hang, silence);
    else report = /** @type {Report} */ (message);
  });
  const [code, signal] = await new Promise((resolve) => {
    child.on("close", (...ended) => resolve(ended));
  });
  clearTimeout(timer);
  if (report !== undefined) return report;
  const message = isSilent ? "no sign of life" : `ended by itself (${signal ?? code}): ${words}`;
  return silentReport(task, target, message);
}

/**
 * @param {Task} task
 * @param {string} target
 * @param {string} message
 * @returns {Report}
 */
function silentReport(task, target, message) {
  const current = readFileSync(task.current);
  const length = current.length < 4 ? 0 : current.readUInt32LE(0);
  const input = current.subarray(4, 4 + length);
  const file = path.join(task.failures, failureName(target, input));
  writeFileSync(file, input);
  const rule = message === "no sign of life" ? "an input does not end" : "the process dies";
  const failure = { rule, message, file, bytes: input.length };
  return { inputs: 0, accepted: 0, kept: 0, milliseconds: 0, reached: [], corpus: [], failure };
}
