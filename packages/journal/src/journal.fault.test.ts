// Method: one whole life of a record runs again and again on the real system; each time the n-th
// call of the port fails, for every n, before it did anything. Fault model: single failures, of any
// call. Oracle: a failed prepare leaves nothing, whatever failed; a record that was prepared is
// there whole, or it is gone; no handle stays open.
import fs from "node:fs";
import { createNodeOs, OsError } from "@fe/native";
import { describe, expect, test } from "vitest";
import { openHandles } from "../../../native/test/abilities.ts";
import { draftFor, namesIn, replace, type Scratch, scratch } from "../test/scratch.ts";
import { readAll } from "../test/splices.ts";
import { type WatchedOs, watchOs } from "../test/watched-os.ts";
import { type Journal, type LiveRecord, openJournal } from "./index.ts";

const node = createNodeOs();

/** Makes the n-th call from now on fail, once. */
function failAt(watched: WatchedOs, n: number): { failed: string | undefined } {
  const state: { failed: string | undefined } = { failed: undefined };
  let count = 0;
  watched.hook = ({ name }) => {
    // A failed close is not imitated: the system closes all the same.
    if (name.endsWith(".close")) return undefined;
    count += 1;
    if (count !== n) return undefined;
    state.failed = name;
    throw new OsError("EIO", name);
  };
  return state;
}

async function start(
  contentBytes: number,
): Promise<{ place: Scratch; watched: WatchedOs; journal: Journal; file: string }> {
  const place = scratch();
  const file = `${place.root}/file`;
  fs.writeFileSync(file, Buffer.alloc(contentBytes, "0123456789"));
  const watched = watchOs(node);
  const options = { userDataDirectory: place.userData, engineVersion: "1" };
  return { place, watched, journal: await openJournal(watched.os, options), file };
}

describe.each([
  ["small", 1000, false],
  ["large", 1_300_000, false],
  ["small, no unnamed files", 1000, true],
])("a %s record", (_, size, isNamed) => {
  const change = [replace(size - 5, 2, "new")];

  /** Adds the lack of unnamed files to whatever else fails. */
  function limit(watched: WatchedOs): void {
    const { hook } = watched;
    watched.hook = (call) => {
      const answer = hook?.(call);
      if (isNamed && call.name === "directory.createUnnamedFile") {
        throw new OsError("EOPNOTSUPP", call.name);
      }
      return answer;
    };
  }

  test("S12 leaves nothing when a call of prepare() fails, whichever", async () => {
    const failed = new Set<string>();
    for (let n = 1; ; n++) {
      const { place, watched, journal, file } = await start(size);
      const draft = await draftFor(node, file, change);
      const lock = await journal.tryLockKey(draft.key);
      if (lock === undefined) expect.unreachable("nobody else is here");
      const handles = openHandles();
      const state = failAt(watched, n);
      limit(watched);
      const result = await journal.prepare(lock, draft).catch((error: unknown) => error);
      watched.hook = undefined;
      if (state.failed === undefined) {
        await (result as LiveRecord).withdraw();
        await journal.close();
        break;
      }
      failed.add(state.failed);
      expect(result, state.failed).toBeInstanceOf(OsError);
      expect(namesIn(place.store), state.failed).toEqual([`${draft.key}.lock`]);
      expect(openHandles(), state.failed).toBe(handles);
      await lock.release();
      expect(namesIn(place.store)).toEqual([]);
      await journal.close();
    }
    expect(failed).toContain("file.sync");
    expect(failed).toContain("directory.sync");
  });

  test("is whole or gone when a call of its removal fails, whichever", async () => {
    const draftOf = (file: string) => draftFor(node, file, change);
    for (let n = 1; ; n++) {
      const { place, watched, journal, file } = await start(size);
      const draft = await draftOf(file);
      const handles = openHandles();
      const first = await journal.tryLockKey(draft.key);
      if (first === undefined) expect.unreachable("nobody else is here");
      await (await journal.prepare(first, draft)).keep();
      const state = failAt(watched, n);
      const reclaimed = await reclaimAll(journal, draft.key).catch((error: unknown) => error);
      watched.hook = undefined;
      if (state.failed === undefined) {
        expect(reclaimed).toBe(true);
        await journal.close();
        break;
      }
      const fresh = await openJournal(node, {
        userDataDirectory: place.userData,
        engineVersion: "1",
      });
      const lock = await fresh.tryLockKey(draft.key);
      if (lock === undefined) expect.unreachable(`a lock is left after ${state.failed}`);
      const finding = await fresh.findRecord(lock);
      expect(["none", "held"], state.failed).toContain(finding.kind);
      if (finding.kind === "held") {
        expect((await readAll(finding.record.before)).equals(fs.readFileSync(file))).toBe(true);
        expect(await finding.record.reclaim()).toEqual({ kind: "reclaimed" });
      }
      await lock.release();
      expect(namesIn(place.store), state.failed).toEqual([]);
      await fresh.close();
      await journal.close();
      expect(openHandles(), state.failed).toBe(handles);
    }
  });
});

/** The next edit's way through an orphan; every handle is let go whatever fails. */
async function reclaimAll(journal: Journal, key: string): Promise<boolean> {
  const lock = await journal.tryLockKey(key);
  if (lock === undefined) return false;
  try {
    const finding = await journal.findRecord(lock);
    if (finding.kind !== "held") return false;
    await finding.record.reclaim();
    const next = await journal.findRecord(lock);
    if (next.kind === "held") await next.record.release();
    return next.kind === "none";
  } finally {
    await lock.release();
  }
}

test("a sync that failed is not tried again, and told when the journal closes", async () => {
  const { watched, journal, file } = await start(100);
  const draft = await draftFor(node, file, [replace(0, 1, "x")]);
  const lock = await journal.tryLockKey(draft.key);
  if (lock === undefined) expect.unreachable("nobody else is here");
  await (await journal.prepare(lock, draft)).finish();
  watched.hook = ({ name }) => {
    if (name === "directory.sync") throw new OsError("EIO", "fsync");
    return undefined;
  };
  await expect(journal.syncIfNeeded()).rejects.toThrow("EIO");
  const before = watched.calls.filter((call) => call === "directory.sync").length;
  await journal.syncIfNeeded();
  await expect(journal.close()).rejects.toThrow("EIO");
  await journal.close();
  expect(watched.calls.filter((call) => call === "directory.sync")).toHaveLength(before);
});

test("a writing that neither fails nor advances is an error, not an endless loop", async () => {
  const { place, watched, journal, file } = await start(100);
  const draft = await draftFor(node, file, [replace(0, 1, "x")]);
  const lock = await journal.tryLockKey(draft.key);
  if (lock === undefined) expect.unreachable("nobody else is here");
  watched.hook = ({ name }) => (name === "file.write" ? 0 : undefined);
  await expect(journal.prepare(lock, draft)).rejects.toThrow("no byte was written");
  await lock.release();
  expect(namesIn(place.store)).toEqual([]);
  await journal.close();
});
