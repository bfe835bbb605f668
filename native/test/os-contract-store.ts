/** The part of the contract about directories and files of the store. */
import { describe, expect, test } from "vitest";
import type { StoreFile } from "../lib/index.ts";
import { hasCode } from "../lib/index.ts";
import { codeOf, contentOf, noSymlinks, openStore, type World } from "./contract-world.ts";

const badNames = ["", ".", "..", "a/b", "/", "a/", "a\0b", "\ud800"];

export function nameContract(world: () => World): void {
  describe("StoreDirectory, names", () => {
    test("lists everything but dots, also names that are not UTF-8", async () => {
      const w = world();
      const store = await openStore(w);
      const odd = w.has.byteNames ? ["\udcff\udcfe"] : ["\u00e9 \u{1f600}"];
      expect(await store.list()).toEqual([]);
      for (const name of ["b", "a", "..c", ...odd]) {
        await (await store.createFile(name, 0o600)).close();
      }
      await store.makeDirectory("d", 0o700);
      expect((await store.list()).sort()).toEqual(["..c", "a", "b", "d", ...odd].sort());
      expect((await store.list()).length).toBe(5);
      await store.close();
    });

    test("takes single components only", async () => {
      const store = await openStore(world());
      const file = await store.createFile("f", 0o600);
      for (const name of badNames) {
        for (const call of [
          store.entryStatus(name),
          store.openFile(name, "read"),
          store.openOrCreateFile(name, 0o600),
          store.createFile(name, 0o600),
          store.linkUnnamedFile(file, name),
          store.link("f", name),
          store.link(name, "g"),
          store.rename("f", name),
          store.rename(name, "g"),
          store.moveTo("f", store, name),
          store.moveTo(name, store, "g"),
          store.unlink(name),
          store.makeDirectory(name, 0o700),
          store.openDirectory(name),
        ]) {
          expect(await codeOf(call)).toBe("EINVAL");
        }
      }
      expect(await store.list()).toEqual(["f"]);
      await file.close();
      await store.close();
    });

    test("finds bytes in the heads of many files, and leaves out what is none", async () => {
      const w = world();
      const store = await openStore(w);
      const odd = w.has.byteNames ? "\udcff" : "\u00e9";
      const contents = { a: "xxneedle", b: "needl", c: "xxxneedle", empty: "", [odd]: "needle" };
      for (const [name, content] of Object.entries(contents)) {
        const file = await store.createFile(name, 0o600);
        await file.write(Buffer.from(content), 0);
        await file.close();
      }
      await store.makeDirectory("d", 0o700);
      const needle = Buffer.from("needle");
      const names = ["c", "gone", "d", odd, "b", "a", "empty"];
      expect(await store.findInHeads(names, needle, 4096)).toEqual(["c", odd, "a"]);
      // All of it has to be within.
      expect(await store.findInHeads(names, needle, 8)).toEqual([odd, "a"]);
      expect(await store.findInHeads(names, needle, 0)).toEqual([]);
      expect(await store.findInHeads([], needle, 8)).toEqual([]);
      // Bytes of every value, as those of a path that is not ASCII.
      const file = await store.createFile("bytes", 0o600);
      await file.write(Buffer.from("caf\u00e9 \u{1f600}"), 0);
      await file.close();
      for (const part of ["\u00e9", "\u{1f600}", "f\u00e9 "]) {
        expect(await store.findInHeads(["bytes"], Buffer.from(part), 64), part).toEqual(["bytes"]);
      }
      expect(await store.findInHeads(["bytes"], Buffer.from("\u00e8"), 64)).toEqual([]);
      for (const name of badNames) {
        expect(await codeOf(store.findInHeads(["a", name], needle, 8))).toBe("EINVAL");
      }
      const searching = store.findInHeads(["a"], needle, 8);
      await store.close();
      expect(await searching).toEqual(["a"]);
      expect(await codeOf(store.findInHeads(["a"], needle, 8))).toBe("EBADF");
    });

    test("never puts anything in another's place", async () => {
      const store = await openStore(world());
      for (const name of ["a", "b"]) {
        const file = await store.createFile(name, 0o600);
        await file.write(Buffer.from(name), 0);
        await file.close();
      }
      await store.makeDirectory("d", 0o700);
      const inner = await store.openDirectory("d");
      await (await inner.createFile("a", 0o600)).close();
      for (const call of [
        store.createFile("a", 0o600),
        store.makeDirectory("a", 0o700),
        store.link("a", "b"),
        store.rename("a", "b"),
        store.rename("a", "a"),
        store.moveTo("a", inner, "a"),
      ]) {
        expect(await codeOf(call)).toBe("EEXIST");
      }
      const b = await store.openFile("b", "read");
      expect(await contentOf(b)).toBe("b");
      await b.close();
      await store.moveTo("a", inner, "c");
      await store.rename("b", "e");
      await store.link("e", "f");
      expect((await store.entryStatus("f"))?.linkCount).toBe(2);
      expect((await inner.list()).sort()).toEqual(["a", "c"]);
      expect((await store.list()).sort()).toEqual(["d", "e", "f"]);
      await store.sync();
      await inner.close();
      await store.close();
    });

    test("answers ENOENT for what is not there", async () => {
      const store = await openStore(world());
      for (const call of [
        store.openFile("x", "read"),
        store.link("x", "y"),
        store.rename("x", "y"),
        store.unlink("x"),
        store.openDirectory("x"),
      ]) {
        expect(await codeOf(call)).toBe("ENOENT");
      }
      expect(await store.entryStatus("x")).toBeUndefined();
      await store.close();
    });

    test("makes directories of exactly the mode", async () => {
      const w = world();
      const store = await openStore(w);
      await store.makeDirectory("p", 0o700);
      expect((await store.entryStatus("p"))?.mode).toBe(0o700);
      if (w.has.modes) {
        await store.makeDirectory("d", 0o751);
        expect(((await store.entryStatus("d"))?.mode ?? 0) & 0o777).toBe(0o751);
      } else {
        expect(await codeOf(store.makeDirectory("d", 0o751))).toBe("EINVAL");
        expect(await codeOf(store.createFile("f", 0o640))).toBe("EINVAL");
        expect(await store.list()).toEqual(["p"]);
      }
      await store.close();
    });

    test("takes only a directory for one", async () => {
      const w = world();
      const store = await openStore(w);
      await w.writeFile(`${w.root}/f`, "x");
      expect(await codeOf(store.openDirectory("f"))).toBe("ENOTDIR");
      expect(await codeOf(w.os.openStoreDirectory(`${w.root}/f`))).toBe("ENOTDIR");
      expect(await codeOf(w.os.openStoreDirectory(`${w.root}/none`))).toBe("ENOENT");
      await store.close();
    });

    test("opens directories without following, except by their path", async (context) => {
      const w = world();
      if (!w.has.symlinks) return context.skip(noSymlinks);
      const store = await openStore(w);
      await store.makeDirectory("d", 0o700);
      await w.makeSymlink("d", `${w.root}/l`);
      expect(await codeOf(store.openDirectory("l"))).toBe("ELOOP");
      expect((await store.entryStatus("l"))?.kind).toBe("symlink");
      const linked = await w.os.openStoreDirectory(`${w.root}/l`);
      expect((await linked.status()).kind).toBe("directory");
      await linked.close();
      await store.close();
    });

    test("answers EBADF after closing", async () => {
      const store = await openStore(world());
      await Promise.all([store.close(), store.close()]);
      for (const call of [store.status(), store.list(), store.unlink("a"), store.sync()]) {
        expect(await codeOf(call)).toBe("EBADF");
      }
    });
  });
}

