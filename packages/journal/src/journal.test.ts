// The journal on real files: what is published, when it is durable, and how a transaction ends.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs, OsError } from "@fe/native";
import { describe, expect, test } from "vitest";
import { abilities } from "../../../native/test/abilities.ts";
import {
  draftFor,
  mustLock,
  namesIn,
  prepareOne,
  replace,
  type Scratch,
  scratch,
  takeAway,
  text,
} from "../test/scratch.ts";
import { readAll } from "../test/splices.ts";
import { watchOs } from "../test/watched-os.ts";
import {
  bytesSource,
  ImageTooLargeError,
  type Journal,
  maxImageBytes,
  openJournal,
  RecordExistsError,
  SourceChangedError,
  TooManyPlacesError,
} from "./index.ts";

const node = createNodeOs();
const engineVersion = "1";
const someKey = "a".repeat(64);

function open(place: Scratch, os = node): Promise<Journal> {
  return openJournal(os, { userDataDirectory: place.userData, engineVersion });
}

describe("openJournal()", () => {
  test("S20 creates nothing, nor do list, recordsNaming and syncIfNeeded", async () => {
    const place = scratch();
    const journal = await open(place);
    expect(journal.directoryPath).toBe(place.store);
    expect(await journal.list()).toEqual([]);
    expect(await journal.recordsNaming("/x", someKey)).toEqual([]);
    expect(await journal.listSaved()).toEqual([]);
    await expect(journal.open("0123456789")).rejects.toThrow("no recovery record");
    await journal.syncIfNeeded();
    await journal.close();
    expect(namesIn(place.root)).toEqual([]);
  });

  test("refuses a relative directory", async () => {
    const options = { userDataDirectory: "data", engineVersion };
    await expect(openJournal(node, options)).rejects.toThrow("not absolute");
  });

  test("gives a journal that refuses all work once closed; closing twice is harmless", async () => {
    const journal = await open(scratch());
    await journal.close();
    await journal.close();
    await expect(journal.list()).rejects.toThrow("closed");
    await expect(journal.tryLockKey(someKey)).rejects.toThrow("closed");
  });
});

function expectPrivate({ userData, store }: Scratch): void {
  for (const folder of [userData, store]) expect(fs.statSync(folder).mode & 0o7777).toBe(0o700);
  const files = namesIn(store).map((name) => path.join(store, name));
  for (const file of files) expect(fs.statSync(file).mode & 0o7777, file).toBe(0o600);
}

