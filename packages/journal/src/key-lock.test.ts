import fs from "node:fs";
import path from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import { describe, expect, test } from "vitest";
import { needs, openHandles } from "../../../native/test/abilities.ts";
import { mustLock, namesIn, prepareOne, type Scratch, scratch, takeAway } from "../test/scratch.ts";
import { watchOs } from "../test/watched-os.ts";
import { type Journal, openJournal, StoreNotPrivateError } from "./index.ts";

const node = createNodeOs();
const key = "c".repeat(64);

function open(place: Scratch, os = node): Promise<Journal> {
  return openJournal(os, { userDataDirectory: place.userData, engineVersion: "1" });
}

describe("tryLockKey()", () => {
  test("S9 gives one key to one holder, another key to another", async () => {
    const place = scratch();
    const one = await open(place);
    const other = await open(place);
    const lock = await mustLock(one, key);
    expect(await other.tryLockKey(key)).toBeUndefined();
    expect(await one.tryLockKey(key)).toBeUndefined();
    const second = await mustLock(other, "d".repeat(64));
    await lock.release();
    await second.release();
    expect(namesIn(place.store)).toEqual([]);
    const again = await mustLock(other, key);
    await again.release();
    await one.close();
    await other.close();
  });

  test("takes over the lock file that a killed process left", async () => {
    const place = scratch();
    const journal = await open(place);
    await (await mustLock(journal, "d".repeat(64))).release();
    fs.writeFileSync(path.join(place.store, `${key}.lock`), "", { mode: 0o600 });
    const lock = await mustLock(journal, key);
    await lock.release();
    expect(namesIn(place.store)).toEqual([]);
    await journal.close();
  });

  test("S9 does not take the lock of a file that is gone by then", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const journal = await open(place, watched.os);
    await (await mustLock(journal, "d".repeat(64))).release();
    const lockFile = path.join(place.store, `${key}.lock`);
    let removals = 0;
    watched.hook = ({ name }) => {
      if (name !== "file.tryLock" || removals > 0) return undefined;
      removals += 1;
      takeAway(place, lockFile);
      return undefined;
    };
    const lock = await mustLock(journal, key);
    expect(removals).toBe(1);
    expect(fs.existsSync(lockFile)).toBe(true);
    const other = await open(place);
    expect(await other.tryLockKey(key)).toBeUndefined();
    await lock.release();
    await journal.close();
    await other.close();
  });

  test("S9 gives a contended key to one at a time, and to everybody in the end", async () => {
    const place = scratch();
    const journals = await Promise.all(Array.from({ length: 4 }, () => open(place)));
    let holders = 0;
    let turns = 0;
    const work = async (journal: Journal): Promise<void> => {
      for (let turn = 0; turn < 50; ) {
        const lock = await journal.tryLockKey(key);
        if (lock === undefined) {
          await node.sleep(0);
          continue;
        }
        holders += 1;
        expect(holders).toBe(1);
        await node.sleep(0);
        holders -= 1;
        turn += 1;
        turns += 1;
        await lock.release();
      }
    };
    await Promise.all(journals.map(work));
    expect(turns).toBe(200);
    expect(namesIn(place.store)).toEqual([]);
    for (const journal of journals) await journal.close();
  });

  test("releasing twice is harmless, even when another holds the key by then", async () => {
    const place = scratch();
    const journal = await open(place);
    const lock = await mustLock(journal, key);
    await lock.release();
    const other = await mustLock(journal, key);
    await lock.release();
    expect(await journal.tryLockKey(key)).toBeUndefined();
    await expect(journal.findRecord(lock)).rejects.toThrow("let go");
    await other.release();
    await journal.close();
  });

  test("refuses what is not a key", async () => {
    const journal = await open(scratch());
    for (const bad of ["", "abc", "../x", "A".repeat(64)]) {
      await expect(journal.tryLockKey(bad)).rejects.toThrow("Not a key");
    }
    await journal.close();
  });

  test("S32 neither follows nor removes what stands at the name of a lock", async (context) => {
    needs(context, "symlinks");
    const place = scratch();
    const journal = await open(place);
    await (await mustLock(journal, key)).release();
    const victim = path.join(place.root, "victim");
    fs.writeFileSync(victim, "untouched");
    const name = path.join(place.store, `${key}.lock`);
    fs.symlinkSync(victim, name);
    await expect(journal.tryLockKey(key)).rejects.toThrow(StoreNotPrivateError);
    expect(fs.readlinkSync(name)).toBe(victim);
    fs.unlinkSync(name);
    fs.mkdirSync(name);
    await expect(journal.tryLockKey(key)).rejects.toThrow(StoreNotPrivateError);
    expect(fs.readFileSync(victim, "utf8")).toBe("untouched");
    await journal.close();
  });
});

