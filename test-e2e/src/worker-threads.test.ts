// What README.md of @fe/engine says of worker threads: they meet as processes do.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CommandFolder } from "./harness/command.ts";

const program = new URL("./harness/edit-in-worker.mjs", import.meta.url);
let folder: CommandFolder;
const workers: Worker[] = [];

beforeEach(async () => {
  folder = await CommandFolder.create();
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.terminate();
  await folder[Symbol.asyncDispose]();
});

/** The next thing that a worker says. */
async function said(worker: Worker): Promise<unknown> {
  const [message] = await once(worker, "message");
  return message;
}

async function workerFor(path: string): Promise<Worker> {
  const worker = new Worker(program, { workerData: { path, userData: folder.dataPath } });
  workers.push(worker);
  expect(await said(worker)).toBe("ready");
  return worker;
}

it("S15 of two worker threads one is busy while the other edits, or waits (waitMs)", async () => {
  const path = await folder.write("f", "one two three\n");
  const first = await workerFor(path);
  const second = await workerFor(path);
  first.postMessage({ edits: [{ oldString: "one", newString: "1" }], holds: true });
  expect(await said(first)).toBe("holding");
  const edits = [{ oldString: "two", newString: "2" }];
  second.postMessage({ edits });
  expect(await said(second)).toBe("FE_BUSY");
  const waited = said(second);
  second.postMessage({ edits, waitMs: 30_000 });
  first.postMessage("go on");
  expect(await said(first)).toBe("applied");
  expect(await waited).toBe("applied");
  expect(await readFile(path, "utf8")).toBe("1 2 three\n");
  expect(await folder.storeFiles()).toEqual([]);
});

it("S9 edits of one thread wait for each other without waitMs: they share a queue", async () => {
  const path = await folder.write("f", "one two three\n");
  const worker = await workerFor(path);
  const edits = ["one", "two", "three"].map((word) => ({ oldString: word, newString: word[0] }));
  worker.postMessage({ edits });
  expect(await said(worker)).toBe("applied applied applied");
  expect(await readFile(path, "utf8")).toBe("o t t\n");
});
