/** Locks between processes and threads, and what happens to them when their holder ends. */
import fs from "node:fs";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoreDirectory } from "../lib/index.ts";
import { startNode } from "./child.ts";
import type { World } from "./contract-world.ts";
import { makeNodeWorld } from "./node-world.ts";

const holdLock = `
  const directory = addon.openDirectoryByPath(Buffer.from(arguments_[0]));
  const file = addon.openOrCreateFile(directory, Buffer.from("k.lock"), 0o600);
  console.log(String(addon.tryLock(file)));`;

let world: World;
let store: StoreDirectory;
beforeEach(async () => {
  world = await makeNodeWorld();
  store = await world.os.openStoreDirectory(world.root);
});
afterEach(async () => {
  await store.close();
  await world.dispose();
});

/** Fails after a second. */
async function untilLocked(tryLock: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100; ++i) {
    if (await tryLock()) return;
    await world.os.sleep(10);
  }
  throw new Error("the lock is still held");
}

describe("a lock", () => {
  test("B4 of another process is seen, and is free as soon as that process is killed", async () => {
    const child = await startNode(holdLock, [world.root]);
    expect(child.firstWord).toBe("true");
    const file = await store.openOrCreateFile("k.lock", 0o600);
    expect(await file.tryLock()).toBe(false);
    await child.kill();
    expect(await file.tryLock()).toBe(true);
    const late = await startNode(holdLock, [world.root]);
    expect(late.firstWord).toBe("false");
    await late.kill();
    await file.close();
  });

  test("B4 is not kept alive by a child of its holder", async () => {
    const file = await store.openOrCreateFile("k.lock", 0o600);
    expect(await file.tryLock()).toBe(true);
    const child = await startNode("console.log(1);", []);
    await file.close();
    const again = await store.openOrCreateFile("k.lock", 0o600);
    expect(await again.tryLock()).toBe(true);
    await again.close();
    await child.kill();
  });

  test("of a terminated worker is let go", async () => {
    const worker = new Worker(
      `const { workerData, parentPort } = require("node:worker_threads");
       const addon = require(workerData.addon).load();
       const directory = addon.openDirectoryByPath(Buffer.from(workerData.root));
       const file = addon.openOrCreateFile(directory, Buffer.from("k.lock"), 0o600);
       parentPort.postMessage(addon.tryLock(file));
       setInterval(() => {}, 1000);`,
      {
        eval: true,
        workerData: { addon: `${import.meta.dirname}/../binding.cjs`, root: world.root },
      },
    );
    const locked = await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    expect(locked).toBe(true);
    const file = await store.openOrCreateFile("k.lock", 0o600);
    expect(await file.tryLock()).toBe(false);
    await worker.terminate();
    await untilLocked(() => file.tryLock());
    await file.close();
  });
});

describe("handles", () => {
  test("B4 are all close-on-exec", async () => {
    await world.writeFile(`${world.root}/f`, "x");
    const opened = await world.os.openTarget(`${world.root}/f`);
    const inner = await store.makeDirectory("d", 0o700).then(() => store.openDirectory("d"));
    const handles = [
      store,
      inner,
      opened.parent,
      opened.target,
      await opened.target.openForReading(),
      await opened.target.openForWriting(),
      await store.openFile("f", "read-write"),
      await store.createFile("g", 0o600),
      await store.openOrCreateFile("h", 0o600),
      await store.createUnnamedFile(0o600),
    ];
    const ours = (pid: number | "self"): string[] =>
      fs
        .readdirSync(`/proc/${pid}/fd`)
        .flatMap((fd) => {
          try {
            return [fs.readlinkSync(`/proc/${pid}/fd/${fd}`)];
          } catch {
            return [];
          }
        })
        .filter((path) => path.startsWith(world.root));
    expect(ours("self").length).toBe(handles.length);
    const child = await startNode("console.log(1);", []);
    expect(ours(child.process.pid ?? 0)).toEqual([]);
    await child.kill();
    await Promise.all(handles.slice(1).map((handle) => handle.close()));
  });

  test("none is left open by 1,000 failing calls", async () => {
    const { os, root } = world;
    await world.makeSymlink("nowhere", `${root}/l`);
    await world.makeDirectory(`${root}/d`);
    const count = (): number => fs.readdirSync("/proc/self/fd").length;
    const before = count();
    let failed = 0;
    const fail = (): void => {
      failed += 1;
    };
    for (let i = 0; i < 100; ++i) {
      await os.openTarget(`${root}/l`).catch(fail);
      await os.openTarget(`${root}/no`).catch(fail);
      await os.inspectTarget(`${root}/l/x`).catch(fail);
      await os.openStoreDirectory(`${root}/l`).catch(fail);
      await store.openFile("l", "read").catch(fail);
      await store.openFile("d", "read").catch(fail);
      await store.openOrCreateFile("l", 0o600).catch(fail);
      await store.createFile("d", 0o600).catch(fail);
      await store.makeDirectory("d", 0o700).catch(fail);
      await store.openDirectory("l").catch(fail);
    }
    expect(failed).toBe(1000);
    expect(count()).toBe(before);
  });

  test("a closed one never reaches another file, even under a call in the pool", async () => {
    const content = Buffer.alloc(32 * 1024 * 1024, "a");
    await world.writeFile(`${world.root}/f`, content);
    const file = await store.openFile("f", "read");
    const buffer = Buffer.alloc(content.length);
    const reading = file.read(buffer, 0);
    const closing = file.close();
    const others = [];
    for (let i = 0; i < 20; ++i) others.push(await store.createFile(`other-${i}`, 0o600));
    expect(await reading).toBe(content.length);
    await closing;
    expect(buffer.equals(content)).toBe(true);
    await Promise.all(others.map((other) => other.close()));
  });
});
