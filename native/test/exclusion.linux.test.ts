/** The kernel keeps others out, and room is there before a byte changes: what Linux really does. */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PinnedFile, TargetFile } from "../lib/index.ts";
import { startNode } from "./child.ts";
import type { World } from "./contract-world.ts";
import { makeNodeWorld } from "./node-world.ts";

const isRoot = process.getuid?.() === 0;

/** Opens a file in the blocking way, says so, and stays. */
const openBlocking = `
  console.log("asking");
  require("node:fs").openSync(arguments_[0], "r+");
  console.log("open");`;

/** Has the file open for a while, and stays. */
const openForAWhile = `
  const file = require("node:fs").openSync(arguments_[0], "r");
  console.log("open");
  setTimeout(() => require("node:fs").closeSync(file), 300);`;

/** Holds a lease, and stays. */
const holdLease = `
  const walked = addon.openTarget(Buffer.from(arguments_[0]), false,
    new BigUint64Array(32), new BigUint64Array(32));
  const file = addon.reopen(walked[3], true);
  console.log(String(addon.startExclusion(file, 0)));`;

let world: World;
let path: string;
let pinned: PinnedFile;
let file: TargetFile;

beforeEach(async () => {
  world = await makeNodeWorld();
  path = `${world.root}/f`;
  fs.writeFileSync(path, "text\n");
  const opened = await world.os.openTarget(path);
  await opened.parent.close();
  pinned = opened.target;
  file = await pinned.openForWriting();
});

afterEach(async () => {
  await file.close();
  await pinned.close();
  await world.dispose();
});

describe("startExclusion()", () => {
  test("B2 makes another process wait to open the file, until it ends", async () => {
    expect(await file.startExclusion()).toMatchObject({ granted: true });
    expect(await file.isExclusionUnbroken()).toBe(true);
    const child = await startNode(openBlocking, [path]);
    expect(child.firstWord).toBe("asking");
    const second = child.nextWord();
    await expect(Promise.race([second, world.os.sleep(300)])).resolves.toBeUndefined();
    expect(await file.isExclusionUnbroken()).toBe(false);
    expect(await file.overwrite(Buffer.from("T"), 0)).toBe(1);
    await file.close();
    expect(await second).toBe("open");
    await child.kill();
  });

  test("B2 survives that others ask without waiting, again and again", async () => {
    for (let round = 0; round < 3; round++) {
      expect(await file.startExclusion()).toMatchObject({ granted: true });
      const nonBlocking = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK;
      expect(() => fs.openSync(path, nonBlocking)).toThrow(/EAGAIN|EWOULDBLOCK/);
      expect(await file.isExclusionUnbroken()).toBe(false);
      await file.close();
      fs.closeSync(fs.openSync(path, "r"));
      file = await pinned.openForWriting();
    }
  });

  test("B2 is refused while another handle is open; a pinned one does not count", async () => {
    const other = fs.openSync(path, "r");
    expect(await file.startExclusion()).toEqual({ granted: false, reason: "open-elsewhere" });
    fs.closeSync(other);
    const again = await world.os.openTarget(path);
    expect(await file.startExclusion()).toMatchObject({ granted: true });
    expect((await world.os.inspectTarget(path)).targetStatus.kind).toBe("regular");
    expect(await file.isExclusionUnbroken()).toBe(true);
    await again.target.close();
    await again.parent.close();
  });

  test("B2 ends with the handle, and with the process that is killed", async () => {
    await file.startExclusion();
    await file.close();
    fs.closeSync(fs.openSync(path, "r+"));
    const child = await startNode(holdLease, [path]);
    expect(Number(child.firstWord)).toBeGreaterThanOrEqual(5000);
    const nonBlocking = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK;
    expect(() => fs.openSync(path, nonBlocking)).toThrow(/EAGAIN|EWOULDBLOCK/);
    await child.kill();
    fs.closeSync(fs.openSync(path, "r"));
  });

  test("B2 insists, if it is to, until a program that has the file open closes it", async () => {
    const child = await startNode(openForAWhile, [path]);
    expect(child.firstWord).toBe("open");
    expect(await file.startExclusion()).toEqual({ granted: false, reason: "open-elsewhere" });
    let answer = await file.startExclusion(1_000);
    expect(answer).toMatchObject({ granted: false });
    for (let turn = 0; turn < 60 && !answer.granted; turn++) {
      answer = await file.startExclusion(1_000_000);
    }
    expect(answer.granted).toBe(true);
    await child.kill();
    await expect(file.startExclusion(-1)).rejects.toThrow(RangeError);
    await expect(file.startExclusion(1_000_001)).rejects.toThrow(RangeError);
  }, 70_000);

  test.runIf(isRoot)(
    "B2 is refused where others are let in too soon [as root]",
    async (context) => {
      // In a mount namespace of its own, so that the setting of this system stays as it is.
      const setting = `${world.root}/lease-break-time`;
      fs.writeFileSync(setting, "4\n");
      const mount = 'mount --bind "$0" /proc/sys/fs/lease-break-time';
      const own = ["unshare", "--mount", "sh", "-c"];
      if (spawnSync(own[0] ?? "", [...own.slice(1), mount, setting]).status !== 0) {
        context.skip("no mount namespace can be made here");
      }
      const child = await startNode(holdLease, [path], {}, [
        ...own,
        `${mount} && exec "$@"`,
        setting,
      ]);
      expect(child.firstWord).toBe("too-brief");
      await child.kill();
    },
  );

  test("B2 is refused on overlayfs, where a mapping could still be stored to", async (context) => {
    const merged = `${world.root}/merged`;
    for (const name of ["lower", "upper", "scratch", "merged"])
      fs.mkdirSync(`${world.root}/${name}`);
    fs.writeFileSync(`${world.root}/lower/f`, "x");
    const { root } = world;
    const layers = `lowerdir=${root}/lower,upperdir=${root}/upper,workdir=${root}/scratch`;
    try {
      execFileSync("mount", ["-t", "overlay", "-o", layers, "overlay", merged], {
        stdio: "ignore",
      });
    } catch {
      context.skip("overlayfs cannot be mounted here (needs root)");
      return;
    }
    try {
      const opened = await world.os.openTarget(`${merged}/f`);
      const target = await opened.target.openForWriting();
      expect(await target.startExclusion()).toEqual({ granted: false, reason: "unsupported" });
      for (const handle of [target, opened.target, opened.parent]) await handle.close();
    } finally {
      execFileSync("umount", [merged]);
    }
  });
});

