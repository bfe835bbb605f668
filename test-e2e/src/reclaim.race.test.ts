// Who may remove the record of a dead owner, while others interfere at every point.
//
// Method: a reclaimer is stopped between any two of its calls from reading the record to removing
// the tombstone; then another process edits, or a program that takes no locks puts a record of its
// own in the orphan's place; then the reclaimer goes on, or is killed.
// Fault model: SIGKILL, any order of two processes, programs that do not know the locks.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editOf, killedOwner, type Outcome, Owner, type Stop } from "./harness/owner.ts";
import { RacePlace } from "./harness/race-place.ts";

let place: RacePlace;

beforeEach(async () => {
  place = await RacePlace.create();
});

afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

/** A record of an owner that was killed before its first byte. */
const leaveOrphan = (): Promise<void> => killedOwner(place.planOf("one"));

/** An edit that meets the orphan and stands at a call. */
function reclaimerAt(...stops: readonly Stop[]): Promise<Owner> {
  return new Owner(place.planOf("two", { stops })).stopped();
}

/** A program without locks whose record is at the name, and which is stopped `at` a call. */
function locklessAt(at: "target.overwrite" | "marked"): Promise<Owner> {
  return new Owner(place.planOf("three", { isLockless: true, stops: [{ at }] })).stopped();
}

/** Its record was reclaimed: it says nothing of that. */
async function expectGoneIsSuccess(owner: Owner): Promise<void> {
  const { status, warnings } = await owner.finish();
  expect(status).toBe("applied");
  expect(warnings?.join()).not.toContain("removed");
}

/** The edit that comes after all that. */
const next = (): Promise<Outcome> => place.edit("four");

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
      expect(refused.message).toContain("holds its lock");
      const outcome = await reclaimer.finish();
      expect(outcome).toMatchObject({ status: "applied", warnings: [] });
      expect(outcome.recovered).toMatch(/interrupted/);
      expect((await next()).status).toBe("applied");
      expect(readFileSync(place.file, "utf8")).toBe("one 2 three 4\n");
      expect(place.names()).toEqual([]);
    },
  );

  it.each([...beforeRename, ...afterRename])(
    "S16 S25 the first is killed at $at (after: $after): the next edit just goes on",
    async (stop) => {
      await leaveOrphan();
      await killedOwner(place.planOf("two", { stops: [stop] }));
      expect((await next()).status).toBe("applied");
      expect(readFileSync(place.file, "utf8")).toBe("one two three 4\n");
      expect(place.names()).toEqual([]);
    },
  );

  it("S9 S15 3A-7 17 processes and a dead owner's lock: one holder at any time", async () => {
    const lines = Array.from({ length: 17 }, (_, index) => `line ${index}.`);
    writeFileSync(place.file, `one two\n${lines.join("\n")}\n`);
    await leaveOrphan();
    expect(readdirSync(place.store)).toContainEqual(expect.stringMatching(/\.lock$/));
    const outcomes = await Promise.all(
      lines.map(async (line) => {
        const edit = { oldString: line, newString: `${line} done` };
        const token = place.folder.file("token");
        return editOf({ ...place.planOf("four"), edit, token, waitMs: 60_000 });
      }),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(lines.map(() => "applied"));
    expect(outcomes.filter(({ recovered }) => recovered !== undefined)).toHaveLength(1);
    const done = lines.map((line) => `${line} done`);
    expect(readFileSync(place.file, "utf8")).toBe(`one two\n${done.join("\n")}\n`);
    expect(place.names()).toEqual([]);
    // Whoever finds the token there, because somebody else has it, does not say `applied`.
    writeFileSync(place.folder.file("token"), "");
    const edit = { oldString: "line 1. done", newString: "x" };
    const met = await editOf({ ...place.planOf("four"), edit, token: place.folder.file("token") });
    expect(met.status).not.toBe("applied");
  }, 90_000);
});