export function fileContract(world: () => World): void {
  describe("StoreDirectory, files", () => {
    test("S32 opens regular files only, and tells a link from the rest", async () => {
      const w = world();
      const store = await openStore(w);
      await w.writeFile(`${w.root}/f`, "x");
      const links = w.has.symlinks ? ["l", "dangling"] : [];
      for (const name of links) {
        await w.makeSymlink(name === "l" ? "f" : "nowhere", `${w.root}/${name}`);
      }
      await w.makeDirectory(`${w.root}/d`);
      await w.makeFifo?.(`${w.root}/fifo`);
      for (const name of links) {
        expect(await codeOf(store.openFile(name, "read"))).toBe("ELOOP");
        expect(await codeOf(store.openOrCreateFile(name, 0o600))).toBe("ELOOP");
        expect(await codeOf(store.createFile(name, 0o600))).toBe("EEXIST");
      }
      for (const name of w.makeFifo === undefined ? ["d"] : ["d", "fifo"]) {
        expect(await codeOf(store.openFile(name, "read"))).toBe("EFTYPE");
        expect(await codeOf(store.openOrCreateFile(name, 0o600))).toBe("EFTYPE");
      }
      await store.close();
    });

    test("opens or makes a file, and keeps what is in it", async () => {
      const w = world();
      const store = await openStore(w);
      const mode = w.has.modes ? 0o640 : 0o600;
      const made = await store.openOrCreateFile("f", mode);
      expect((await made.entryStatus()).mode).toBe(mode);
      await made.write(Buffer.from("kept"), 0);
      const again = await store.openOrCreateFile("f", 0o600);
      expect((await again.entryStatus()).mode).toBe(mode);
      expect(await contentOf(again)).toBe("kept");
      await made.sync();
      await Promise.all([made.close(), again.close()]);
      const reader = await store.openFile("f", "read");
      expect(await codeOf(reader.write(Buffer.from("x"), 0))).toBe("EBADF");
      await reader.close();
      await store.close();
    });

    test("publishes in one call, never in another's place, and tells how it went", async (on) => {
      const store = await openStore(world());
      const files: StoreFile[] = [];
      try {
        for (let i = 0; i < 2; i++) files.push(await store.createUnnamedFile(0o600));
      } catch (error) {
        if (!hasCode(error, "EOPNOTSUPP")) throw error;
        return on.skip("this filesystem has no unnamed files");
      }
      const [file, second] = files as [StoreFile, StoreFile];
      await file.write(Buffer.from("record"), 0);
      expect(await store.publishUnnamedFile(file, "r")).toEqual({
        hasName: true,
        error: undefined,
      });
      const taken = await store.publishUnnamedFile(second, "r");
      expect(taken).toMatchObject({ hasName: false, error: { code: "EEXIST" } });
      const bad = await store.publishUnnamedFile(second, "a/b");
      expect(bad).toMatchObject({ hasName: false, error: { code: "EINVAL" } });
      expect(await store.list()).toEqual(["r"]);
      const reader = await store.openFile("r", "read");
      expect(await contentOf(reader)).toBe("record");
      await Promise.all([reader.close(), file.close(), second.close()]);
      const closed = await store.publishUnnamedFile(second, "s");
      expect(closed).toMatchObject({ hasName: false, error: { code: "EBADF" } });
      await store.close();
    });

    test("S12 publishes an unnamed file complete or not at all", async (context) => {
      const store = await openStore(world());
      let file: StoreFile;
      try {
        file = await store.createUnnamedFile(0o600);
      } catch (error) {
        if (!hasCode(error, "EOPNOTSUPP")) throw error;
        return context.skip("this filesystem has no unnamed files");
      }
      await file.write(Buffer.from("record"), 0);
      await file.sync();
      expect(await store.list()).toEqual([]);
      expect(await file.entryStatus()).toMatchObject({ linkCount: 0, mode: 0o600 });
      await store.linkUnnamedFile(file, "r");
      expect(await codeOf(store.linkUnnamedFile(file, "r"))).toBe("EEXIST");
      expect((await file.entryStatus()).linkCount).toBe(1);
      await file.close();
      const reader = await store.openFile("r", "read");
      expect(await contentOf(reader)).toBe("record");
      await reader.close();
      await store.close();
    });

    test("locks a file against every other handle, until it is closed", async () => {
      const store = await openStore(world());
      const first = await store.openOrCreateFile("k", 0o600);
      const second = await store.openOrCreateFile("k", 0o600);
      expect(await first.tryLock()).toBe(true);
      expect(await first.tryLock()).toBe(true);
      expect(await second.tryLock()).toBe(false);
      await store.unlink("k");
      expect(await second.tryLock()).toBe(false);
      await first.close();
      expect(await second.tryLock()).toBe(true);
      await second.close();
      await store.close();
    });
  });
}
