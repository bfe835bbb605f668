// Each look of the protocol taken out, in the one order of events in which it matters: what it
// protects is lost without it, and kept with it.
//
// Method: a port that lies about one answer stands for code that does not ask. The orders of events
// are the shortest that an exploration of all of them found.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs, type EntryStatus } from "@fe/native";
import { describe, expect, test } from "vitest";
import { mustHold, orphan } from "../test/orphans.ts";
import { mustLock, type Scratch, scratch } from "../test/scratch.ts";
import { type WatchedOs, watchOs } from "../test/watched-os.ts";
import { type Journal, type LiveRecord, openJournal } from "./index.ts";

const node = createNodeOs();
const key = "a".repeat(64);

async function journalOf(place: Scratch, os = node): Promise<Journal> {
  return openJournal(os, { userDataDirectory: place.userData, engineVersion: "1" });
}

async function statusOf(place: Scratch, name: string): Promise<EntryStatus | undefined> {
  const directory = await node.openStoreDirectory(place.store);
  try {
    return await directory.entryStatus(name);
  } finally {
    await directory.close();
  }
}

describe("the second look at the name of a key lock", () => {
  test.each([
    ["with it one process holds the key", true],
    ["without it two hold it", false],
  ])("S9 I4 %s", async (_, looks) => {
    const place = scratch();
    const [first, third] = [await journalOf(place), await journalOf(place)];
    const watched = watchOs(node);
    const second = await journalOf(place, watched.os);
    const lock = await mustLock(first, key);
    const opened = await statusOf(place, `${key}.lock`);
    let thirdHasIt = false;
    watched.hook = async ({ name }) => {
      if (name === "file.tryLock" && !thirdHasIt) {
        // Between the second's opening and its locking the first lets go and a third comes.
        await lock.release();
        await mustLock(third, key);
        thirdHasIt = true;
      }
      return name === "directory.entryStatus" && thirdHasIt && !looks ? opened : undefined;
    };
    const got = await second.tryLockKey(key);
    expect(thirdHasIt).toBe(true);
    expect(got !== undefined).toBe(!looks);
    for (const journal of [first, second, third]) await journal.close();
  });
});

describe("the looks at a record before it is removed", () => {
  interface Looks {
    /** At the name, once its lock was had. */
    readonly name: boolean;
    /** At the file, once it is a tombstone. */
    readonly tombstone: boolean;
  }

  /**
   * A reclaim of an orphan in whose place a program without locks puts a live record, between the
   * opening and the locking. Returns whether the live record is still there.
   */
  async function survives(looks: Looks): Promise<boolean> {
    const place = scratch();
    const { live, draft, journal } = await orphan(place);
    await journal.close();
    const name = path.basename(live.path);
    const bytes = fs.readFileSync(live.path);
    const judged = await statusOf(place, name);
    const watched = watchOs(node);
    const other = await journalOf(place, watched.os);
    const lock = await mustLock(other, draft.key);
    let inode = 0n;
    watched.hook = (call) => {
      if (call.name === "file.tryLock" && inode === 0n) {
        // Kept aside, so that its inode number is not given to the new one.
        fs.renameSync(live.path, path.join(place.root, "orphan"));
        fs.writeFileSync(live.path, bytes, { mode: 0o600 });
        inode = fs.statSync(live.path, { bigint: true }).ino;
        return undefined;
      }
      if (inode === 0n) return undefined;
      const isNameLook = call.name === "directory.entryStatus" && call.arguments[0] === name;
      if (isNameLook && !looks.name) return judged;
      if (call.name === "file.entryStatus" && isReaping(watched) && !looks.tombstone) return judged;
      return undefined;
    };
    const found = await other.findRecord(lock);
    if (found.kind !== "held") expect.unreachable(found.kind);
    // With the look at the name it is the live record that was found; it is not the orphan.
    if (found.record.ownerIsProvenByLocks) await found.record.reclaim();
    else await found.record.release();
    watched.hook = undefined;
    await lock.release();
    await other.close();
    return fs.existsSync(live.path) && fs.statSync(live.path, { bigint: true }).ino === inode;
  }

  function isReaping({ calls }: WatchedOs): boolean {
    return calls.includes("directory.rename");
  }

  test.each<[string, Looks, boolean]>([
    ["both: it stays", { name: true, tombstone: true }, true],
    ["the tombstone only: it is put back", { name: false, tombstone: true }, true],
    ["the name only: it is never taken", { name: true, tombstone: false }, true],
    ["none: a live record is removed", { name: false, tombstone: false }, false],
  ])("S25 S26 I3 %s", async (_, looks, stays) => {
    expect(await survives(looks)).toBe(stays);
  });
});

describe("a store without locks, in which the decision table never reclaims", () => {
  test("I3 S9 because a slow reclaim hides a live record, and a second edit begins", async () => {
    const place = scratch();
    const watched = watchOs(node);
    watched.hook = ({ name }) => (name === "file.tryLock" ? true : undefined);
    const { journal, draft } = await orphan(place, watched.os);
    const slow = await mustLock(journal, draft.key);
    const seenBySlow = await mustHold(journal, slow);
    // A quicker one removes the orphan and begins its edit.
    const quick = await mustLock(journal, draft.key);
    await (await mustHold(journal, quick)).reclaim();
    const live = await journal.prepare(quick, draft);
    let second: LiveRecord | undefined;
    watched.hook = async ({ name }) => {
      if (name === "file.tryLock") return true;
      if (name !== "file.entryStatus" || second !== undefined) return undefined;
      // The name is free, since the slow one took the live record for the orphan.
      const third = await journalOf(place, lockless);
      second = await third.prepare(await mustLock(third, draft.key), draft);
      return undefined;
    };
    expect((await seenBySlow.reclaim()).kind).toBe("displaced");
    expect(second?.path).toBe(live.path);
    expect(await live.isAtItsName()).toBe(false);
    expect(await second?.isAtItsName()).toBe(true);
    await live.drop();
    await second?.drop();
    await journal.close();
  });
});

const locklessWatch = watchOs(node);
locklessWatch.hook = ({ name }) => (name === "file.tryLock" ? true : undefined);
const lockless = locklessWatch.os;
