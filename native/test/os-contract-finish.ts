/** The part of the contract about the end of a transaction. */
import { describe, expect, test } from "vitest";
import type { FinishReport, StoreDirectory, StoreFile } from "../lib/index.ts";
import { hasCode } from "../lib/index.ts";
import { codeOf, contentOf, openStore, type World } from "./contract-world.ts";

export function finishContract(world: () => World): void {
  describe("StoreDirectory.finishRecord()", () => {
    const phaseBlock = Buffer.from("committed");

    async function arrange(store: StoreDirectory): Promise<{ record: StoreFile; lock: StoreFile }> {
      const record = await store.createFile("r", 0o600);
      await record.write(Buffer.from("head prepared."), 0);
      const lock = await store.createFile("k.lock", 0o600);
      await Promise.all([record.tryLock(), lock.tryLock()]);
      return { record, lock };
    }

    function finish(
      store: StoreDirectory,
      record: StoreFile,
      lock?: StoreFile,
    ): Promise<FinishReport> {
      return store.finishRecord({
        record,
        recordName: "r",
        phaseBlock,
        phasePositionBytes: 5,
        lock: lock && { file: lock, name: "k.lock" },
      });
    }

    test("marks, removes and lets go of both", async () => {
      const store = await openStore(world());
      const { record, lock } = await arrange(store);
      await store.link("r", "other");
      expect(await finish(store, record, lock)).toEqual({
        markError: undefined,
        record: "removed",
        lock: "removed",
      });
      expect(await store.list()).toEqual(["other"]);
      expect(await codeOf(record.entryStatus())).toBe("EBADF");
      expect(await codeOf(lock.tryLock())).toBe("EBADF");
      await Promise.all([record.close(), lock.close()]);
      const marked = await store.openFile("other", "read");
      expect(await contentOf(marked)).toBe("head committed");
      expect(await marked.tryLock()).toBe(true);
      await marked.close();
      await store.close();
    });

    test("P4 lets go of the lock of a large record, too, before it answers", async () => {
      const store = await openStore(world());
      const { record, lock } = await arrange(store);
      await store.link("r", "other");
      const lastByte = 5 * 1024 * 1024;
      await record.write(Buffer.from("."), lastByte);
      const report = await finish(store, record, lock);
      expect(report).toEqual({ markError: undefined, record: "removed", lock: "removed" });
      const marked = await store.openFile("other", "read");
      expect((await marked.entryStatus()).sizeBytes).toBe(lastByte + 1);
      expect(await marked.tryLock()).toBe(true);
      await marked.close();
      await store.close();
    });

    test("S24 takes a record that is already gone as success", async () => {
      const store = await openStore(world());
      const { record, lock } = await arrange(store);
      await store.unlink("r");
      const report = await finish(store, record, lock);
      expect(report).toEqual({ markError: undefined, record: "absent", lock: "removed" });
      await store.close();
    });

    test("works without a lock", async () => {
      const store = await openStore(world());
      const { record, lock } = await arrange(store);
      expect(await finish(store, record)).toMatchObject({ record: "removed", lock: "absent" });
      expect(await store.list()).toEqual(["k.lock"]);
      await lock.close();
      await store.close();
    });

    test("goes on after each failure, and lets go of both all the same", async () => {
      const w = world();
      const store = await openStore(w);
      const { record, lock } = await arrange(store);
      await store.unlink("r");
      await store.makeDirectory("r", 0o700);
      const report = await finish(store, record, lock);
      expect(report.markError).toBeUndefined();
      expect(hasCode(report.record, "EISDIR", "EPERM")).toBe(true);
      expect(report.lock).toBe("removed");
      expect(await codeOf(record.entryStatus())).toBe("EBADF");
      await store.close();
    });

    test("reports a handle that was closed before, and throws nothing", async () => {
      const store = await openStore(world());
      const { record, lock } = await arrange(store);
      await record.close();
      const report = await finish(store, record, lock);
      expect(hasCode(report.markError, "EBADF")).toBe(true);
      expect(report).toMatchObject({ record: "removed", lock: "removed" });
      await store.close();
      const late = await finish(store, record, lock);
      expect(hasCode(late.record, "EBADF")).toBe(true);
      expect(hasCode(late.lock, "EBADF")).toBe(true);
    });
  });
}
