// A store that somebody else prepared: nothing in it is followed, changed or removed.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createNodeOs } from "@fe/native";
import { describe, expect, test } from "vitest";
import { orphan } from "../test/orphans.ts";
import { mustLock, namesIn, prepareOne, type Scratch, scratch } from "../test/scratch.ts";
import { watchOs } from "../test/watched-os.ts";
import { openJournal, RecordUnsafeError, StoreNotPrivateError } from "./index.ts";

const node = createNodeOs();
const isRoot = process.geteuid?.() === 0;
const key = "e".repeat(64);
const options = (place: Scratch) => ({ userDataDirectory: place.userData, engineVersion: "1" });

/** Everything of a directory that could have been changed. */
function picture(directory: string): unknown {
  return namesIn(directory).map((name) => {
    const file = path.join(directory, name);
    const { ino, mode, size, mtimeMs, nlink } = fs.lstatSync(file);
    const hasBytes = fs.lstatSync(file).isFile() && size < 100_000;
    const bytes = hasBytes ? fs.readFileSync(file, "hex") : "";
    return { name, ino, mode, size, mtimeMs, nlink, bytes };
  });
}

describe("S32 a record", () => {
  const spoilers: readonly [string, string, (record: string, place: Scratch) => void][] = [
    [
      "is a symbolic link",
      "is a symbolic link",
      (record, { root }) => {
        fs.renameSync(record, path.join(root, "elsewhere"));
        fs.symlinkSync(path.join(root, "elsewhere"), record);
      },
    ],
    [
      "is a symbolic link to nothing",
      "is a symbolic link",
      (record, { root }) => {
        fs.unlinkSync(record);
        fs.symlinkSync(path.join(root, "nothing"), record);
      },
    ],
    [
      "is a FIFO",
      "is not a regular file",
      (record) => {
        fs.unlinkSync(record);
        execFileSync("mkfifo", ["-m", "600", record]);
      },
    ],
    [
      "is a directory",
      "is not a regular file",
      (record) => {
        fs.unlinkSync(record);
        fs.mkdirSync(record);
      },
    ],
    ["can be read by the group", "mode 640", (record) => fs.chmodSync(record, 0o640)],
    ["can be written by others", "mode 602", (record) => fs.chmodSync(record, 0o602)],
    [
      "has a second name elsewhere",
      "has 2 names",
      (record, { root }) => fs.linkSync(record, path.join(root, "second")),
    ],
    ["is empty", "is malformed", (record) => fs.truncateSync(record, 0)],
    [
      "was cut off in the middle",
      "is malformed",
      (record) => fs.truncateSync(record, fs.statSync(record).size - 30),
    ],
    ["is garbage", "is malformed", (record) => fs.writeFileSync(record, Buffer.alloc(5000, 0xa5))],
    [
      "is larger than any record",
      "more than any record",
      (record) => fs.truncateSync(record, 300 * 1024 * 1024),
    ],
    [
      "is of an unknown version",
      "format version 7 is not known",
      (record) => {
        const bytes = fs.readFileSync(record);
        bytes.writeUInt32LE(7, 520);
        fs.writeFileSync(record, bytes);
      },
    ],
  ];

  test.each(spoilers)("that %s is unsafe, and left as it is", async (_, why, spoil) => {
    const place = scratch();
    const { journal, draft, live, file } = await orphan(place);
    spoil(live.path, place);
    const before = picture(place.store);
    const rootBefore = picture(place.root);
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    if (finding.kind !== "unsafe") expect.unreachable(finding.kind);
    expect(finding).toMatchObject({ id: draft.key, path: live.path });
    expect(finding.why).toContain(why);
    const [listed] = await journal.list();
    expect(listed?.metadata).toBeUndefined();
    expect(listed?.why).toBe(finding.why);
    await expect(journal.open(draft.key)).rejects.toThrow(RecordUnsafeError);
    expect(await journal.recordsNaming(file, key)).toEqual([]);
    await lock.release();
    expect(picture(place.store)).toEqual(before);
    expect(picture(place.root)).toEqual(rootBefore);
    await journal.close();
  });

  test.each(spoilers)("that %s can be put aside unopened", async (_, __, spoil) => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    spoil(live.path, place);
    const { ino } = fs.lstatSync(live.path);
    const lock = await mustLock(journal, draft.key);
    const moved = await journal.moveUnsafeToSaved(lock, draft.key);
    expect(fs.lstatSync(moved).ino).toBe(ino);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    await expect(journal.moveUnsafeToSaved(lock, draft.key)).rejects.toThrow("no recovery record");
    await lock.release();
    await journal.close();
  });

  test("that is sound is not put aside as unsafe", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const lock = await mustLock(journal, draft.key);
    await expect(journal.moveUnsafeToSaved(lock, draft.key)).rejects.toThrow("no recovery record");
    expect(fs.existsSync(live.path)).toBe(true);
    await lock.release();
    await journal.close();
  });

  test.runIf(isRoot)("that belongs to somebody else is unsafe (needs root)", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    fs.chownSync(live.path, 12345, 12345);
    const lock = await mustLock(journal, draft.key);
    const finding = await journal.findRecord(lock);
    expect(finding).toMatchObject({ kind: "unsafe", why: "belongs to somebody else (12345)" });
    await lock.release();
    await journal.close();
  });

  test("with one image damaged is listed, and refused when it is read", async () => {
    const place = scratch();
    const { journal, draft, live } = await orphan(place);
    const bytes = fs.readFileSync(live.path);
    const at = bytes.indexOf("one two three");
    bytes.write("ONE", at);
    fs.writeFileSync(live.path, bytes);
    expect((await journal.list())[0]?.why).toBeUndefined();
    await expect(journal.open(live.id)).rejects.toThrow("before-image does not have the checksum");
    const lock = await mustLock(journal, draft.key);
    expect((await journal.findRecord(lock)).kind).toBe("unsafe");
    await lock.release();
    await journal.close();
  });

  test("S19 that is torn does not hide the others", async () => {
    const place = scratch();
    const torn = await orphan(place);
    const whole = await prepareOne(place, node, "other.txt");
    await whole.live.keep();
    fs.truncateSync(torn.live.path, 700);
    const listed = await torn.journal.list();
    expect(listed).toHaveLength(2);
    const byId = new Map(listed.map((record) => [record.id, record]));
    expect(byId.get(torn.live.id)?.why).toContain("is malformed");
    expect(byId.get(whole.live.id)?.metadata?.realPath).toBe(whole.file);
    await torn.journal.close();
    await whole.journal.close();
  });
});

