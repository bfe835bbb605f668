// The order of work under a key lock: what is in the way, and how it is removed.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import { describe, expect, test } from "vitest";
import { openHandles } from "../../../native/test/abilities.ts";
import { anotherRecord, mustHold, orphan } from "../test/orphans.ts";
import { mustLock, namesIn, prepareOne, reaped, scratch, takeAway } from "../test/scratch.ts";
import { readAll } from "../test/splices.ts";
import { watchOs } from "../test/watched-os.ts";
import { openJournal } from "./index.ts";

const node = createNodeOs();

describe("findRecord()", () => {
  test("S16 finds an orphan with both versions, and nothing once it is reclaimed", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    expect(record).toMatchObject({ id: live.id, path: live.path, form: "binary" });
    expect(record.phase).toBe("prepared");
    expect((await readAll(record.before)).toString()).toBe("one two three");
    expect((await readAll(record.after)).toString()).toBe("one 2 three");
    expect(await record.reclaim()).toEqual({ kind: "reclaimed" });
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    await lock.release();
    expect(namesIn(place.store)).toEqual([]);
    await journal.close();
  });

  test("S15 says that a record is locked, and what it says of itself", async () => {
    const place = scratch();
    const { journal, draft, live } = await prepareOne(place);
    takeAway(place, path.join(place.store, `${draft.key}.lock`));
    const other = await openJournal(node, {
      userDataDirectory: place.userData,
      engineVersion: "1",
    });
    const lock = await mustLock(other, draft.key);
    const finding = await other.findRecord(lock);
    if (finding.kind !== "locked") expect.unreachable(finding.kind);
    expect(finding.metadata?.transactionId).toBe(live.transactionId);
    expect(finding.phase).toBe("prepared");
    await lock.release();
    await live.withdraw();
    await other.close();
    await journal.close();
  });

  test("S20 peekRecord() finds the same without a key lock and makes nothing", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const names = namesIn(place.store);
    const found = await journal.peekRecord(draft.key);
    if (found.kind !== "held") expect.unreachable(found.kind);
    expect(found.record).toMatchObject({ id: live.id, ownerIsProvenByLocks: true });
    expect(namesIn(place.store)).toEqual(names);
    // Not locked by the look, which has not ended: else an edit would be busy for as long.
    const lock = await mustLock(journal, draft.key);
    const held = await mustHold(journal, lock);
    expect(await journal.peekRecord(draft.key)).toMatchObject({ kind: "locked", id: live.id });
    await found.record.release();
    await held.reclaim();
    await lock.release();
    expect(await journal.peekRecord(draft.key)).toEqual({ kind: "none" });
    await journal.close();
  });

  test.each(["ENOLCK", "EOPNOTSUPP", "ENOSYS"])(
    "peekRecord() is the first to find out that a lock ends with %s",
    async (code) => {
      const place = scratch();
      const watched = watchOs(node);
      const failure = new OsError(code, "flock");
      watched.hook = ({ name }) => {
        if (name === "file.tryLock") throw failure;
        return undefined;
      };
      const { journal, live, draft } = await prepareOne(place, watched.os);
      const names = namesIn(place.store);
      const handles = openHandles();
      const looking = await openJournal(watched.os, {
        userDataDirectory: place.userData,
        engineVersion: "1",
      });
      const finding = await looking.peekRecord(draft.key);
      expect(looking.storeHasLocks).toBe(false);
      if (finding.kind !== "held") expect.unreachable(finding.kind);
      expect(finding.record.ownerIsProvenByLocks).toBe(false);
      await finding.record.release();
      await looking.close();
      expect(openHandles()).toBe(handles);
      expect(namesIn(place.store)).toEqual(names);
      await live.finish();
      await journal.close();
    },
  );

  test("peekRecord() does not doubt locks that were known to exclude", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const { journal, live, lock, draft } = await prepareOne(place, watched.os);
    expect(journal.storeHasLocks).toBe(true);
    watched.hook = ({ name }) => {
      if (name === "file.tryLock") throw new OsError("ENOLCK", "flock");
      return undefined;
    };
    await expect(journal.peekRecord(draft.key)).rejects.toMatchObject({ code: "ENOLCK" });
    expect(journal.storeHasLocks).toBe(true);
    await live.finish();
    await lock.release();
    await journal.close();
  });

  test("judges a copy of a record as one whose owner the locks prove nothing of", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const bytes = fs.readFileSync(live.path);
    fs.renameSync(live.path, path.join(place.root, "original"));
    fs.writeFileSync(live.path, bytes, { mode: 0o600 });
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    expect(record.ownerIsProvenByLocks).toBe(false);
    await record.release();
    await lock.release();
    await journal.close();
  });

  test("looks again when the name led elsewhere by the time the lock was had", async () => {
    const place = scratch();
    const { draft, live, journal } = await orphan(place);
    await journal.close();
    const bytes = fs.readFileSync(live.path);
    const watched = watchOs(node);
    const options = { userDataDirectory: place.userData, engineVersion: "1" };
    const other = await openJournal(watched.os, options);
    const lock = await mustLock(other, draft.key);
    let swaps = 0;
    watched.hook = ({ name }) => {
      if (name !== "file.tryLock" || swaps > 0) return undefined;
      swaps += 1;
      takeAway(place, live.path);
      fs.writeFileSync(live.path, bytes, { mode: 0o600 });
      return undefined;
    };
    const record = await mustHold(other, lock);
    expect(swaps).toBe(1);
    expect(record.ownerIsProvenByLocks).toBe(false);
    await record.release();
    await lock.release();
    await other.close();
  });

  test("removes an unpublished record that a killed process left, of this key only", async () => {
    const place = scratch();
    const { journal, draft, live } = await prepareOne(place);
    await live.withdraw();
    const transaction = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";
    const ofOther = `${"b".repeat(64)}.${transaction}.tmp`;
    for (const name of [`${draft.key}.${transaction}.tmp`, ofOther, `${draft.key}.tmp`]) {
      fs.writeFileSync(path.join(place.store, name), "", { mode: 0o600 });
    }
    const lock = await mustLock(journal, draft.key);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    await lock.release();
    expect(namesIn(place.store)).toEqual([`${draft.key}.tmp`, ofOther].sort());
    await journal.close();
  });
});

