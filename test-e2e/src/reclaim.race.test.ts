// Who may remove the record of a dead owner, while others interfere at every point.
//
// Method: a reclaimer is stopped between any two of its calls from reading the record to removing
// the tombstone; then another process edits, or a program that takes no locks puts a record of its
// own in the orphan's place; then the reclaimer goes on, or is killed.
// Fault model: SIGKILL, any order of two processes, programs that do not know the locks.
import { readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandFolder } from "./harness/command.ts";
import {
  editOf,
  endOwners,
  killedOwner,
  type Outcome,
  Owner,
  type OwnerPlan,
  type Stop,
} from "./harness/owner.ts";

const before = "one two three four\n";

let folder: CommandFolder;
let file: string;
let store: string;

beforeEach(async () => {
  folder = await CommandFolder.create();
  file = await folder.write("f", before);
  store = path.join(folder.dataPath, "edit-recovery");
});

afterEach(async () => {
  await endOwners();
  await folder[Symbol.asyncDispose]();
});

const edits = {
  orphan: { oldString: "one", newString: "1" },
  reclaimer: { oldString: "two", newString: "2" },
  lockless: { oldString: "three", newString: "3" },
  next: { oldString: "four", newString: "4" },
};

function planOf(who: keyof typeof edits, more: Partial<OwnerPlan> = {}): OwnerPlan {
  return { path: file, userData: folder.dataPath, edit: edits[who], ...more };
}

/** Names in the store, without lock files and what was saved. */
function names(): string[] {
  return readdirSync(store).filter((name) => name !== "saved" && !name.endsWith(".lock"));
}

function recordPath(): string {
  return path.join(store, names().find((name) => name.endsWith(".fer")) ?? "no record");
}

/** A record of an owner that was killed before its first byte. */
const leaveOrphan = (): Promise<void> => killedOwner(planOf("orphan"));

/** An edit that meets the orphan and stands at a call. */
function reclaimerAt(...stops: readonly Stop[]): Promise<Owner> {
  return new Owner(planOf("reclaimer", { stops })).stopped();
}

/** A program without locks whose record is at the name, and which is stopped `at` a call. */
function locklessAt(at: "target.overwrite" | "marked"): Promise<Owner> {
  return new Owner(planOf("lockless", { isLockless: true, stops: [{ at }] })).stopped();
}

/** Its record was reclaimed: it says nothing of that. */
async function expectGoneIsSuccess(owner: Owner): Promise<void> {
  const { status, warnings } = await owner.finish();
  expect(status).toBe("applied");
  expect(warnings?.join()).not.toContain("removed");
}

const next = (): Promise<Outcome> => editOf(planOf("next"));

/** From the judgement to the removal, in their order. */
const beforeRename: readonly Stop[] = [
  { at: "pinned.openForReading" },
  { at: "reader.sync" },
  { at: "directory.rename" },
];
const afterRename: readonly Stop[] = [
  { at: "directory.openFile", after: "directory.rename" },
  { at: "file.entryStatus", after: "directory.rename" },
  { at: "file.read", after: "directory.rename" },
  { at: "directory.unlink", after: "directory.rename" },
];

