/** Identities on Linux, against what the system itself says. */
import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FileIdentity, type PermissionIdentity, sameFile } from "../lib/index.ts";
import { runPython } from "./child.ts";
import type { World } from "./contract-world.ts";
import { makeNodeWorld } from "./node-world.ts";

let world: World;
beforeEach(async () => {
  world = await makeNodeWorld();
});
afterEach(() => world.dispose());

async function identityOf(path: string): Promise<FileIdentity> {
  return (await world.os.inspectTarget(path)).targetStatus.identity;
}

async function permissionOf(path: string): Promise<PermissionIdentity> {
  const { parent, target, targetStatus } = await world.os.openTarget(path);
  await Promise.all([parent.close(), target.close()]);
  return targetStatus.permission;
}

/** A value of `struct posix_acl_xattr`: rw- for the owner and for uid 12345, r-- for the group. */
const accessList = Buffer.from(
  "0200000001000600ffffffff020006003930000004000400ffffffff10000600ffffffff20000400ffffffff",
  "hex",
);

const setAttribute = `import os, sys
os.setxattr(sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]))`;

describe("identity", () => {
  test("D2 agrees with fstat(2) of Node", async () => {
    const path = `${world.root}/f`;
    await world.writeFile(path, "hello", 0o4755);
    const node = fs.statSync(path, { bigint: true });
    const { targetStatus } = await world.os.inspectTarget(path);
    expect(targetStatus).toMatchObject({
      file: node.ino,
      device: node.dev,
      sizeBytes: Number(node.size),
      linkCount: Number(node.nlink),
      mode: Number(node.mode & 0o7777n),
      owner: String(node.uid),
      modifiedNs: node.mtimeNs,
    });
    expect((await permissionOf(path)).group).toBe(String(node.gid));
    expect(targetStatus.identity.birthTimeNs).toBe(node.birthtimeNs);
  });

  test("B3 is the same from every handle; only one that reads knows the generation", async () => {
    const path = `${world.root}/f`;
    await world.writeFile(path, "x");
    const opened = await world.os.openTarget(path);
    const file = await opened.target.openForWriting();
    const { identity } = await file.status();
    const { generation, ...rest } = identity;
    expect(opened.targetStatus.identity).toEqual(rest);
    expect((await opened.target.status()).identity).toEqual(rest);
    const { type } = opened.targetStatus.filesystem;
    if (["ext4", "xfs", "btrfs"].includes(type)) {
      expect(typeof generation).toBe("bigint");
      expect(rest.handle).toMatch(/^(?:[0-9a-f]{2}){12,}$/);
    }
    await Promise.all([file.close(), opened.parent.close(), opened.target.close()]);
  });

  test("B3 tells a file from the next one that gets its inode number", async () => {
    const path = `${world.root}/f`;
    await world.writeFile(path, "x");
    const { type } = (await world.os.inspectTarget(path)).targetStatus.filesystem;
    let previous = await identityOf(path);
    let reused = 0;
    for (let i = 0; i < 50; ++i) {
      await world.remove(path);
      await world.writeFile(path, "x");
      const next = await identityOf(path);
      if (next.file === previous.file && next.volume === previous.volume) reused += 1;
      expect(sameFile(previous, next, { sameBoot: true })).toBe(false);
      previous = next;
    }
    // On another filesystem the numbers may all be new, and then this shows less.
    if (type === "ext4") expect(reused).toBeGreaterThan(0);
  });
});

