/** P6: processes that edit one file, or each its own, at the same time and through one profile. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Summary, summarize } from "../statistics.ts";
import { startTask } from "../tasks.ts";

export interface ProcessResult {
  readonly processes: number;
  readonly files: "one" | "many";
  /** Over all processes. */
  readonly edits: number;
  readonly editsPerSecond: Summary;
  /** Throughput relative to one process that does all edits, of the same round. */
  readonly relative: Summary;
}

const fileBytes = 4096;

/** Errors: an edit was lost, or a process failed. */
async function runTogether(
  folder: string,
  userData: string,
  processes: number,
  files: ProcessResult["files"],
  edits: number,
): Promise<number> {
  const names = Array.from({ length: processes }, (_, index) => `process-${index}`);
  const each = Math.floor(edits / processes);
  const fileOf = (name: string): string =>
    path.join(folder, files === "one" ? "shared.txt" : `${name}.txt`);
  const text = names.map((name) => `<${name}:000000>\n`).join("");
  for (const name of names) writeFileSync(fileOf(name), text.padEnd(fileBytes, "filler\n"));
  const started = await Promise.all(
    names.map((name) =>
      startTask({ kind: "loop", userData, file: fileOf(name), name, count: each }),
    ),
  );
  const begin = performance.now();
  for (const task of started) task.begin();
  await Promise.all(started.map(({ done }) => done));
  const seconds = (performance.now() - begin) / 1000;
  await Promise.all(started.map(({ ended }) => ended));
  for (const name of names) {
    const wanted = `<${name}:${String(each).padStart(6, "0")}>`;
    if (!readFileSync(fileOf(name), "utf8").includes(wanted)) {
      throw new Error(`An edit was lost: ${wanted} is not in ${fileOf(name)}`);
    }
  }
  return (each * processes) / seconds;
}

export async function measureProcesses(
  folder: string,
  userData: string,
  edits: number,
  rounds: number,
): Promise<ProcessResult[]> {
  const cases = ([1, 2, 4] as const).flatMap((processes) =>
    (["one", "many"] as const)
      .filter((files) => processes > 1 || files === "one")
      .map((files) => ({ processes, files, rates: [] as number[] })),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { processes, files, rates } of cases) {
      rates.push(await runTogether(folder, userData, processes, files, edits));
    }
  }
  const alone = cases[0]?.rates ?? [];
  return cases.map(({ processes, files, rates }) => ({
    processes,
    files,
    edits,
    editsPerSecond: summarize(rates),
    relative: summarize(rates.map((rate, round) => rate / (alone[round] ?? Number.NaN))),
  }));
}