describe("S32 the store", () => {
  const spoilers: readonly [string, string, (place: Scratch) => void][] = [
    ["can be read by the group", "has mode 750", ({ store }) => fs.chmodSync(store, 0o750)],
    ["can be entered by others", "has mode 701", ({ store }) => fs.chmodSync(store, 0o701)],
    [
      "is a symbolic link",
      "is a symbolic link",
      ({ store, root }) => {
        fs.renameSync(store, path.join(root, "elsewhere"));
        fs.symlinkSync(path.join(root, "elsewhere"), store);
      },
    ],
    [
      "is a file",
      "is not a directory",
      ({ store }) => {
        fs.rmSync(store, { recursive: true });
        fs.writeFileSync(store, "");
      },
    ],
    [
      "stands in a directory that the group can write",
      "can be written by others (mode 770)",
      ({ userData }) => fs.chmodSync(userData, 0o770),
    ],
    [
      "stands in a directory that all can write",
      "can be written by others (mode 777)",
      ({ userData }) => fs.chmodSync(userData, 0o777),
    ],
  ];

  test.each(spoilers)("that %s is not used (%s)", async (_, why, spoil) => {
    const place = scratch();
    const { journal } = await orphan(place);
    spoil(place);
    const before = picture(place.userData);
    // A journal that was open before checks as well as a new one.
    const fresh = await openJournal(node, options(place));
    for (const used of [journal, fresh]) {
      for (const use of [
        () => used.tryLockKey(key),
        () => used.list(),
        () => used.open(key),
        () => used.recordsNaming("/x", key),
        () => used.saveBytes(key, { sizeBytes: 0, read: async () => 0 }),
      ]) {
        const error = await use().catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(StoreNotPrivateError);
        expect((error as StoreNotPrivateError).why).toContain(why);
        expect((error as StoreNotPrivateError).hint).not.toBe("");
      }
    }
    expect(picture(place.userData)).toEqual(before);
    await fresh.close();
  });

  test("may stand in a directory that others can write if that is sticky", async () => {
    const place = scratch();
    const { journal } = await orphan(place);
    fs.chmodSync(place.userData, 0o1777);
    expect(await journal.list()).toHaveLength(1);
    await journal.close();
  });

  test("that was replaced while it was open is not written to any more", async () => {
    const place = scratch();
    const { journal, live } = await orphan(place);
    fs.renameSync(place.store, path.join(place.userData, "moved"));
    const lock = await mustLock(journal, live.id);
    expect(namesIn(place.store)).toEqual([`${live.id}.lock`]);
    expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
    await lock.release();
    await journal.close();
  });

  test.runIf(isRoot)("is not made below a directory of another user (needs root)", async () => {
    const place = scratch();
    const home = path.join(place.root, "home");
    fs.mkdirSync(home);
    fs.chownSync(home, 12345, 12345);
    const userDataDirectory = path.join(home, ".config", "fe");
    const journal = await openJournal(node, { userDataDirectory, engineVersion: "1" });
    await expect(journal.tryLockKey(key)).rejects.toThrow(StoreNotPrivateError);
    expect(namesIn(home)).toEqual([]);
    await journal.close();
  });

  test("is not made below a directory of another user", async () => {
    const place = scratch();
    const watched = watchOs(node);
    watched.hook = ({ name }) => (name === "os.effectiveOwner" ? "12345" : undefined);
    const journal = await openJournal(watched.os, options(place));
    await expect(journal.tryLockKey(key)).rejects.toThrow("belongs to somebody else");
    expect(namesIn(place.root)).toEqual([]);
    await journal.close();
  });

  test("of another user is not used", async () => {
    const place = scratch();
    const { journal } = await orphan(place);
    await journal.close();
    const watched = watchOs(node);
    watched.hook = ({ name }) => (name === "os.effectiveOwner" ? "12345" : undefined);
    const other = await openJournal(watched.os, options(place));
    await expect(other.list()).rejects.toThrow("belongs to somebody else");
    await other.close();
  });
});
