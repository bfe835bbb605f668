/** The part of the contract about targets. */
import { describe, expect, test } from "vitest";
import { hasCode, type OpenedTarget, sameFile } from "../lib/index.ts";
import { codeOf, noSymlinks, systemRoot, type World } from "./contract-world.ts";

const sameBoot = { sameBoot: true };

async function letGo({ parent, target }: OpenedTarget): Promise<void> {
  await Promise.all([parent.close(), target.close()]);
}

export function targetContract(world: () => World): void {
  describe("checkWritable()", () => {
    test("says yes of what may be written, and why not of the rest; changes nothing", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "x");
      await w.makeDirectory(`${root}/d`);
      await os.checkWritable(`${root}/f`);
      await os.checkWritable(`${root}/d`);
      expect(await codeOf(os.checkWritable(`${root}/none`))).toBe("ENOENT");
      // Of a part that is a file, Windows says that nothing is there.
      expect(await codeOf(os.checkWritable(`${root}/f/g`))).toMatch(/^ENOTDIR$|^ENOENT$/u);
      // Nothing is closed to uid 0 by mode.
      if (w.has.modes && (await os.effectiveOwner()) !== "0") {
        await w.setMode(`${root}/f`, 0o444);
        await w.setMode(`${root}/d`, 0o200);
        expect(await codeOf(os.checkWritable(`${root}/f`))).toBe("EACCES");
        await w.setMode(`${root}/f`, 0o200);
        expect(await codeOf(os.checkWritable(`${root}/f`))).toBe("EACCES");
        await w.setMode(`${root}/f`, 0o600);
        expect(await codeOf(os.checkWritable(`${root}/d`))).toBe("EACCES");
        await w.setMode(`${root}/d`, 0o700);
      }
      expect((await w.readFile(`${root}/f`)).toString()).toBe("x");
    });
  });

  describe("openTarget()", () => {
    test("tells what the file and its parent are", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "hello", 0o640);
      await w.makeHardLink(`${root}/f`, `${root}/g`);
      const opened = await os.openTarget(`${root}/f`);
      const { targetStatus, parentStatus } = opened;
      expect(targetStatus).toMatchObject({ kind: "regular", sizeBytes: 5, linkCount: 2 });
      expect(targetStatus.owner).toBe(await os.effectiveOwner());
      if (w.has.modes) {
        expect(targetStatus.permission).toMatchObject({ mode: 0o640, accessList: null });
        expect(parentStatus.mode).toBe(0o700);
      } else {
        expect(targetStatus.permission.accessList).toMatch(/^[0-9a-f]{64}$/);
      }
      expect(targetStatus.mode).toBe(targetStatus.permission.mode);
      expect(targetStatus.identity.file).toBe(targetStatus.file);
      expect(targetStatus.identity.device).toBe(targetStatus.device);
      expect(targetStatus.identity.volume).not.toBe(0n);
      expect(parentStatus.kind).toBe("directory");
      await letGo(opened);
    });

    test("S9 gives all hard links one identity", async () => {
      const { os, root, ...w } = world();
      await w.makeDirectory(`${root}/d`);
      await w.writeFile(`${root}/f`, "x");
      await w.makeHardLink(`${root}/f`, `${root}/d/g`);
      const first = await os.inspectTarget(`${root}/f`);
      const second = await os.inspectTarget(`${root}/d/g`);
      const { identity } = first.targetStatus;
      expect(sameFile(identity, second.targetStatus.identity, sameBoot)).toBe(true);
      const parents = [first.parentStatus.identity, second.parentStatus.identity] as const;
      expect(sameFile(...parents, sameBoot)).toBe(false);
    });

    test("refuses a link at the end and on the way", async (context) => {
      const { os, root, ...w } = world();
      if (!w.has.symlinks) return context.skip(noSymlinks);
      await w.makeDirectory(`${root}/d`);
      await w.makeDirectory(`${root}/d/e`);
      await w.writeFile(`${root}/d/e/f`, "x");
      await w.makeSymlink("d", `${root}/l`);
      await w.makeSymlink("f", `${root}/d/e/to-f`);
      await w.makeSymlink("nowhere", `${root}/dangling`);
      for (const path of ["l/e/f", "l/f", "l", "d/e/to-f", "dangling", "dangling/f"]) {
        expect(await codeOf(os.openTarget(`${root}/${path}`))).toBe("ELOOP");
        expect(await codeOf(os.inspectTarget(`${root}/${path}`))).toBe("ELOOP");
      }
    });

    test("says what is missing and what is no directory", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "x");
      for (const [path, code] of [
        ["no", "ENOENT"],
        ["no/f", "ENOENT"],
        ["f/x", "ENOTDIR"],
        ["f/x/y", "ENOTDIR"],
      ]) {
        expect(await codeOf(os.openTarget(`${root}/${path}`))).toBe(code);
      }
    });

    test("takes real paths only", async () => {
      const { os, root, ...w } = world();
      await w.makeDirectory(`${root}/d`);
      await w.writeFile(`${root}/f`, "x");
      const bad = ["f", "", `${root}/d/../f`, `${root}/./f`, `${root}//f`, `${root}/d/`];
      for (const path of [...bad, `${root}/f\0`, `${root}/..`, `/${root}`]) {
        expect(await codeOf(os.openTarget(path))).toBe("EINVAL");
      }
    });

    test("finds the root to be its own parent", async () => {
      const w = world();
      const { parentStatus, targetStatus } = await w.os.inspectTarget(systemRoot(w));
      expect(targetStatus.kind).toBe("directory");
      expect(targetStatus.identity).toEqual(parentStatus.identity);
    });

    test("neither opens a FIFO nor waits for its other end", async (context) => {
      const { os, root, makeFifo } = world();
      if (makeFifo === undefined) return context.skip("this world has no FIFO");
      await makeFifo(`${root}/fifo`);
      const found = await os.inspectTarget(`${root}/fifo`).then(
        ({ targetStatus }) => targetStatus.kind,
        (error: unknown) => (hasCode(error, "EFTYPE") ? error.code : String(error)),
      );
      // A system that cannot hold it without opening it says what it is not.
      expect(["fifo", "EFTYPE"]).toContain(found);
    });
  });
}

