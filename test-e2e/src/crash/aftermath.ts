/**
 * What a person meets after a run that was killed or failed: the file, the next edit, the record if
 * there is one, a resolution, and an edit again. Everything is done by the built command.
 *
 * Whether the bytes are right is the oracle's to say; here are, besides, the command's answers.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Bytes, bytesOf } from "../../../packages/engine/test/oracle.ts";
import { type CommandResult, fileState, replace } from "../harness/command.ts";
import { next, type Prepared } from "./scenarios.ts";

const choices = ["before", "after", "current"] as const;

/** What was found. `problems` is empty if all is well. */
export interface Aftermath {
  readonly problems: readonly string[];
  /** `went-on`: the next edit was applied. `person`: it was refused, and a person decided. */
  readonly way: "went-on" | "person";
  readonly torn: boolean;
}

/** @param choice which version a person keeps; any number */
export async function lookAfter(
  prepared: Prepared,
  run: CommandResult,
  choice: number,
): Promise<Aftermath> {
  const { folder, path: file, account } = prepared;
  const problems: (string | undefined)[] = [];
  const content = bytesOf(await readFile(file));
  problems.push(...(await checkAnswer(prepared, run, content)));
  const state = await fileState(file);
  const edited = await folder.fe(replace("f", next.oldString, next.newString, "--json"));
  let way: Aftermath["way"] = "went-on";
  if (edited.exit === 0) {
    problems.push(account.judge(content, undefined));
    await expectBytes(file, withNext(content), "after the next edit", problems);
  } else if (edited.exit === 7) {
    way = "person";
    if (JSON.stringify(await fileState(file), plain) !== JSON.stringify(state, plain)) {
      problems.push("the refused edit changed the file");
    }
    const keep = choices[choice % choices.length] ?? "before";
    await decide(prepared, content, JSON.parse(edited.out).record?.id, keep, problems);
  } else {
    problems.push(`the next edit is neither done nor refused for a person: ${told(edited)}`);
  }
  const saved = /\.\d{13}\.[0-9a-f]{12}\.(?:bytes|note|fer)$/u;
  const left = (await folder.storeFiles()).filter((name) => !saved.test(name));
  if (left.length > 0) problems.push(`the store is not clean: ${left.join(", ")}`);
  const torn = !account.isWhole(content);
  return { problems: problems.filter((problem) => problem !== undefined), way, torn };
}

/** The run's own words: whoever was not killed must have said what became of the file. */
async function checkAnswer(
  { folder, account, mark, start, goal }: Prepared,
  run: CommandResult,
  content: Bytes,
): Promise<(string | undefined)[]> {
  const isResolution = mark === undefined;
  const saved =
    isResolution && content !== start ? await checkSaved(folder.dataPath, start) : undefined;
  if (run.out === "") {
    return [saved, run.signal === "SIGKILL" ? undefined : `no answer, and no kill: ${told(run)}`];
  }
  const { status, error } = JSON.parse(run.out);
  if (error === undefined) {
    const isGoal = content === goal ? undefined : `it said ${status} and it is not so`;
    return [saved, isGoal, isResolution ? undefined : account.acknowledge(mark, 0, content)];
  }
  if (error.code !== "FE_OUTCOME_UNKNOWN" && content !== start) {
    return [saved, `only FE_OUTCOME_UNKNOWN may have changed the file (I10), not ${error.code}`];
  }
  return [saved];
}

/** What a person's file held before a resolution wrote to it is kept. */
async function checkSaved(dataPath: string, start: Bytes): Promise<string | undefined> {
  const saved = path.join(dataPath, "edit-recovery", "saved");
  const names = await readdir(saved).catch(() => []);
  for (const name of names.filter((entry) => entry.endsWith(".bytes"))) {
    if (bytesOf(await readFile(path.join(saved, name))) === start) return undefined;
  }
  return "what the file held before the resolution wrote is not in saved/";
}

/** A person reads both versions, keeps one, and edits again. */
async function decide(
  { folder, path: file, account }: Prepared,
  content: Bytes,
  id: unknown,
  keep: (typeof choices)[number],
  problems: (string | undefined)[],
): Promise<void> {
  if (typeof id !== "string") {
    problems.push("the refusal names no record");
    return;
  }
  const [before = "", after = ""] = await Promise.all(
    ["before", "after"].map(async (version) => {
      const shown = await folder.fe(["recovery", "show", id, "--version", version]);
      if (shown.exit !== 0) problems.push(`version ${version} cannot be read: ${told(shown)}`);
      return bytesOf(Buffer.from(shown.out));
    }),
  );
  problems.push(account.judge(content, { before, after }));
  const resolved = await folder.fe(["recovery", "resolve", id, "--keep", keep, "--json"]);
  if (resolved.exit !== 0) problems.push(`resolve --keep ${keep} failed: ${told(resolved)}`);
  const kept = { before, after, current: content }[keep];
  await expectBytes(file, kept, `after resolve --keep ${keep}`, problems);
  const again = await folder.fe(replace("f", next.oldString, next.newString, "--json"));
  if (again.exit !== 0) problems.push(`the edit after the resolution failed: ${told(again)}`);
  await expectBytes(file, withNext(kept), "after the edit that followed", problems);
}

function withNext(content: Bytes): Bytes {
  return content.replace(next.oldString, next.newString);
}

async function expectBytes(
  file: string,
  wanted: Bytes,
  when: string,
  problems: (string | undefined)[],
): Promise<void> {
  const content = bytesOf(await readFile(file));
  if (content !== wanted) problems.push(`${when} the file holds something else: ${content}`);
}

function told({ exit, signal, out, err }: CommandResult): string {
  return `${signal ?? exit} ${out.trim()} ${err.trim()}`;
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
