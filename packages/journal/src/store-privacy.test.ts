// A store that somebody else prepared: nothing in it is followed, changed or removed.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs } from "@fe/native";
import { describe, expect, test } from "vitest";
import { needs } from "../../../native/test/abilities.ts";
import { orphan } from "../test/orphans.ts";
import { mustLock, namesIn, type Scratch, scratch } from "../test/scratch.ts";
import { picture, type Spoiler } from "../test/spoilers.ts";
import { watchOs } from "../test/watched-os.ts";
import { openJournal, StoreNotPrivateError } from "./index.ts";

const node = createNodeOs();
const key = "e".repeat(64);
const options = (place: Scratch) => ({ userDataDirectory: place.userData, engineVersion: "1" });

describe("S32 the store", () => {
  const spoilers: readonly Spoiler<(place: Scratch) => void>[] = [
    [
      "can be read by the group",
      "has mode 750",
      ({ store }) => fs.chmodSync(store, 0o750),
      "modes",
    ],
    [
      "can be entered by others",
      "has mode 701",
      ({ store }) => fs.chmodSync(store, 0o701),
      "modes",
    ],
    [
      "is a symbolic link",
      "is a symbolic link",
      ({ store, root }) => {
        fs.renameSync(store, path.join(root, "elsewhere"));
        fs.symlinkSync(path.join(root, "elsewhere"), store);
      },
      "symlinks",
    ],
    [
      "is a file",
      "is not a directory",
      ({ store }) => {
        fs.rmSync(store, { recursive: true });
        fs.writeFileSync(store, "");
      },
      "removedNames",
    ],
    [
      "stands in a directory that the group can write",
      "can be written by others (mode 770)",
      ({ userData }) => fs.chmodSync(userData, 0o770),
      "modes",
    ],
    [
      "stands in a directory that all can write",
      "can be written by others (mode 777)",
      ({ userData }) => fs.chmodSync(userData, 0o777),
      "modes",
    ],
  ];

  test.for(spoilers)("that %s is not used (%s)", async (spoiler, context) => {
    const [, why, spoil, ability] = spoiler;
    if (ability !== undefined) needs(context, ability);
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
        const { hint } = error as StoreNotPrivateError;
        expect(hint).toContain(why === "is not a directory" ? "move away what stands" : "private");
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

  test("is really not made below a directory of another user", async (context) => {
    if (process.geteuid?.() !== 0) context.skip("needs root, to give a directory away");
    const place = scratch();
    const home = path.join(place.root, "home");
    fs.mkdirSync(home);
    fs.chownSync(home, 12345, 12345);
    const userDataDirectory = path.join(home, ".config", "fe");
    const journal = await openJournal(node, { userDataDirectory, engineVersion: "1" });
    const error = await journal.tryLockKey(key).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StoreNotPrivateError);
    expect((error as StoreNotPrivateError).hint).toContain('Make the directory ".config" yourself');
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