describe("prepare()", () => {
  test.each([0, 0o077, 0o777])(
    "S12 S32 leaves both images and their sums in the store, private under umask %i",
    async (hostile) => {
      const place = scratch();
      fs.writeFileSync(path.join(place.root, "file.txt"), "one two three");
      const umask = process.umask(hostile);
      try {
        const { journal, live, draft } = await prepareOne(place);
        expect(live.path).toBe(path.join(place.store, `${draft.key}.fer`));
        if (abilities.modes) expectPrivate(place);
        const shown = await journal.open(live.id);
        expect((await readAll(shown.before)).toString()).toBe("one two three");
        expect((await readAll(shown.after)).toString()).toBe("one 2 three");
        expect(shown.metadata.before).toEqual(live.beforeImage);
        expect(shown.metadata.after).toEqual(live.afterImage);
        expect(shown.metadata.transactionId).toBe(live.transactionId);
        expect(shown.metadata.ownerLocks).toBe("flock");
        expect(shown.metadata.owner.pid).toBe(process.pid);
        const recordFile = fs.statSync(live.path, { bigint: true });
        expect(shown.metadata.recordFile).toEqual({ device: recordFile.dev, file: recordFile.ino });
        expect((await readAll(live.before)).toString()).toBe("one two three");
        expect((await readAll(live.after)).toString()).toBe("one 2 three");
        await shown.close();
        await live.withdraw();
        await journal.close();
      } finally {
        process.umask(umask);
      }
    },
  );

  test("S12 writes, locks, syncs, links, and syncs the directory, in this order", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const { live, journal } = await prepareOne(place, watched.os);
    const from = watched.calls.indexOf("directory.createUnnamedFile");
    const publish = abilities.unnamedFiles ? "linkUnnamedFile" : "rename";
    const order = watched.calls
      .slice(from)
      .filter((call) => /\.(write|tryLock|sync|linkUnnamedFile|rename)$/.test(call));
    expect(order).toEqual([
      "file.write",
      "file.tryLock",
      "file.sync",
      `directory.${publish}`,
      "directory.sync",
    ]);
    await live.withdraw();
    await journal.close();
  });

  test("S12 makes new directories durable before a record stands in them", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const { live, journal } = await prepareOne(place, watched.os);
    const calls = watched.calls.filter((call) => /makeDirectory|sync|link/.test(call));
    expect(calls.slice(0, 4)).toEqual([
      "directory.makeDirectory",
      "directory.sync",
      "directory.makeDirectory",
      "directory.sync",
    ]);
    await live.withdraw();
    await journal.close();
  });

  test("P5 costs two syncs once the store exists, and none until the next idle time", async () => {
    const place = scratch();
    const watched = watchOs(node);
    const first = await prepareOne(place, watched.os);
    await first.live.finish();
    await first.journal.syncIfNeeded();
    watched.calls.length = 0;
    const lock = await mustLock(first.journal, first.draft.key);
    const live = await first.journal.prepare(lock, first.draft);
    await live.finish();
    expect(watched.calls.filter((call) => call.endsWith(".sync"))).toHaveLength(2);
    await first.journal.syncIfNeeded();
    await first.journal.syncIfNeeded();
    await first.journal.close();
    expect(watched.calls.filter((call) => call.endsWith(".sync"))).toHaveLength(3);
  });

  test("does the same for a large file, in bounded pieces", async () => {
    const place = scratch();
    const file = path.join(place.root, "large");
    const content = Buffer.alloc(5_000_000, "0123456789abcdef");
    fs.writeFileSync(file, content);
    const journal = await open(place);
    const base = await draftFor(node, file, [replace(2_500_000, 10, "here")]);
    let longest = 0;
    const before = {
      sizeBytes: content.length,
      read: (buffer: Uint8Array, position: number) => {
        longest = Math.max(longest, buffer.length);
        return bytesSource(content).read(buffer, position);
      },
    };
    const lock = await mustLock(journal, base.key);
    const live = await journal.prepare(lock, { ...base, before });
    expect(longest).toBeLessThanOrEqual(1024 * 1024);
    expect((await readAll(live.before)).equals(content)).toBe(true);
    const shown = await journal.open(live.id.slice(0, 8));
    const after = Buffer.concat([
      content.subarray(0, 2_500_000),
      text("here"),
      content.subarray(2_500_010),
    ]);
    expect((await readAll(shown.after)).equals(after)).toBe(true);
    await shown.close();
    await live.withdraw();
    await journal.close();
  });

  test.each([13, 400_000])("S5 notices a source of another length (%i bytes)", async (size) => {
    const place = scratch();
    const file = path.join(place.root, "file");
    fs.writeFileSync(file, Buffer.alloc(size, "x"));
    const journal = await open(place);
    const draft = await draftFor(node, file, [replace(0, 1, "y")]);
    const lock = await mustLock(journal, draft.key);
    for (const bytes of [Buffer.alloc(size - 1), Buffer.alloc(size + 1)]) {
      const before = { sizeBytes: size, read: bytesSource(bytes).read };
      await expect(journal.prepare(lock, { ...draft, before })).rejects.toThrow(SourceChangedError);
    }
    expect(namesIn(place.store)).toEqual([`${draft.key}.lock`]);
    await lock.release();
    await journal.close();
  });

  test("S29 S30 refuses a version over 128 MiB before anything is read or made", async () => {
    const place = scratch();
    const { journal, live, draft } = await prepareOne(place);
    await live.withdraw();
    const lock = await mustLock(journal, draft.key);
    const read = async (): Promise<number> => expect.unreachable("nothing is to be read");
    const large = { sizeBytes: maxImageBytes + 1, read };
    await expect(journal.prepare(lock, { ...draft, before: large })).rejects.toThrow(
      ImageTooLargeError,
    );
    const half = new Uint8Array(maxImageBytes / 2 + 1);
    const splices = [
      { offsetBytes: 0, removedBytes: 0, inserted: half },
      { offsetBytes: 1, removedBytes: 0, inserted: half },
    ];
    const small = { sizeBytes: 13, read };
    await expect(journal.prepare(lock, { ...draft, before: small, splices })).rejects.toThrow(
      ImageTooLargeError,
    );
    expect(namesIn(place.store)).toEqual([`${draft.key}.lock`]);
    await lock.release();
    await journal.close();
  });

  test("S29 takes both versions of 128 MiB", async () => {
    const place = scratch();
    const { journal, live, draft } = await prepareOne(place);
    await live.withdraw();
    const content = Buffer.alloc(maxImageBytes, "0123456789abcdef");
    const splices = [{ offsetBytes: 0, removedBytes: maxImageBytes, inserted: content.subarray() }];
    const inserted = Buffer.alloc(maxImageBytes, "fedcba9876543210");
    const lock = await mustLock(journal, draft.key);
    const large = await journal.prepare(lock, {
      ...draft,
      before: bytesSource(content),
      splices: splices.map((splice) => ({ ...splice, inserted })),
    });
    expect(fs.statSync(large.path).size).toBeLessThanOrEqual(2 * maxImageBytes + 8192);
    const shown = await journal.open(large.id);
    expect(shown.after.sizeBytes).toBe(maxImageBytes);
    await shown.close();
    await large.withdraw();
    await journal.close();
  });

  test("refuses more than a million places", async () => {
    const place = scratch();
    const { journal, live, draft } = await prepareOne(place);
    await live.withdraw();
    const lock = await mustLock(journal, draft.key);
    const splices = Array.from({ length: 1_000_001 }, () => replace(0, 0, ""));
    await expect(journal.prepare(lock, { ...draft, splices })).rejects.toThrow(TooManyPlacesError);
    await lock.release();
    await journal.close();
  });

  test("S9 is refused where a record stands already, and leaves that one alone", async () => {
    const place = scratch();
    const { journal, live, draft } = await prepareOne(place);
    const content = fs.readFileSync(live.path);
    // Somebody removed the lock file: now a second process gets "the" lock.
    takeAway(place, path.join(place.store, `${draft.key}.lock`));
    const other = await open(place);
    const lock = await mustLock(other, draft.key);
    await expect(other.prepare(lock, draft)).rejects.toThrow(RecordExistsError);
    expect(fs.readFileSync(live.path).equals(content)).toBe(true);
    await lock.release();
    await live.withdraw();
    expect(namesIn(place.store)).toEqual([]);
    await other.close();
    await journal.close();
  });

  test("publishes by a rename that never replaces where there are no unnamed files", async () => {
    const place = scratch();
    const watched = watchOs(node);
    watched.hook = ({ name }) => {
      if (name === "directory.createUnnamedFile") throw new OsError("EOPNOTSUPP", name);
      return undefined;
    };
    const { journal, live, draft, lock } = await prepareOne(place, watched.os);
    expect(namesIn(place.store)).toEqual([`${draft.key}.fer`, `${draft.key}.lock`]);
    const order = watched.calls.slice(watched.calls.indexOf("directory.createFile"));
    expect(order.filter((call) => /\.(write|tryLock|sync|rename)$/.test(call))).toEqual([
      "file.write",
      "file.tryLock",
      "file.sync",
      "directory.rename",
      "directory.sync",
    ]);
    expect(fs.statSync(live.path).nlink).toBe(1);
    await expect(journal.prepare(lock, draft)).rejects.toThrow(RecordExistsError);
    expect(namesIn(place.store)).toEqual([`${draft.key}.fer`, `${draft.key}.lock`]);
    await live.keep();
    await journal.close();
  });
});
