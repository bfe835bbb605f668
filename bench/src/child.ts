/**
 * What has to be measured in a process of its own: memory, event-loop delay, counts of system
 * calls, and edits by several processes at once. The first argument is a task as JSON; the answer
 * is a line of JSON.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { openEngine } from "@fe/engine";
import { closeContenders, openContenders } from "./contenders/all.ts";
import type { Contender } from "./contenders/contender.ts";
import { editWith } from "./contenders/engine.ts";
import { peakResidentBytes, resetPeak, residentBytes, writtenBytes } from "./own-process.ts";
import { jobFor } from "./sample.ts";
import { quantile } from "./statistics.ts";
import type { ChildAnswer, ChildTask } from "./tasks.ts";

async function withContender<T>(
  task: { readonly contender: string; readonly userData: string },
  use: (contender: Contender) => Promise<T>,
): Promise<T> {
  const all = await openContenders(task.userData);
  const contender = all.find(({ name }) => name === task.contender);
  if (contender === undefined) throw new RangeError(`Nobody is called "${task.contender}"`);
  try {
    return await use(contender);
  } finally {
    await closeContenders(all);
  }
}

async function edits(task: Extract<ChildTask, { kind: "edits" }>): Promise<ChildAnswer> {
  return withContender(task, async (contender) => {
    const before = writtenBytes();
    for (let count = 0; count < task.count; count++) {
      await contender.edit(jobFor(task.file, "same length", count % 2 === 1));
    }
    return { writtenBytes: writtenBytes() - before };
  });
}

async function memory(task: Extract<ChildTask, { kind: "memory" }>): Promise<ChildAnswer> {
  return withContender(task, async (contender) => {
    // What is loaded and compiled once is no growth of the edit.
    await contender.edit(jobFor(task.warmFile, "same length", false));
    globalThis.gc?.();
    const job = jobFor(task.file, task.edit, false);
    await delay(200);
    resetPeak();
    const before = residentBytes();
    await contender.edit(job);
    return { grownBytes: Math.max(0, peakResidentBytes() - before) };
  });
}

async function delays(task: Extract<ChildTask, { kind: "delay" }>): Promise<ChildAnswer> {
  return withContender(task, async (contender) => {
    await contender.edit(jobFor(task.warmFile, "same length", false));
    const worst: number[] = [];
    const idle: number[] = [];
    for (let round = 0; round < task.rounds; round++) {
      const started = performance.now();
      worst.push(
        await delayDuring(() => contender.edit(jobFor(task.file, "same length", round % 2 === 1))),
      );
      const taken = performance.now() - started;
      await delay(200);
      // The same time without an edit: what the machine adds of its own.
      idle.push(await delayDuring(() => delay(taken)));
    }
    return { worstMs: sorted(worst), idleMs: sorted(idle) };
  });
}

function sorted(values: readonly number[]): number {
  return quantile(
    [...values].sort((one, other) => one - other),
    0.5,
  );
}

/** 99.9th percentile, in milliseconds, of how late a timer of 1 ms is. */
async function delayDuring(work: () => Promise<unknown>): Promise<number> {
  const resolutionMs = 1;
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  await delay(5); // A first interval, so that the beginning of the work is seen.
  histogram.reset();
  await work();
  await delay(5);
  histogram.disable();
  return histogram.percentile(99.9) / 1e6 - resolutionMs;
}

/** Edits its own line of a file, again and again, waiting for the others. */
async function loop(task: Extract<ChildTask, { kind: "loop" }>): Promise<ChildAnswer> {
  const engine = await openEngine({ userDataDirectory: task.userData });
  process.send?.("ready");
  await new Promise((resolve) => process.once("message", resolve));
  const { file: path, name, count } = task;
  const textOf = (turn: number): string => `<${name}:${String(turn).padStart(6, "0")}>`;
  for (let turn = 0; turn < count; turn++) {
    const replacements = [{ oldText: textOf(turn), newText: textOf(turn + 1) }];
    await editWith(engine, { path, replacements, all: false }, 60_000);
  }
  process.send?.("done");
  await engine.close();
  return {};
}

async function run(task: ChildTask): Promise<ChildAnswer> {
  switch (task.kind) {
    case "edits":
      return edits(task);
    case "memory":
      return memory(task);
    case "delay":
      return delays(task);
    case "loop":
      return loop(task);
  }
}

// The bench itself wrote the argument.
const answer = await run(JSON.parse(process.argv[2] ?? "") as ChildTask);
process.stdout.write(`${JSON.stringify(answer)}\n`);
if (process.connected) process.disconnect();
