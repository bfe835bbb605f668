/** P7: `fe edit` of a small file from the shell, beside starting Node to do nothing. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { childrenProcessorMs } from "../own-process.ts";
import { rootFolder } from "../place.ts";
import { makeFile } from "../sample.ts";
import { pairedRatio, type Summary, summarize } from "../statistics.ts";

export interface StartUpResult {
  /** Milliseconds from start to end. */
  readonly edit: Summary;
  readonly nothing: Summary;
  readonly ratio: Summary;
  /** Mean processor time in milliseconds, which others on the machine change less. */
  readonly editProcessorMs: number;
  readonly nothingProcessorMs: number;
}

export function measureStartUp(folder: string, userData: string, rounds: number): StartUpResult {
  const file = path.join(folder, "small.txt");
  makeFile(file, "same length", 4096);
  const command = path.join(rootFolder, "packages", "cli", "bin", "fe.js");
  const times = { edit: [] as number[], nothing: [] as number[] };
  const processor = { edit: 0, nothing: 0 };
  const runNode = (what: "edit" | "nothing", parameters: readonly string[], counts: boolean) => {
    const processorBefore = childrenProcessorMs();
    const started = performance.now();
    const { status } = spawnSync(process.execPath, parameters, { stdio: "ignore" });
    const taken = performance.now() - started;
    if (status !== 0) throw new Error(`${parameters.join(" ")} ended with ${status}`);
    if (!counts) return;
    times[what].push(taken);
    processor[what] += childrenProcessorMs() - processorBefore;
  };
  for (let round = 0; round <= rounds; round++) {
    const [from, to] = round % 2 === 0 ? ["alpha", "omega"] : ["omega", "alpha"];
    const edit = [
      command,
      "edit",
      file,
      "--old-string",
      `<<${from}>>`,
      "--new-string",
      `<<${to}>>`,
    ];
    const work = [
      () => runNode("edit", [...edit, "--user-data-dir", userData], round > 0),
      () => runNode("nothing", ["-e", "0"], round > 0),
    ];
    for (const run of round % 2 === 0 ? work : work.reverse()) run();
  }
  return {
    edit: summarize(times.edit),
    nothing: summarize(times.nothing),
    ratio: pairedRatio(times.edit, times.nothing),
    editProcessorMs: processor.edit / rounds,
    nothingProcessorMs: processor.nothing / rounds,
  };
}
