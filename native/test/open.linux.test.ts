/** Opening on Linux: umask, devices, leases, running programs, links of /proc. */
import fs from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadAddon } from "../lib/load.ts";
import { NodeOs } from "../lib/node-os.ts";
import { startPython } from "./child.ts";
import { codeOf, type World } from "./contract-world.ts";
import { makeNodeWorld } from "./node-world.ts";

let world: World;
beforeEach(async () => {
  world = await makeNodeWorld();
});
afterEach(() => world.dispose());

describe("the mode of what is made", () => {
  test.each([0o000, 0o022, 0o077, 0o777])("is exact under umask %o", async (umask) => {
    const store = await world.os.openStoreDirectory(world.root);
    const before = process.umask(umask);
    try {
      const made = [
        await store.createFile("a", 0o666),
        await store.openOrCreateFile("b", 0o644),
        await store.createUnnamedFile(0o751),
      ];
      await store.makeDirectory("d", 0o755);
      const modes = await Promise.all(made.map(async (file) => (await file.entryStatus()).mode));
      expect(modes).toEqual([0o666, 0o644, 0o751]);
      expect((await store.entryStatus("d"))?.mode).toBe(0o755);
      await Promise.all(made.map((file) => file.close()));
    } finally {
      process.umask(before);
    }
    await store.close();
  });

  test("is exact below a directory that hands on its group", async () => {
    await world.setMode(world.root, 0o2700);
    const store = await world.os.openStoreDirectory(world.root);
    await store.makeDirectory("d", 0o700);
    expect((await store.entryStatus("d"))?.mode).toBe(0o700);
    await store.close();
  });
});

describe("what is no regular file", () => {
  test("S33 a FIFO is opened for nothing, and opening it on demand does not hang", async () => {
    await world.makeFifo?.(`${world.root}/fifo`);
    const opened = await world.os.openTarget(`${world.root}/fifo`);
    expect(opened.targetStatus.kind).toBe("fifo");
    const reader = await opened.target.openForReading();
    await Promise.all([reader.close(), opened.parent.close(), opened.target.close()]);
  });

  test("a device is named as such, and the store does not open it", async () => {
    const { targetStatus } = await world.os.inspectTarget("/dev/null");
    expect(targetStatus.kind).toBe("character-device");
    const devices = await world.os.openStoreDirectory("/dev");
    expect(await codeOf(devices.openFile("null", "read-write"))).toBe("EFTYPE");
    await devices.close();
  });

  test("a pseudo filesystem is known as one", async () => {
    const { targetStatus } = await world.os.inspectTarget("/proc/sys/kernel/ostype");
    expect(targetStatus.filesystem).toEqual({ type: "proc", class: "pseudo" });
  });
});

describe("openForWriting()", () => {
  test("answers ETXTBSY for a running program", async () => {
    const program = `${world.root}/program`;
    fs.copyFileSync("/bin/sleep", program);
    fs.chmodSync(program, 0o755);
    const { spawn } = await import("node:child_process");
    const running = spawn(program, ["10"]);
    await new Promise((resolve) => running.once("spawn", resolve));
    const opened = await world.os.openTarget(program);
    expect(await codeOf(opened.target.openForWriting())).toBe("ETXTBSY");
    running.kill("SIGKILL");
    await Promise.all([opened.parent.close(), opened.target.close()]);
  });

  test("B2 answers EAGAIN under a lease, which looking leaves alone", async () => {
    const path = `${world.root}/f`;
    await world.writeFile(path, "x");
    // The default action of the signal that a break sends would end this child.
    const holder = await startPython(
      `import fcntl, os, sys
fd = os.open(sys.argv[1], os.O_RDWR)
fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print("held", flush=True)
sys.stdin.read()`,
      [path],
    );
    const opened = await world.os.openTarget(path);
    await opened.target.status();
    await world.os.inspectTarget(path);
    await world.os.checkWritable(path);
    await world.os.sleep(50);
    expect(holder.process.exitCode ?? holder.process.signalCode).toBeNull();
    expect(await codeOf(opened.target.openForWriting())).toBe("EAGAIN");
    await holder.kill();
    const file = await opened.target.openForWriting();
    await Promise.all([file.close(), opened.parent.close(), opened.target.close()]);
  });
});

describe("checkWritable()", () => {
  test("answers as openForWriting() does, and moves no time", async () => {
    const path = `${world.root}/f`;
    await world.writeFile(path, "x");
    const before = fs.statSync(path, { bigint: true });
    await world.os.checkWritable(path);
    const after = fs.statSync(path, { bigint: true });
    expect([after.mtimeNs, after.ctimeNs]).toEqual([before.mtimeNs, before.ctimeNs]);
    // Closed to writers whoever asks, root too.
    const closedPath = "/proc/sys/kernel/ostype";
    const closed = await world.os.openTarget(closedPath);
    const answer = await codeOf(world.os.checkWritable(closedPath));
    expect(answer).toMatch(/^(?:EACCES|EPERM|EROFS)$/);
    expect(await codeOf(closed.target.openForWriting())).toBe(answer);
    await Promise.all([closed.parent.close(), closed.target.close()]);
  });
});

describe.each([false, true])("a walk, componentsOnly: %s", (componentsOnly) => {
  test("refuses the links of /proc", async () => {
    const os = new NodeOs(loadAddon(), { componentsOnly });
    const { pid } = process;
    for (const path of ["/proc/self/stat", `/proc/${pid}/cwd/x`, `/proc/${pid}/root/etc/passwd`]) {
      expect(await codeOf(os.openTarget(path))).toBe("ELOOP");
    }
  });

  test("S3 notices that a directory on the way became a link", async () => {
    const os = new NodeOs(loadAddon(), { componentsOnly });
    const { root } = world;
    await world.makeDirectory(`${root}/d`);
    await world.writeFile(`${root}/d/f`, "x");
    await os.inspectTarget(`${root}/d/f`);
    await world.rename(`${root}/d`, `${root}/moved`);
    await world.makeSymlink("moved", `${root}/d`);
    expect(await codeOf(os.inspectTarget(`${root}/d/f`))).toBe("ELOOP");
  });

  test("goes as deep as a path can", async () => {
    const os = new NodeOs(loadAddon(), { componentsOnly });
    const deep = `${world.root}${"/d".repeat(1000)}`;
    fs.mkdirSync(deep, { recursive: true });
    fs.writeFileSync(`${deep}/f`, "x");
    expect((await os.inspectTarget(`${deep}/f`)).targetStatus.sizeBytes).toBe(1);
  });
});