describe("permission", () => {
  test("S4 an access list is noticed, from a pinned and from an open handle", async (context) => {
    const path = `${world.root}/f`;
    await world.writeFile(path, "x", 0o664);
    expect((await permissionOf(path)).accessList).toBeNull();
    try {
      runPython(setAttribute, [path, "system.posix_acl_access", accessList.toString("hex")]);
    } catch {
      return context.skip("no access lists here: no python3, or the filesystem keeps none");
    }
    const opened = await world.os.openTarget(path);
    const digest = opened.targetStatus.permission.accessList;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const file = await opened.target.openForReading();
    expect((await file.status()).permission.accessList).toBe(digest);
    const other = Buffer.from(accessList);
    other.writeUInt16LE(4, 14);
    runPython(setAttribute, [path, "system.posix_acl_access", other.toString("hex")]);
    expect((await file.status()).permission.accessList).not.toBe(digest);
    await Promise.all([file.close(), opened.parent.close(), opened.target.close()]);
  });

  test("S8 file capabilities are noticed, and that a write takes them away", async (context) => {
    const path = `${world.root}/f`;
    await world.writeFile(path, "x", 0o755);
    expect((await permissionOf(path)).capabilities).toBeNull();
    const netRaw = "0000000200200000000000000000000000000000";
    try {
      runPython(setAttribute, [path, "security.capability", netRaw]);
    } catch {
      return context.skip("file capabilities need root and python3");
    }
    expect((await permissionOf(path)).capabilities).toMatch(/^[0-9a-f]{64}$/);
    fs.writeFileSync(path, "y");
    expect((await permissionOf(path)).capabilities).toBeNull();
  });
});

describe("names", () => {
  test("finishRecord() removes the record before the lock", async () => {
    const store = await world.os.openStoreDirectory(world.root);
    const record = await store.createFile("r", 0o600);
    const lock = await store.createFile("k.lock", 0o600);
    const removed: string[] = [];
    const watcher = fs.watch(world.root, (event, name) => {
      if (event === "rename" && name !== null) removed.push(name);
    });
    await store.finishRecord({
      record,
      recordName: "r",
      phaseBlock: Buffer.from("x"),
      phasePositionBytes: 0,
      lock: { file: lock, name: "k.lock" },
    });
    for (let i = 0; i < 100 && removed.length < 2; ++i) await world.os.sleep(10);
    watcher.close();
    expect(removed).toEqual(["r", "k.lock"]);
    await store.close();
  });

  test("publishUnnamedFile() ends before a handle that is closed meanwhile", async () => {
    const store = await world.os.openStoreDirectory(world.root);
    const file = await store.createUnnamedFile(0o600);
    const published = store.publishUnnamedFile(file, "r");
    await file.close();
    expect(await published).toEqual({ hasName: true, error: undefined });
    await store.close();
  });

  test("finishRecord() closes the record once it has answered", async () => {
    const store = await world.os.openStoreDirectory(world.root);
    const open = (): number => fs.readdirSync("/proc/self/fd").length;
    const before = open();
    const record = await store.createFile("r", 0o600);
    const request = { record, recordName: "r", phaseBlock: Buffer.from("x"), lock: undefined };
    await store.finishRecord({ ...request, phasePositionBytes: 0 });
    expect(open()).toBe(before + 1);
    await new Promise(setImmediate);
    expect(open()).toBe(before);
    await store.close();
  });
});

describe("self()", () => {
  test("B4 agrees with /proc", async () => {
    const self = await world.os.self();
    expect(self.pid).toBe(process.pid);
    const stat = fs.readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    expect(String(self.startTime)).toBe(fields[19]);
    const bootId = fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    expect(self.bootId).toBe(bootId);
    expect(self.pidNamespace).toBe(fs.statSync("/proc/self/ns/pid", { bigint: true }).ino);
    const bootSeconds = /^btime (\d+)$/m.exec(fs.readFileSync("/proc/stat", "utf8"))?.[1];
    expect(Math.abs((self.bootTimeMs ?? 0) - Number(bootSeconds) * 1000)).toBeLessThan(2000);
  });

  test("S23 a process of somebody else counts as there", async (context) => {
    if (process.geteuid?.() !== 0) {
      expect((await world.os.probeProcess(1)).answer).toBe("denied");
      return;
    }
    context.skip("root is denied nothing");
  });

  test("a process that is gone is absent", async () => {
    const { spawnSync } = await import("node:child_process");
    const { pid } = spawnSync("true");
    expect(await world.os.probeProcess(pid)).toEqual({ answer: "absent" });
  });
});
