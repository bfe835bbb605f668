/**
 * What the port does on Windows beyond the contract: with other processes, and where Windows has a
 * rule of its own.
 */
import fs from "node:fs";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoreDirectory, TargetFile } from "../lib/index.ts";
import { startNode } from "./child.ts";
import { codeOf, openStore, realPathIn, type World } from "./contract-world.ts";
import { letEverybodyIn } from "./everybody.ts";
import { makeNodeWorld } from "./node-world.ts";

let world: World;
let store: StoreDirectory;

beforeEach(async () => {
  world = await makeNodeWorld();
  store = await openStore(world);
});
afterEach(async () => {
  await store.close();
  await world.dispose();
});

/** The code of what Node says about a call, `undefined` if it worked. */
function nodeCodeOf(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

/** A file, open for writing and for nobody else yet. */
async function withTarget(use: (file: TargetFile, path: string) => Promise<void>): Promise<void> {
  const path = realPathIn(world, "f");
  await world.writeFile(path, "hello");
  const opened = await world.os.openTarget(path);
  const file = await opened.target.openForWriting();
  try {
    await use(file, path);
  } finally {
    await Promise.all([file.close(), opened.target.close(), opened.parent.close()]);
  }
}

describe("startExclusion()", () => {
  test("B2 keeps other writers out, and lets readers in, until it is closed", async () => {
    await withTarget(async (file, path) => {
      expect(nodeCodeOf(() => fs.writeFileSync(path, "other"))).toBeUndefined();
      expect(await file.isExclusionUnbroken()).toBe(false);
      expect(await file.startExclusion()).toMatchObject({ granted: true });
      expect(await file.startExclusion()).toMatchObject({ granted: true });
      expect(await file.isExclusionUnbroken()).toBe(true);
      expect(nodeCodeOf(() => fs.writeFileSync(path, "other"))).toBe("EBUSY");
      expect(nodeCodeOf(() => fs.renameSync(path, `${path}2`))).toBe("EBUSY");
      expect(nodeCodeOf(() => fs.unlinkSync(path))).toBe("EBUSY");
      expect(fs.readFileSync(path, "utf8")).toBe("other");
      await file.overwrite(Buffer.from("OTHER"), 0);
      await file.sync();
      await file.close();
      expect(nodeCodeOf(() => fs.appendFileSync(path, "!"))).toBeUndefined();
      expect(fs.readFileSync(path, "utf8")).toBe("OTHER!");
    });
  });

  test("B2 is refused while another process has the file open for writing", async () => {
    await withTarget(async (file, path) => {
      const script = `const fd = require("fs").openSync(arguments_[0], "r+"); console.log("open");`;
      const child = await startNode(script, [path]);
      try {
        const answer = await file.startExclusion();
        expect(answer).toEqual({ granted: false, reason: "open-elsewhere" });
        // The handle is as good as before.
        expect(await file.overwrite(Buffer.from("J"), 0)).toBe(1);
        expect((await file.status()).sizeBytes).toBe(5);
      } finally {
        await child.kill();
      }
      expect(await file.startExclusion()).toMatchObject({ granted: true });
      expect(fs.readFileSync(path, "utf8")).toBe("Jello");
    });
  });
});

test("openForWriting() says that somebody shares the file with nobody", async () => {
  const path = realPathIn(world, "f");
  await world.writeFile(path, "x");
  const opened = await world.os.openTarget(path);
  // UV_FS_O_EXLOCK of libuv, which Node does not name: opens without sharing.
  const fd = fs.openSync(path, fs.constants.O_RDWR | 0x1000_0000);
  try {
    expect(await codeOf(opened.target.openForWriting())).toBe("EBUSY");
    // A handle that only looks is in nobody's way.
    expect((await opened.target.status()).sizeBytes).toBe(1);
  } finally {
    fs.closeSync(fd);
    await Promise.all([opened.target.close(), opened.parent.close()]);
  }
});

test("B6 checkWritable() sees the read-only attribute", async () => {
  const path = realPathIn(world, "f");
  await world.writeFile(path, "x");
  await world.os.checkWritable(path);
  fs.chmodSync(path, 0o444);
  expect(await codeOf(world.os.checkWritable(path))).toBe("EACCES");
  fs.chmodSync(path, 0o644);
  await world.os.checkWritable(path);
});

describe("tryLock()", () => {
  test("B4 sees the lock of another process, which ends when that is killed", async () => {
    const file = await store.createFile("k", 0o600);
    const script = `const directory = addon.openDirectoryByPath(Buffer.from(arguments_[0]));
      const file = addon.openFile(directory, Buffer.from("k"), true);
      console.log(addon.tryLock(file));`;
    const child = await startNode(script, [world.root]);
    expect(child.firstWord).toBe("true");
    expect(await file.tryLock()).toBe(false);
    await child.kill();
    // Windows frees it soon after the end of the process, not with it.
    let isFree = await file.tryLock();
    for (let round = 0; !isFree && round < 1000; round++) {
      await world.os.sleep(10);
      isFree = await file.tryLock();
    }
    expect(isFree).toBe(true);
    await file.close();
  });

  test("is given up by a worker that is terminated", async () => {
    const file = await store.createFile("k", 0o600);
    const script = `const { workerData, parentPort } = require("node:worker_threads");
      const addon = require(workerData.binding).load();
      const directory = addon.openDirectoryByPath(Buffer.from(workerData.root));
      const file = addon.openFile(directory, Buffer.from("k"), true);
      parentPort.postMessage(addon.tryLock(file));
      setInterval(() => {}, 1000);`;
    const binding = new URL("../binding.cjs", import.meta.url).pathname.replace(/^\//, "");
    const workerData = { binding, root: world.root };
    const worker = new Worker(script, { eval: true, workerData });
    const locked = await new Promise((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
    });
    expect(locked).toBe(true);
    expect(await file.tryLock()).toBe(false);
    await worker.terminate();
    expect(await file.tryLock()).toBe(true);
    await file.close();
  });
});

describe("names", () => {
  test("unlink() frees the name at once, though the file is still open", async () => {
    const old = await store.createFile("r", 0o600);
    await old.write(Buffer.from("old"), 0);
    await store.unlink("r");
    expect(await store.entryStatus("r")).toBeUndefined();
    expect(await store.list()).toEqual([]);
    const made = await store.createFile("r", 0o600);
    await made.write(Buffer.from("new"), 0);
    const buffer = Buffer.alloc(3);
    await old.read(buffer, 0);
    expect(buffer.toString()).toBe("old");
    await old.close();
    // The end of the old one does not take the new one along.
    await made.read(buffer, 0);
    expect(buffer.toString()).toBe("new");
    await made.close();
    expect(await store.list()).toEqual(["r"]);
    expect(fs.readdirSync(world.root)).toEqual(["r"]);
  });

  test("a name that only Win32 would take for another is refused", async () => {
    for (const name of ["a.", "a ", "a:b", "a::$DATA", "a\\b", "a?", "a*", "a\u0001"]) {
      expect(await codeOf(store.createFile(name, 0o600))).toBe("EINVAL");
      expect(await codeOf(world.os.openTarget(`${world.root}\\${name}\\f`))).toMatch(
        name === "a\\b" ? "ENOENT" : "EINVAL",
      );
    }
    expect(await store.list()).toEqual([]);
  });

  test("a name in another case is the same name", async () => {
    await (await store.createFile("Case", 0o600)).close();
    expect(await codeOf(store.createFile("CASE", 0o600))).toBe("EEXIST");
    expect(await world.os.resolveRealPath(`${world.root}/cAsE`, { followLast: true })).toBe(
      realPathIn(world, "Case"),
    );
  });
});

describe("privacy", () => {
  test("S32 what is made here is private, and what others may enter is told apart", async () => {
    await store.makeDirectory("private", 0o700);
    expect((await store.entryStatus("private"))?.mode).toBe(0o700);
    const file = await store.createFile("f", 0o600);
    expect((await file.entryStatus()).mode).toBe(0o600);
    expect((await file.entryStatus()).owner).toBe(await world.os.effectiveOwner());
    await file.close();
    const open = realPathIn(world, "open");
    await world.makeDirectory(open);
    letEverybodyIn(open, "read");
    const mode = (await store.entryStatus("open"))?.mode ?? 0;
    expect(mode & 0o077).toBe(0o055);
  });
});

test("a mounted volume or a junction on the way is refused", async (context) => {
  const { os } = world;
  await world.makeDirectory(realPathIn(world, "d"));
  let way = realPathIn(world, "junction");
  try {
    fs.symlinkSync(realPathIn(world, "d"), way, "junction");
  } catch {
    // Wine has no junctions, but shows what is mounted on Linux as a mounted volume.
    way = "Z:\\dev\\shm";
    if (!fs.existsSync(way)) return context.skip("neither a junction nor a mounted volume is here");
  }
  expect(await codeOf(os.openTarget(`${way}\\f`))).toBe("ELOOP");
  expect(await codeOf(os.inspectTarget(way))).toBe("ELOOP");
});

test("reserve() knows when there is no room", async () => {
  await withTarget(async (file) => {
    expect(await codeOf(file.reserve(2 ** 52))).toBe("ENOSPC");
    expect(await file.reserve(3)).toBe(true);
    // Without exclusion an allocation could cut off what another writer adds.
    expect(await file.reserve(100_000)).toBe(false);
    expect((await file.status()).sizeBytes).toBe(5);
  });
});

test("B4 probeProcess() tells one that has ended, though a handle of it is open", async () => {
  const child = await startNode(`console.log(process.pid)`, []);
  const pid = Number(child.firstWord);
  const probe = await world.os.probeProcess(pid);
  expect(probe).toMatchObject({ answer: "exists" });
  expect(probe.startTime).toBeGreaterThan(0n);
  expect(await world.os.probeProcess(pid + 1)).toEqual({ answer: "absent" });
  await child.kill();
  expect(await world.os.probeProcess(pid)).toEqual({ answer: "absent" });
});