export function handleContract(world: () => World): void {
  describe("the handle of a target", () => {
    test("S1 pins the object, whatever happens to its name", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "old");
      const opened = await os.openTarget(`${root}/f`);
      await w.rename(`${root}/f`, `${root}/moved`);
      await w.writeFile(`${root}/f`, "new");
      const file = await opened.target.openForWriting();
      const buffer = new Uint8Array(3);
      await file.read(buffer, 0);
      expect(Buffer.from(buffer).toString()).toBe("old");
      const { identity } = await file.status();
      expect(sameFile(identity, opened.targetStatus.identity, sameBoot)).toBe(true);
      const now = await os.inspectTarget(`${root}/f`);
      expect(sameFile(identity, now.targetStatus.identity, sameBoot)).toBe(false);
      await file.close();
      await w.remove(`${root}/moved`);
      expect((await opened.target.status()).linkCount).toBe(0);
      await letGo(opened);
    });

    test("reads, writes, grows, shrinks and syncs", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "hello");
      const opened = await os.openTarget(`${root}/f`);
      const file = await opened.target.openForWriting();
      expect(await file.overwrite(Buffer.from("J"), 0)).toBe(1);
      expect(await file.overwrite(Buffer.from("!!"), 7)).toBe(2);
      const buffer = new Uint8Array(20);
      expect(await file.read(buffer, 0)).toBe(9);
      expect(Buffer.from(buffer.subarray(0, 9)).toString()).toBe("Jello\0\0!!");
      expect(await file.read(buffer, 9)).toBe(0);
      expect(await file.read(new Uint8Array(0), 0)).toBe(0);
      await file.setLength(4);
      await file.sync();
      expect((await file.status()).sizeBytes).toBe(4);
      await file.close();
      await letGo(opened);
      expect((await w.readFile(`${root}/f`)).toString()).toBe("Jell");
    });

    test("reads and writes more than one piece", async () => {
      const { os, root, ...w } = world();
      const content = Buffer.alloc(700_001, "0123456789abcdef!");
      await w.writeFile(`${root}/f`, "");
      const opened = await os.openTarget(`${root}/f`);
      const file = await opened.target.openForWriting();
      let written = 0;
      while (written < content.length) {
        written += await file.overwrite(content.subarray(written), written);
      }
      await file.close();
      const reader = await opened.target.openForReading();
      const buffer = Buffer.alloc(content.length + 10);
      expect(await reader.read(buffer, 0)).toBe(content.length);
      expect(buffer.subarray(0, content.length).equals(content)).toBe(true);
      await reader.close();
      await letGo(opened);
    });

    test("S4 sees a mode that was changed meanwhile", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "x", 0o644);
      const opened = await os.openTarget(`${root}/f`);
      await w.setMode(`${root}/f`, 0o444);
      const { mode } = opened.targetStatus.permission;
      const readOnly = w.has.modes ? 0o444 : mode & ~0o200;
      expect((await opened.target.status()).permission.mode).toBe(readOnly);
      expect(readOnly).not.toBe(mode);
      if (w.has.modes) {
        await w.setMode(root, 0o500);
        expect((await opened.parent.status()).mode).toBe(0o500);
        await w.setMode(root, 0o700);
      }
      await letGo(opened);
    });

    test("B6 checkWritable() refuses nothing that may be opened for writing", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "x", 0o644);
      const opened = await os.openTarget(`${root}/f`);
      await os.checkWritable(`${root}/f`);
      await w.setMode(`${root}/f`, 0o444);
      const asked = await os.checkWritable(`${root}/f`).catch((error: unknown) => error);
      // Root may, and not every system is asked.
      if (asked !== undefined) {
        expect(asked).toMatchObject({ code: await codeOf(opened.target.openForWriting()) });
      }
      await w.setMode(`${root}/f`, 0o644);
      await os.checkWritable(`${root}/f`);
      await letGo(opened);
    });

    test("sets a mode exactly, with set-id bits", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "x", 0o644);
      const opened = await os.openTarget(`${root}/f`);
      const file = await opened.target.openForWriting();
      if (w.has.modes) {
        await file.setMode(0o4751);
        expect((await file.status()).mode).toBe(0o4751);
      } else {
        expect(await codeOf(file.setMode(0o4751))).toBe("EOPNOTSUPP");
      }
      await file.close();
      await letGo(opened);
    });

    test("answers EBADF after closing, and may be closed twice", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "x");
      const opened = await os.openTarget(`${root}/f`);
      const file = await opened.target.openForWriting();
      await Promise.all([file.close(), file.close()]);
      await file.close();
      await letGo(opened);
      const buffer = new Uint8Array(1);
      for (const use of [
        file.read(buffer, 0),
        file.overwrite(buffer, 0),
        file.setLength(0),
        file.setMode(0o600),
        file.sync(),
        file.status(),
        opened.target.status(),
        opened.target.openForReading(),
        opened.target.openForWriting(),
        opened.parent.status(),
      ]) {
        expect(await codeOf(use)).toBe("EBADF");
      }
      expect((await w.readFile(`${root}/f`)).toString()).toBe("x");
    });

    test("refuses a position or a length that is none", async () => {
      const { os, root, ...w } = world();
      await w.writeFile(`${root}/f`, "x");
      const opened = await os.openTarget(`${root}/f`);
      const file = await opened.target.openForWriting();
      for (const position of [-1, 0.5, Number.NaN, 2 ** 60]) {
        expect(await codeOf(file.read(new Uint8Array(1), position))).toBe("EINVAL");
        expect(await codeOf(file.overwrite(new Uint8Array(1), position))).toBe("EINVAL");
        expect(await codeOf(file.setLength(position))).toBe("EINVAL");
      }
      expect((await w.readFile(`${root}/f`)).toString()).toBe("x");
      await file.close();
      await letGo(opened);
    });
  });
}