describe("a store without locks", () => {
  test.each([
    ["every lock is granted", { "file.tryLock": true }],
    ["locks are not supported", { "file.tryLock": new OsError("ENOLCK", "flock") }],
  ])("is recognised where %s: only the link excludes", async (_, answers) => {
    const place = scratch();
    const watched = watchOs(node);
    watched.hook = ({ name }) => {
      const answer: unknown = Reflect.get(answers, name);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { journal, live, draft } = await prepareOne(place, watched.os);
    expect(journal.storeHasLocks).toBe(false);
    expect(namesIn(place.store)).toEqual([`${draft.key}.fer`]);
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    if (finding.kind !== "held") expect.unreachable(finding.kind);
    expect(finding.record.metadata.ownerLocks).toBe("none");
    expect(finding.record.ownerIsProvenByLocks).toBe(false);
    await finding.record.release();
    await expect(journal.prepare(lock, draft)).rejects.toThrow("a recovery record already");
    expect(await live.finish()).toMatchObject({ record: "removed" });
    await lock.release();
    expect(namesIn(place.store)).toEqual([]);
    await journal.close();
  });

  test("settles nothing that another may still be making", async () => {
    const place = scratch();
    const watched = watchOs(node);
    watched.hook = ({ name }) => (name === "file.tryLock" ? true : undefined);
    const { journal, live, draft } = await prepareOne(place, watched.os);
    const unpublished = `${draft.key}.${live.transactionId}.tmp`;
    const tombstone = `${draft.key}.${live.transactionId}.0123456789ab.reap`;
    fs.copyFileSync(live.path, path.join(place.store, unpublished));
    fs.renameSync(live.path, path.join(place.store, tombstone));
    const lock = await mustLock(journal, draft.key);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    expect(namesIn(place.store)).toEqual([unpublished, tombstone].sort());
    await live.drop();
    await lock.release();
    await journal.close();
  });

  test("withdraws only a record that is still at its name", async () => {
    const place = scratch();
    const watched = watchOs(node);
    watched.hook = ({ name }) => (name === "file.tryLock" ? true : undefined);
    const { journal, live } = await prepareOne(place, watched.os);
    takeAway(place, live.path);
    fs.writeFileSync(live.path, "of somebody else", { mode: 0o600 });
    await live.withdraw();
    expect(fs.readFileSync(live.path, "utf8")).toBe("of somebody else");
    await journal.close();
  });

  test("S24 finishes without a word against a record that took its place", async () => {
    const place = scratch();
    const watched = watchOs(node);
    watched.hook = ({ name }) => (name === "file.tryLock" ? true : undefined);
    const { journal, live } = await prepareOne(place, watched.os);
    const ours = takeAway(place, live.path);
    fs.writeFileSync(live.path, "of somebody else", { mode: 0o600 });
    const absent = { markError: undefined, record: "absent", lock: "absent" };
    expect(await live.finish()).toEqual(absent);
    expect(fs.readFileSync(live.path, "utf8")).toBe("of somebody else");
    expect(fs.readFileSync(ours).readUInt32LE(8)).toBe(2);
    fs.unlinkSync(live.path);
    await journal.close();

    const second = await prepareOne(place, watched.os);
    const eio = new OsError("EIO", "fstatat");
    watched.hook = ({ name }) => {
      if (name === "directory.entryStatus") throw eio;
      return undefined;
    };
    expect(await second.live.finish()).toMatchObject({ record: eio });
    watched.hook = undefined;
    expect(fs.existsSync(second.live.path)).toBe(true);
    await second.journal.close();
  });

  test("is assumed on a filesystem that is not local", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const directory = await node.openStoreDirectory(place.root);
    const status = await directory.status();
    watched.hook = ({ name }) => {
      if (name !== "directory.status") return undefined;
      return { ...status, mode: 0o700, filesystem: { type: "nfs", class: "network" } };
    };
    const journal = await open(place, watched.os);
    // The identity that the hook gives is not the store's; the store is only looked at by it.
    const lock = await journal.tryLockKey(key);
    expect(journal.storeHasLocks).toBe(false);
    await lock?.release();
    expect(namesIn(place.store)).toEqual([]);
    await directory.close();
    await journal.close();
  });

  test("S9 one with locks is recognised at the first key, also when that is refused", async () => {
    const place = scratch();
    const one = await open(place);
    const other = await open(place);
    expect(one.storeHasLocks).toBeUndefined();
    const lock = await mustLock(one, key);
    expect(one.storeHasLocks).toBe(true);
    expect(await other.tryLockKey(key)).toBeUndefined();
    expect(other.storeHasLocks).toBe(true);
    await lock.release();
    await one.close();
    await other.close();
  });
});

test("uses at the same time share one handle of the store, closed in the end", async () => {
  const place = scratch();
  const handles = openHandles();
  const journal = await open(place);
  const keys = Array.from({ length: 8 }, (_, index) => String(index).repeat(64));
  const locks = await Promise.all(keys.map((key) => mustLock(journal, key)));
  await Promise.all(locks.map((lock) => lock.release()));
  await journal.close();
  expect(openHandles()).toBe(handles);
});
