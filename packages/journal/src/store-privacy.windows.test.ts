// A store on Windows that others can reach by its access lists: nothing in it is used.
import fs from "node:fs";
import path from "node:path";
import { createNodeOs } from "@fe/native";
import { describe, expect, test } from "vitest";
import { letEverybodyIn } from "../../../native/test/everybody.ts";
import { orphan } from "../test/orphans.ts";
import { mustLock, namesIn, scratch } from "../test/scratch.ts";
import { openJournal, StoreNotPrivateError } from "./index.ts";

describe("S32 a record", () => {
  test.each(["read", "write"] as const)(
    "that everybody can %s is unsafe, and kept",
    async (right) => {
      const place = scratch();
      const { journal, draft, live } = await orphan(place);
      const bytes = fs.readFileSync(live.path);
      letEverybodyIn(live.path, right);
      const lock = await mustLock(journal, draft.key);
      const finding = await journal.findRecord(lock);
      if (finding.kind !== "unsafe") expect.unreachable(finding.kind);
      expect(finding.why).toMatch(/can be (?:read|written) by others/u);
      expect((await journal.list())[0]?.metadata).toBeUndefined();
      const moved = await journal.moveUnsafeToSaved(lock, draft.key);
      expect(fs.readFileSync(moved).equals(bytes)).toBe(true);
      expect(await journal.findRecord(lock)).toEqual({ kind: "none" });
      await lock.release();
      await journal.close();
    },
  );
});

describe("S32 the store", () => {
  const spoilers = [
    ["everybody can look into", "edit-recovery", "read"],
    ["everybody can write", "edit-recovery", "write"],
    ["stands in a directory that everybody can write", "", "write"],
  ] as const;

  test.each(spoilers)("that %s is not used", async (_, name, right) => {
    const place = scratch();
    const { journal, live } = await orphan(place);
    const names = namesIn(place.store);
    letEverybodyIn(path.join(place.userData, name), right);
    // A journal that was open before checks as well as a new one.
    const options = { userDataDirectory: place.userData, engineVersion: "1" };
    const fresh = await openJournal(createNodeOs(), options);
    for (const used of [journal, fresh]) {
      await expect(used.tryLockKey(live.id)).rejects.toThrow(StoreNotPrivateError);
      await expect(used.list()).rejects.toThrow(StoreNotPrivateError);
    }
    expect(namesIn(place.store)).toEqual(names);
    await fresh.close();
    await journal.close();
  });

  test("that is made is private, and so is all that is put into it", async () => {
    const place = scratch();
    const { journal, live } = await orphan(place);
    const node = createNodeOs();
    const userData = await node.openStoreDirectory(place.userData);
    const store = await node.openStoreDirectory(place.store);
    expect((await userData.entryStatus("edit-recovery"))?.mode).toBe(0o700);
    expect((await store.entryStatus(path.basename(live.path)))?.mode).toBe(0o600);
    for (const directory of [userData, store]) await directory.close();
    await journal.close();
  });
});