describe("S25 a tombstone that is found", () => {
  test("with the transaction of its name is removed", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const tombstone = `${live.path.slice(0, -4)}.${live.transactionId}.0123456789ab.reap`;
    fs.renameSync(live.path, tombstone);
    const lock = await mustLock(journal, draft.key);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    expect(reaped(place)).toEqual([]);
    await lock.release();
    await journal.close();
  });

  test("that is a second name of the record is removed, and the record is judged", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const other = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";
    fs.linkSync(live.path, `${live.path.slice(0, -4)}.${other}.0123456789ab.reap`);
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    expect(reaped(place)).toEqual([]);
    await record.release();
    await lock.release();
    await journal.close();
  });

  test("S26 S27 with another transaction is put back, and judged like any record", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const other = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";
    fs.renameSync(live.path, `${live.path.slice(0, -4)}.${other}.0123456789ab.reap`);
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    expect(record.metadata.transactionId).toBe(live.transactionId);
    expect(record.ownerIsProvenByLocks).toBe(true);
    expect(reaped(place)).toEqual([]);
    expect(await record.reclaim()).toEqual({ kind: "reclaimed" });
    await lock.release();
    await journal.close();
  });

  test("S26 with another transaction never replaces a newer record, and is named", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const other = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";
    const tombstone = `${live.path.slice(0, -4)}.${other}.0123456789ab.reap`;
    const displacedBytes = await anotherRecord();
    fs.writeFileSync(tombstone, displacedBytes, { mode: 0o600 });
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    if (finding.kind !== "held") expect.unreachable(finding.kind);
    expect(finding.displaced).toEqual([tombstone]);
    expect(finding.record.metadata.transactionId).toBe(live.transactionId);
    // Once the newer one is gone, the older one gets its turn: nothing is passed over.
    await finding.record.reclaim();
    const second = await mustHold(journal, lock);
    expect(reaped(place)).toEqual([]);
    expect(fs.readFileSync(second.path).equals(displacedBytes)).toBe(true);
    await second.release();
    await lock.release();
    await journal.close();
  });

  test("S19 that cannot be read is kept, and in the way", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const tombstone = `${live.path.slice(0, -4)}.${live.transactionId}.0123456789ab.reap`;
    fs.truncateSync(live.path, 1000);
    fs.renameSync(live.path, tombstone);
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    expect(finding).toMatchObject({ kind: "unsafe", id: draft.key, path: tombstone });
    expect(fs.statSync(tombstone).size).toBe(1000);
    const moved = await journal.moveUnsafeToSaved(lock, draft.key);
    expect(path.dirname(moved)).toBe(path.join(place.store, "saved"));
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    await lock.release();
    await journal.close();
  });
});
