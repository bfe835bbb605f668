// The order of work under a key lock: what is in the way, and how it is removed.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs } from "@fe/native";
import { describe, expect, test } from "vitest";
import {
  mustLock,
  namesIn,
  type Prepared,
  prepareOne,
  type Scratch,
  scratch,
} from "../test/scratch.ts";
import { readAll } from "../test/splices.ts";
import { watchOs } from "../test/watched-os.ts";
import { type HeldRecord, type Journal, type KeyLock, openJournal } from "./index.ts";

const node = createNodeOs();

/** An orphan: its owner let go of both locks and kept the record, as the kernel does at a kill. */
async function orphan(place: Scratch, os = node): Promise<Prepared> {
  const prepared = await prepareOne(place, os);
  await prepared.live.keep();
  return prepared;
}

async function mustHold(journal: Journal, lock: KeyLock): Promise<HeldRecord> {
  const finding = await journal.findRecord(lock);
  if (finding.kind !== "held") expect.unreachable(`${finding.kind} instead of held`);
  return finding.record;
}

/** The bytes of a record as another transaction of the same file would have made them. */
async function anotherRecord(key: string): Promise<Buffer> {
  const place = scratch();
  const { live, journal } = await prepareOne(place);
  const bytes = fs.readFileSync(live.path);
  await live.withdraw();
  await journal.close();
  expect(live.id).not.toBe(key);
  return bytes;
}

function reaped(place: Scratch): string[] {
  return namesIn(place.store).filter((name) => name.endsWith(".reap"));
}

describe("findRecord()", () => {
  test("S16 finds nothing, then an orphan with both versions, then nothing once reclaimed", async () => {
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
    fs.unlinkSync(path.join(place.store, `${draft.key}.lock`));
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
      fs.unlinkSync(live.path);
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

  test("S26 with another transaction never replaces a newer record: it stays, and is named", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const other = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";
    const tombstone = `${live.path.slice(0, -4)}.${other}.0123456789ab.reap`;
    const displacedBytes = await anotherRecord(draft.key);
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

describe("reclaim()", () => {
  /** Runs `interfere` just before the record is renamed to its tombstone. */
  async function reclaimWith(
    interfere: (record: string, bytes: Buffer) => void,
    when = "directory.rename",
  ): Promise<{ place: Scratch; report: unknown; path: string; journal: Journal; lock: KeyLock }> {
    const place = scratch();
    const watched = watchOs(node);
    const { journal, draft, live } = await orphan(place, watched.os);
    const bytes = await anotherRecord(draft.key);
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    watched.hook = ({ name }) => {
      if (name === when) {
        watched.hook = undefined;
        interfere(live.path, bytes);
      }
      return undefined;
    };
    return { place, report: await record.reclaim(), path: live.path, journal, lock };
  }

  test("S26 puts back what a program without locks has put in the record's place", async () => {
    let newer: Buffer = Buffer.alloc(0);
    const {
      place,
      report,
      path: record,
    } = await reclaimWith((name, bytes) => {
      newer = bytes;
      fs.unlinkSync(name);
      fs.writeFileSync(name, bytes, { mode: 0o600 });
    });
    expect(report).toEqual({ kind: "put-back" });
    expect(fs.readFileSync(record).equals(newer)).toBe(true);
    expect(reaped(place)).toEqual([]);
  });

  test("S25 S26 tells by the inode even where all bytes are the same", async () => {
    const { report } = await reclaimWith((name) => {
      const same = fs.readFileSync(name);
      fs.renameSync(name, `${name}.kept`);
      fs.writeFileSync(name, same, { mode: 0o600 });
    });
    expect(report).toEqual({ kind: "put-back" });
  });

  test("S26 never replaces a record that is newer still: it says where the other is", async () => {
    const {
      place,
      report,
      path: record,
    } = await reclaimWith((name, bytes) => {
      const tombstone = path.join(path.dirname(name), reapedIn(path.dirname(name)));
      fs.writeFileSync(tombstone, bytes, { mode: 0o600 });
      fs.writeFileSync(name, "newest", { mode: 0o600 });
    }, "directory.openFile");
    const [tombstone] = reaped(place);
    expect(report).toEqual({
      kind: "displaced",
      tombstonePath: path.join(place.store, tombstone ?? ""),
    });
    expect(fs.readFileSync(record, "utf8")).toBe("newest");
  });

  test("S24 takes a record that is gone already as reclaimed", async () => {
    const { place, report } = await reclaimWith((name) => fs.unlinkSync(name));
    expect(report).toEqual({ kind: "reclaimed" });
    expect(reaped(place)).toEqual([]);
  });

  test("S25 renames, reads and only then unlinks; killed between, the next ends it", async () => {
    const { place, report, journal, lock } = await reclaimWith(() => undefined);
    expect(report).toEqual({ kind: "reclaimed" });
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    expect(reaped(place)).toEqual([]);
  });

  function reapedIn(directory: string): string {
    return namesIn(directory).find((name) => name.endsWith(".reap")) ?? "";
  }
});

test("moveToSaved() puts a record aside durably, and nothing is in the way any more", async () => {
  const place = scratch();
  const watched = watchOs(node);
  const { journal, draft, live } = await orphan(place, watched.os);
  const bytes = fs.readFileSync(live.path);
  const lock = await mustLock(journal, draft.key);
  const record = await mustHold(journal, lock);
  watched.calls.length = 0;
  const moved = await record.moveToSaved();
  expect(fs.readFileSync(moved).equals(bytes)).toBe(true);
  expect(fs.statSync(path.dirname(moved)).mode & 0o7777).toBe(0o700);
  expect(watched.calls.filter((call) => /makeDirectory|moveTo|sync/.test(call))).toEqual([
    "directory.makeDirectory",
    "directory.sync",
    "directory.moveTo",
    "directory.sync",
    "directory.sync",
  ]);
  expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
  await lock.release();
  await journal.close();
});