describe("reserve()", () => {
  test("keeps length and content, and is nothing for a file that is large enough", async () => {
    expect(await file.reserve(100_000)).toBe(true);
    expect(await file.reserve(2)).toBe(true);
    expect(fs.readFileSync(path, "utf8")).toBe("text\n");
  });

  test("says that a disk is full, and leaves blocks and times as they were", async (context) => {
    const mount = `${world.root}/small`;
    fs.mkdirSync(mount);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mount], { stdio: "ignore" });
    } catch {
      context.skip("tmpfs cannot be mounted here (needs root)");
      return;
    }
    try {
      fs.writeFileSync(`${mount}/f`, "text\n");
      const before = fs.statSync(`${mount}/f`, { bigint: true });
      const opened = await world.os.openTarget(`${mount}/f`);
      const target = await opened.target.openForWriting();
      await expect(target.reserve(4 * 1024 * 1024)).rejects.toMatchObject({ code: "ENOSPC" });
      const after = fs.statSync(`${mount}/f`, { bigint: true });
      expect([after.mtimeNs, after.blocks, after.size]).toEqual([
        before.mtimeNs,
        before.blocks,
        before.size,
      ]);
      for (const handle of [target, opened.target, opened.parent]) await handle.close();
    } finally {
      execFileSync("umount", [mount]);
    }
  });
});

test.runIf(isRoot)("B2 is refused to somebody who does not own the file [as root]", async () => {
  fs.chmodSync(path, 0o666);
  fs.chmodSync(world.root, 0o777);
  const child = await startNode(`process.setuid(65534);${holdLease}`, [path]);
  expect(child.firstWord).toBe("not-owner");
  await child.kill();
});
