// A program that knows nothing of edits: it opens a file, appends a line and closes it, in an
// endless tight loop without any pause, until its standard input ends. Then it says how many lines
// it appended. A thread of its own does so, since a tight loop hears of nothing.
import { closeSync, openSync, writeSync } from "node:fs";
import { isMainThread, Worker, workerData } from "node:worker_threads";

if (isMainThread) {
  const [path = ""] = process.argv.slice(2);
  // Whether it is to end, and how many lines it appended.
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url), { workerData: { path, shared } });
  worker.once("online", () => console.log("started"));
  worker.once("exit", () => console.log(Atomics.load(shared, 1)));
  process.stdin.resume().once("end", () => Atomics.store(shared, 0, 1));
} else {
  const { path, shared } = workerData;
  for (let count = 0; Atomics.load(shared, 0) === 0; count++) {
    const file = openSync(path, "a");
    writeSync(file, `+${count.toString(36)}\n`);
    closeSync(file);
    Atomics.store(shared, 1, count + 1);
  }
}
