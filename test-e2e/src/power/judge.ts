/** Whether what was found after a loss of power is right. The bytes are judged by the oracle. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bytesOf, FileAccount } from "../../../packages/engine/test/oracle.ts";
import { runCommand } from "../harness/command.ts";
import type { Filesystem } from "./disk.ts";
import { probe, type Workload } from "./workloads.ts";

const program = fileURLToPath(new URL("./judge.mjs", import.meta.url));

const choices = ["before", "after", "current"] as const;
type Choice = (typeof choices)[number];

/** The outcome of an edit: its status or the code of its error, and the record that stopped it. */
interface Outcome {
  readonly status: string;
  readonly id?: string;
  readonly message?: string;
}

/** What a judge saw. What it did not come to is not there. */
export interface Found {
  readonly content?: Uint8Array;
  /** Every `saved/*.bytes`. */
  readonly saved?: readonly Uint8Array[];
  readonly first?: Outcome;
  readonly afterFirst?: Uint8Array;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  readonly afterResolve?: Uint8Array;
  readonly second?: Outcome;
  readonly afterSecond?: Uint8Array;
  /** Files of the store at the end, without `saved`. */
  readonly left?: readonly string[];
  readonly failure?: string;
}

/** Where a state is mounted. */
export interface Place {
  readonly path: string;
  readonly userData: string;
}

/** Which version a person keeps after a state. */
export function choiceOf(state: number): Choice {
  return choices[state % choices.length] ?? "before";
}

/** One process with the built engine for many states. */
export class Judge implements Disposable {
  readonly #child: ChildProcess = fork(program, { serialization: "advanced" });

  async look(place: Place, keep: Choice): Promise<Found> {
    const answer = once(this.#child, "message");
    this.#child.send({ ...place, probe, keep });
    const [found] = (await answer) as [Found];
    return found;
  }

  [Symbol.dispose](): void {
    this.#child.disconnect();
  }
}

/** The same with the built command, a process per step. */
export async function lookWithCommand(place: Place, keep: Choice): Promise<Found> {
  const saved = path.join(place.userData, "edit-recovery", "saved");
  const names = (await readdir(saved).catch(() => [])).filter((name) => name.endsWith(".bytes"));
  const fe = (...parameters: string[]) =>
    runCommand([...parameters, "--user-data-dir", place.userData]);
  const edit = async (): Promise<Outcome> => {
    const { oldString, newString } = probe;
    const texts = [`--old-string=${oldString}`, `--new-string=${newString}`];
    const { status, error, record } = JSON.parse(
      (await fe("edit", place.path, ...texts, "--json")).out,
    );
    return error === undefined
      ? { status }
      : { status: error.code, message: error.message, ...(record && { id: record.id }) };
  };
  const show = async (id: string, version: string): Promise<Uint8Array> =>
    Buffer.from((await fe("recovery", "show", id, "--version", version)).out);
  const start = {
    content: await readFile(place.path),
    saved: await Promise.all(names.map((name) => readFile(path.join(saved, name)))),
    first: await edit(),
    afterFirst: await readFile(place.path),
  };
  const left = async (): Promise<string[]> => {
    const store = path.dirname(saved);
    const entries = await readdir(store, { withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  };
  const { id, status } = start.first;
  if (id === undefined || status === "FE_RECORD_UNSAFE") return { ...start, left: await left() };
  const [before, after] = [await show(id, "before"), await show(id, "after")];
  const resolved = await fe("recovery", "resolve", id, "--keep", keep, "--json");
  const afterResolve = await readFile(place.path);
  const second = await edit();
  return {
    ...start,
    ...{ before, after, afterResolve, second, afterSecond: await readFile(place.path) },
    ...(resolved.exit === 0 ? {} : { failure: resolved.out }),
    left: await left(),
  };
}

/** What may be there and what must be, from the marks that were made by then. */
function accountOf(workload: Workload, marks: readonly string[]): FileAccount {
  let account = new FileAccount(workload.initial);
  for (const mark of marks) {
    const [word, number] = mark.split(" ");
    const version = workload.versions[Number(number)];
    if (word === "resolved") account = new FileAccount(workload.initial);
    if (version === undefined) continue;
    if (word === "begun") account.begin(version.content);
    // The commit point comes before the answer, and counts already.
    if (word === "committed" || word === "acked") {
      account.acknowledge(version.text, 0, version.content);
    }
  }
  return account;
}

/** A state with what was found in it. */
export interface Case {
  readonly filesystem: Filesystem;
  readonly workload: Workload;
  readonly found: Found;
  readonly keep: Choice;
  /** What the killed process left, for `resolve`. */
  readonly torn: string | undefined;
}

/** What is wrong; empty if nothing is. `marks`: what was reached. */
export function judge(
  { filesystem, workload, found, keep, torn }: Case,
  marks: readonly string[],
): string[] {
  if (found.content === undefined || found.first === undefined) {
    return [`no file, or no answer: ${found.failure ?? ""}`];
  }
  const problems: string[] = [];
  const expect = (isRight: boolean, problem: string): void => {
    if (!isRight) problems.push(problem);
  };
  const account = accountOf(workload, marks);
  const content = bytesOf(found.content);
  const text = (bytes: Uint8Array | undefined): string => (bytes ? bytesOf(bytes) : "");
  const edited = (version: string): string => version.replace(probe.oldString, probe.newString);
  expect(found.failure === undefined, String(found.failure));
  if (found.first.status === "applied") {
    const problem = account.judge(content, undefined);
    if (problem !== undefined) problems.push(short(problem));
    expect(text(found.afterFirst) === edited(content), "the next edit did something else");
  } else if (found.first.status === "FE_RECORD_UNSAFE") {
    // Then the file needs no record: it is whole, and nothing that was acknowledged is lost.
    expect(filesystem.reusesBlocksAtOnce === true, `unreadable: ${found.first.message}`);
    const problem = account.judge(content, undefined);
    if (problem !== undefined) problems.push(short(problem));
    expect(text(found.afterResolve) === content, "resolve --keep current changed the file");
    expect(text(found.afterSecond) === edited(content), `then: ${found.second?.status}`);
  } else if (found.first.id === undefined) {
    problems.push(`the next edit said ${found.first.status}: ${found.first.message}`);
  } else {
    const [before, after] = [text(found.before), text(found.after)];
    const problem = account.judge(content, { before, after });
    if (problem !== undefined) problems.push(short(problem));
    expect(text(found.afterFirst) === content, "the refused edit changed the file");
    const kept = { before, after, current: content }[keep];
    expect(text(found.afterResolve) === kept, `resolve kept something else than ${keep}`);
    // What a person keeps of a torn file need not hold what the edit looks for.
    const isEditable = kept.includes(probe.oldString);
    expect(!isEditable || found.second?.status === "applied", `then: ${found.second?.status}`);
    expect(!isEditable || text(found.afterSecond) === edited(kept), "then it did something else");
  }
  if (torn !== undefined && marks.includes("saved")) {
    const isSaved = found.saved?.some((bytes) => bytesOf(bytes) === torn) === true;
    expect(isSaved, "what the resolution replaced is not in saved/");
  }
  expect(found.left?.length === 0, `the store is not clean: ${found.left?.join(", ")}`);
  return problems;
}

function short(problem: string): string {
  return problem.length > 160
    ? `${problem.slice(0, 120)}… (${problem.length} characters)`
    : problem;
}
