/** A store with many records: what lists, edits and the reclaim of one of them take. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { openEngine } from "@fe/engine";
import { bytesSource, openJournal, recordKey } from "@fe/journal";
import { createNodeOs } from "@fe/native";
import { editWith } from "../contenders/engine.ts";
import { rootFolder } from "../place.ts";
import { jobFor, makeFile } from "../sample.ts";
import { type Summary, summarize } from "../statistics.ts";

/** Milliseconds. */
export interface RecoveryResult {
  readonly records: number;
  /** `engine.recovery.list()`. */
  readonly list: Summary;
  /** `fe recovery list --json` from the shell. */
  readonly listByCommand: Summary;
  /** An edit of a file that has no record, in a store without any, and in this one. */
  readonly editWithout: Summary;
  readonly editBeside: Summary;
  /** An edit of a file whose record is an orphan that is reclaimed first. */
  readonly editReclaiming: Summary;
}

/** Leaves the record of an edit that did not change a byte, as a killed process would. */
async function leaveRecords(userData: string, files: readonly string[]): Promise<void> {
  const os = createNodeOs();
  const journal = await openJournal(os, { userDataDirectory: userData, engineVersion: "bench" });
  for (const file of files) {
    const text = Buffer.from("some text of no importance\n");
    writeFileSync(file, text);
    const opened = await os.openTarget(file);
    const { identity, permission } = opened.targetStatus;
    const lock = await journal.tryLockKey(recordKey(identity, file));
    if (lock === undefined) throw new Error(`Somebody else edits ${file}`);
    const record = await journal.prepare(lock, {
      realPath: file,
      target: identity,
      parent: opened.parentStatus.identity,
      permission,
      before: bytesSource(text),
      splices: [{ offsetBytes: 5, removedBytes: 4, inserted: Buffer.from("word") }],
    });
    await record.keep();
    await opened.target.close();
    await opened.parent.close();
  }
  await journal.close();
}

export async function measureRecovery(
  folder: string,
  userData: string,
  records: number,
  rounds: number,
): Promise<RecoveryResult> {
  const times = {
    list: [] as number[],
    listByCommand: [] as number[],
    editWithout: [] as number[],
    editBeside: [] as number[],
    editReclaiming: [] as number[],
  };
  const timed = async (series: number[], work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now();
    await work();
    series.push(performance.now() - started);
  };
  const free = path.join(folder, "free.txt");
  makeFile(free, "same length", 4096);
  let edits = 0;
  const editFree = (): Promise<void> =>
    editWith(engine, jobFor(free, "same length", edits++ % 2 === 1));
  const engine = await openEngine({ userDataDirectory: userData });
  await editFree();
  for (let round = 0; round < rounds; round++) await timed(times.editWithout, editFree);
  const files = Array.from({ length: records }, (_, index) => path.join(folder, `${index}.txt`));
  await leaveRecords(userData, files);
  const command = path.join(rootFolder, "packages", "cli", "bin", "fe.js");
  for (let round = 0; round < rounds; round++) {
    await timed(times.list, async () => {
      const { length } = await engine.recovery.list();
      if (length !== records - round) throw new Error(`${length} records are listed`);
    });
    await timed(times.listByCommand, async () => {
      const parameters = [command, "recovery", "list", "--json", "--user-data-dir", userData];
      const { status } = spawnSync(process.execPath, parameters, { stdio: "ignore" });
      if (status !== 0) throw new Error(`fe recovery list ended with ${status}`);
    });
    await timed(times.editBeside, editFree);
    const orphan = files[round] ?? "";
    await timed(times.editReclaiming, () => {
      const replacements = [{ oldText: "some text", newText: "another text" }];
      return editWith(engine, { path: orphan, replacements, all: false });
    });
  }
  await engine.close();
  return {
    records,
    list: summarize(times.list),
    listByCommand: summarize(times.listByCommand),
    editWithout: summarize(times.editWithout),
    editBeside: summarize(times.editBeside),
    editReclaiming: summarize(times.editReclaiming),
  };
}