describe("a program that takes no locks, in the orphan's place", () => {
  it.each(beforeRename)(
    "S26 its live record is back at its name, byte for byte, after a stop at $at",
    async (stop) => {
      await leaveOrphan();
      const reclaimer = await reclaimerAt(stop);
      place.takeAway(place.recordPath());
      const lockless = await locklessAt("target.overwrite");
      const theirs = readFileSync(place.recordPath());
      const [name] = place.names();
      const outcome = await reclaimer.finish();
      expect(outcome.status).toBe("FE_BUSY");
      expect(place.names()).toEqual([name]);
      expect(readFileSync(place.recordPath()).equals(theirs)).toBe(true);
      expect((await next()).status).toBe("FE_BUSY");
      expect((await lockless.finish()).status).toBe("applied");
      expect(place.names()).toEqual([]);
      expect((await next()).status).toBe("applied");
      expect(readFileSync(place.file, "utf8")).toBe("one two 3 4\n");
    },
  );

  it.each(afterRename)(
    "S26 its live record is left alone when it comes at $at, after the rename",
    async (stop) => {
      await leaveOrphan();
      const reclaimer = await reclaimerAt(stop);
      const lockless = await locklessAt("target.overwrite");
      const theirs = readFileSync(place.recordPath());
      expect((await reclaimer.finish()).status).toBe("FE_BUSY");
      expect(place.names()).toEqual([path.basename(place.recordPath())]);
      expect(readFileSync(place.recordPath()).equals(theirs)).toBe(true);
      expect((await lockless.finish()).status).toBe("applied");
      expect(place.names()).toEqual([]);
    },
  );

  it("S27 its committed record, put back while it lives, is reclaimed next time", async () => {
    await leaveOrphan();
    const reclaimer = await reclaimerAt({ at: "directory.rename" });
    place.takeAway(place.recordPath());
    const lockless = await locklessAt("marked");
    const theirs = readFileSync(place.recordPath());
    expect((await reclaimer.finish()).status).toBe("FE_BUSY");
    expect(readFileSync(place.recordPath()).equals(theirs)).toBe(true);
    const outcome = await next();
    expect(outcome).toMatchObject({ status: "applied" });
    expect(outcome.recovered).toMatch(/complete and only its record was left/);
    expect(place.names()).toEqual([]);
    await expectGoneIsSuccess(lockless);
    expect(readFileSync(place.file, "utf8")).toBe("one two 3 4\n");
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
    place.takeAway(place.recordPath());
    const lockless = await locklessAt(at);
    await reclaimer.goOnToStop();
    await reclaimer.kill();
    expect(place.names()).toEqual([expect.stringMatching(/\.reap$/)]);
    return lockless;
  }

  async function listed(): Promise<{ id: string; record_path: string; phase: string }[]> {
    const { out } = await place.folder.fe(["recovery", "list", "--json"]);
    return JSON.parse(out).records;
  }

  it("S26 its tombstone a live record: listed, busy, and nothing is lost", async () => {
    const lockless = await bury("target.overwrite");
    const [tombstone] = place.names();
    expect(await listed()).toMatchObject([
      { record_path: path.join(place.store, tombstone ?? ""), phase: "prepared" },
    ]);
    expect((await next()).status).toBe("FE_BUSY");
    expect(place.names()).toEqual([path.basename(place.recordPath())]);
    expect((await lockless.finish()).status).toBe("applied");
    expect((await next()).status).toBe("applied");
    expect(readFileSync(place.file, "utf8")).toBe("one two 3 4\n");
    expect(place.names()).toEqual([]);
  });

  it("S26 S17 its tombstone the record of a dead owner: a person has both versions", async () => {
    const lockless = await bury("target.overwrite");
    await lockless.kill();
    writeFileSync(place.file, "torn four\n");
    const [record] = await listed();
    const id = record?.id ?? "";
    const shown = await place.folder.fe(["recovery", "show", id, "--version", "after"]);
    expect(shown.out).toBe("one two 3 four\n");
    expect((await next()).status).toBe("FE_RECOVERY_REQUIRED");
    const resolved = await place.folder.fe(["recovery", "resolve", id, "--keep", "before"]);
    expect(resolved.exit).toBe(0);
    expect((await next()).status).toBe("applied");
    expect(readFileSync(place.file, "utf8")).toBe("one two three 4\n");
    expect(place.names()).toEqual([]);
  });

  it("S26 S27 its tombstone a committed record: the next edit reclaims it", async () => {
    const lockless = await bury("marked");
    expect((await next()).recovered).toMatch(/complete and only its record was left/);
    expect(place.names()).toEqual([]);
    await expectGoneIsSuccess(lockless);
    expect(readFileSync(place.file, "utf8")).toBe("one two 3 4\n");
  });

  it("S26 and a newer record at the name: both are named, and both can be had", async () => {
    const lockless = await bury("target.overwrite");
    await lockless.kill();
    const [tombstone = ""] = place.names();
    renameSync(path.join(place.store, tombstone), path.join(place.folder.dataPath, tombstone));
    await leaveOrphan();
    renameSync(path.join(place.folder.dataPath, tombstone), path.join(place.store, tombstone));
    writeFileSync(place.file, "torn four\n");
    const refused = await next();
    expect(refused.status).toBe("FE_RECOVERY_REQUIRED");
    expect(refused.message).toContain(tombstone);
    expect(refused.message).toContain(path.basename(place.recordPath()).slice(0, 12));
    expect(await listed()).toHaveLength(2);
    const [{ id } = { id: "" }] = await listed();
    const first = await place.folder.fe(["recovery", "resolve", id, "--keep", "before"]);
    expect(first.exit).toBe(0);
    expect(first.err + first.out).toContain(tombstone);
    // Now the older one has its turn.
    expect((await next()).recovered).toMatch(/interrupted before it changed the file/);
    expect(readFileSync(place.file, "utf8")).toBe("one two three 4\n");
    expect(place.names()).toEqual([]);
  });
});