describe("two processes that take locks", () => {
  it.each([...beforeRename, ...afterRename])(
    "S9 S25 the second is busy while the first stands at $at (after: $after)",
    async (stop) => {
      await leaveOrphan();
      const reclaimer = await reclaimerAt(stop);
      const refused = await next();
      expect(refused).toMatchObject({ status: "FE_BUSY" });
      expect(refused.message).toContain("(rule 2)");
      const outcome = await reclaimer.finish();
      expect(outcome).toMatchObject({ status: "applied", warnings: [] });
      expect(outcome.recovered).toMatch(/interrupted/);
      expect((await next()).status).toBe("applied");
      expect(readFileSync(file, "utf8")).toBe("one 2 three 4\n");
      expect(names()).toEqual([]);
    },
  );

  it.each([...beforeRename, ...afterRename])(
    "S16 S25 the first is killed at $at (after: $after): the next edit just goes on",
    async (stop) => {
      await leaveOrphan();
      await killedOwner(planOf("reclaimer", { stops: [stop] }));
      expect((await next()).status).toBe("applied");
      expect(readFileSync(file, "utf8")).toBe("one two three 4\n");
      expect(names()).toEqual([]);
    },
  );

  it("S9 S15 3A-7 17 processes and a dead owner's lock: one holder at any time", async () => {
    const lines = Array.from({ length: 17 }, (_, index) => `line ${index}.`);
    writeFileSync(file, `one two\n${lines.join("\n")}\n`);
    await leaveOrphan();
    expect(readdirSync(store)).toContainEqual(expect.stringMatching(/\.lock$/));
    const outcomes = await Promise.all(
      lines.map(async (line) => {
        const edit = { oldString: line, newString: `${line} done` };
        const token = folder.file("token");
        return editOf({ ...planOf("next"), edit, token, waitMs: 60_000 });
      }),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(lines.map(() => "applied"));
    expect(outcomes.filter(({ recovered }) => recovered !== undefined)).toHaveLength(1);
    const done = lines.map((line) => `${line} done`);
    expect(readFileSync(file, "utf8")).toBe(`one two\n${done.join("\n")}\n`);
    expect(names()).toEqual([]);
    // Whoever finds the token there, because somebody else has it, does not say `applied`.
    writeFileSync(folder.file("token"), "");
    const edit = { oldString: "line 1. done", newString: "x" };
    const met = await editOf({ ...planOf("next"), edit, token: folder.file("token") });
    expect(met.status).not.toBe("applied");
  }, 90_000);
});

describe("a program that takes no locks, in the orphan's place", () => {
  it.each(beforeRename)(
    "S26 its live record is back at its name, byte for byte, after a stop at $at",
    async (stop) => {
      await leaveOrphan();
      const reclaimer = await reclaimerAt(stop);
      unlinkSync(recordPath());
      const lockless = await locklessAt("target.overwrite");
      const theirs = readFileSync(recordPath());
      const [name] = names();
      const outcome = await reclaimer.finish();
      expect(outcome.status).toBe("FE_BUSY");
      expect(names()).toEqual([name]);
      expect(readFileSync(recordPath()).equals(theirs)).toBe(true);
      expect((await next()).status).toBe("FE_BUSY");
      expect((await lockless.finish()).status).toBe("applied");
      expect(names()).toEqual([]);
      expect((await next()).status).toBe("applied");
      expect(readFileSync(file, "utf8")).toBe("one two 3 4\n");
    },
  );

  it.each(afterRename)(
    "S26 its live record is left alone when it comes at $at, after the rename",
    async (stop) => {
      await leaveOrphan();
      const reclaimer = await reclaimerAt(stop);
      const lockless = await locklessAt("target.overwrite");
      const theirs = readFileSync(recordPath());
      expect((await reclaimer.finish()).status).toBe("FE_BUSY");
      expect(names()).toEqual([path.basename(recordPath())]);
      expect(readFileSync(recordPath()).equals(theirs)).toBe(true);
      expect((await lockless.finish()).status).toBe("applied");
      expect(names()).toEqual([]);
    },
  );

  it("S27 its committed record, put back while it lives, is reclaimed next time", async () => {
    await leaveOrphan();
    const reclaimer = await reclaimerAt({ at: "directory.rename" });
    unlinkSync(recordPath());
    const lockless = await locklessAt("marked");
    const theirs = readFileSync(recordPath());
    expect((await reclaimer.finish()).status).toBe("FE_BUSY");
    expect(readFileSync(recordPath()).equals(theirs)).toBe(true);
    const outcome = await next();
    expect(outcome).toMatchObject({ status: "applied" });
    expect(outcome.recovered).toMatch(/complete and only its record was left/);
    expect(names()).toEqual([]);
    await expectGoneIsSuccess(lockless);
    expect(readFileSync(file, "utf8")).toBe("one two 3 4\n");
  });
});

describe("a reclaimer killed between the rename and the putting back", () => {
  /** Leaves the lockless program's record at a tombstone that was made for the orphan. */
  async function bury(at: "target.overwrite" | "marked"): Promise<Owner> {
    await leaveOrphan();
    const reclaimer = await reclaimerAt(
      { at: "directory.rename" },
      { at: "directory.openFile", after: "directory.rename" },
    );
    unlinkSync(recordPath());
    const lockless = await locklessAt(at);
    await reclaimer.goOnToStop();
    await reclaimer.kill();
    expect(names()).toEqual([expect.stringMatching(/\.reap$/)]);
    return lockless;
  }

  async function listed(): Promise<{ id: string; record_path: string; phase: string }[]> {
    const { out } = await folder.fe(["recovery", "list", "--json"]);
    return JSON.parse(out).records;
  }

  it("S26 its tombstone a live record: listed, busy, and nothing is lost", async () => {
    const lockless = await bury("target.overwrite");
    const [tombstone] = names();
    expect(await listed()).toMatchObject([
      { record_path: path.join(store, tombstone ?? ""), phase: "prepared" },
    ]);
    expect((await next()).status).toBe("FE_BUSY");
    expect(names()).toEqual([path.basename(recordPath())]);
    expect((await lockless.finish()).status).toBe("applied");
    expect((await next()).status).toBe("applied");
    expect(readFileSync(file, "utf8")).toBe("one two 3 4\n");
    expect(names()).toEqual([]);
  });

  it("S26 S17 its tombstone the record of a dead owner: a person has both versions", async () => {
    const lockless = await bury("target.overwrite");
    await lockless.kill();
    writeFileSync(file, "torn four\n");
    const [record] = await listed();
    const id = record?.id ?? "";
    const shown = await folder.fe(["recovery", "show", id, "--version", "after"]);
    expect(shown.out).toBe("one two 3 four\n");
    expect((await next()).status).toBe("FE_RECOVERY_REQUIRED");
    const resolved = await folder.fe(["recovery", "resolve", id, "--keep", "before"]);
    expect(resolved.exit).toBe(0);
    expect((await next()).status).toBe("applied");
    expect(readFileSync(file, "utf8")).toBe("one two three 4\n");
    expect(names()).toEqual([]);
  });

  it("S26 S27 its tombstone a committed record: the next edit reclaims it", async () => {
    const lockless = await bury("marked");
    expect((await next()).recovered).toMatch(/complete and only its record was left/);
    expect(names()).toEqual([]);
    await expectGoneIsSuccess(lockless);
    expect(readFileSync(file, "utf8")).toBe("one two 3 4\n");
  });

  it("S26 and a newer record at the name: both are named, and both can be had", async () => {
    const lockless = await bury("target.overwrite");
    await lockless.kill();
    const [tombstone = ""] = names();
    renameSync(path.join(store, tombstone), path.join(folder.dataPath, tombstone));
    await leaveOrphan();
    renameSync(path.join(folder.dataPath, tombstone), path.join(store, tombstone));
    writeFileSync(file, "torn four\n");
    const refused = await next();
    expect(refused.status).toBe("FE_RECOVERY_REQUIRED");
    expect(refused.message).toContain(tombstone);
    expect(refused.message).toContain(path.basename(recordPath()).slice(0, 12));
    expect(await listed()).toHaveLength(2);
    const [{ id } = { id: "" }] = await listed();
    const first = await folder.fe(["recovery", "resolve", id, "--keep", "before"]);
    expect(first.exit).toBe(0);
    expect(first.err + first.out).toContain(tombstone);
    // Now the older one has its turn.
    expect((await next()).recovered).toMatch(/interrupted before it changed the file/);
    expect(readFileSync(file, "utf8")).toBe("one two three 4\n");
    expect(names()).toEqual([]);
  });
});
