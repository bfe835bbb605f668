// Removing what somebody else left, while a program that takes no locks interferes.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import { describe, expect, test } from "vitest";
import { abilities } from "../../../native/test/abilities.ts";
import { anotherRecord, mustHold, orphan } from "../test/orphans.ts";
import { mustLock, namesIn, reaped, type Scratch, scratch, takeAway } from "../test/scratch.ts";
import { watchOs } from "../test/watched-os.ts";

const node = createNodeOs();

describe("markDoubtful() of a held record", () => {
  test("A4 marks it for the next, and it is still held", async () => {
    const place = scratch();
    const { journal, draft } = await orphan(place);
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    expect(record.phase).toBe("prepared");
    expect(await record.markDoubtful()).toBe(true);
    await record.release();
    await expect(record.markDoubtful()).rejects.toThrow("let go already");
    const again = await mustHold(journal, lock);
    const { bootId } = await node.self();
    expect(again).toMatchObject({ phase: "doubtful", doubtBootId: bootId });
    expect((await again.reclaim()).kind).toBe("reclaimed");
    await lock.release();
    await journal.close();
  });

  test("I4 leaves a record alone that has taken its name", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const bytes = await anotherRecord();
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    takeAway(place, live.path);
    fs.writeFileSync(live.path, bytes, { mode: 0o600 });
    await expect(record.markDoubtful()).rejects.toThrow("another record is there");
    expect(fs.readFileSync(live.path).equals(bytes)).toBe(true);
    await record.release();
    await lock.release();
    await journal.close();
  });
});

describe("reclaim()", () => {
  /** Runs `interfere` just before the record is renamed to its tombstone. */
  async function reclaimWith(
    interfere: (record: string, bytes: Buffer, place: Scratch) => unknown,
    when = "directory.rename",
  ): Promise<{ place: Scratch; report: unknown; path: string }> {
    const place = scratch();
    const watched = watchOs(node);
    const { journal, draft, live } = await orphan(place, watched.os);
    const bytes = await anotherRecord();
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    watched.hook = ({ name }) => {
      if (name === when) {
        watched.hook = undefined;
        interfere(live.path, bytes, place);
      }
      return undefined;
    };
    return { place, report: await record.reclaim(), path: live.path };
  }

  test("S26 puts back what a program without locks has put in the record's place", async () => {
    let newer: Buffer = Buffer.alloc(0);
    const {
      place,
      report,
      path: record,
    } = await reclaimWith((name, bytes, ofTest) => {
      newer = bytes;
      takeAway(ofTest, name);
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

  test("S25 takes a tombstone that another settled as a reason to look again", async () => {
    const { place, report } = await reclaimWith(takeTombstone, "directory.openFile");
    expect(report).toEqual({ kind: "put-back" });
    const later = await reclaimWith(takeTombstone, "directory.unlink");
    expect(later.report).toEqual({ kind: "reclaimed" });
    for (const { store } of [place, later.place]) {
      expect(namesIn(store).filter((name) => !name.endsWith(".lock"))).toEqual([]);
    }
  });

  test("S24 takes a record that is gone already as reclaimed", async () => {
    const { place, report } = await reclaimWith((name, _, place) => takeAway(place, name));
    expect(report).toEqual({ kind: "reclaimed" });
    expect(reaped(place)).toEqual([]);
  });

  test("S25 renames, looks and unlinks, and the directory is synced later", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const { journal, draft } = await orphan(place, watched.os);
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    await journal.syncIfNeeded();
    watched.calls.length = 0;
    expect(await record.reclaim()).toEqual({ kind: "reclaimed" });
    expect(watched.calls.filter((call) => /rename|read|unlink|sync/.test(call))).toEqual([
      "directory.rename",
      "file.read",
      "directory.unlink",
    ]);
    await journal.syncIfNeeded();
    expect(watched.calls).toContain("directory.sync");
    await lock.release();
    await journal.close();
  });

  test("S25 puts the record back if the tombstone cannot be removed", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const { journal, draft, live } = await orphan(place, watched.os);
    const bytes = fs.readFileSync(live.path);
    const lock = await mustLock(journal, draft.key);
    const record = await mustHold(journal, lock);
    watched.hook = ({ name }) => {
      if (name === "directory.unlink") throw new OsError("EIO", "unlink");
      return undefined;
    };
    await expect(record.reclaim()).rejects.toThrow("EIO");
    watched.hook = undefined;
    expect(fs.readFileSync(live.path).equals(bytes)).toBe(true);
    expect(reaped(place)).toEqual([]);
    await lock.release();
    await journal.close();
  });

  function takeTombstone(record: string, _: Buffer, place: Scratch): void {
    const directory = path.dirname(record);
    takeAway(place, path.join(directory, reapedIn(directory)));
  }

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
  if (abilities.modes) expect(fs.statSync(path.dirname(moved)).mode & 0o7777).toBe(0o700);
  expect(watched.calls.filter((call) => /makeDirectory|moveTo|sync/.test(call))).toEqual([
    "directory.sync",
    "directory.moveTo",
    "directory.sync",
    "directory.sync",
  ]);
  expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
  await lock.release();
  await journal.close();
});
