// Method: a simulated machine; the process that makes the store dies between making a directory and
// syncing the one above it, and another process goes on from there.
// Fault model: names that were not synced are lost at a power loss.
// Property: what a process puts into a directory that it found is not lost with the directory.
import { SimulatedWorld } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { bytesSource } from "./byte-source.ts";
import { openJournal } from "./journal.ts";
import type { Journal } from "./journal-types.ts";

const key = "0123456789abcdef".repeat(4);

function makeWorld(): SimulatedWorld {
  const world = new SimulatedWorld({ seed: 1 });
  world.disk.makeDirectory(world.disk.root, "data", 0o700, world.owner);
  world.syncAll();
  return world;
}

function journalIn(world: SimulatedWorld): Promise<Journal> {
  const options = { userDataDirectory: "/data", engineVersion: "1" };
  return openJournal(world.start().os, options);
}

/** Runs work in a process that dies right after it has made the directory of this name. */
async function dieAfterMaking(
  world: SimulatedWorld,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const fault = { kind: "kill", moment: "after" } as const;
  world.scheduler.plan = {
    at: (_step, call) =>
      call.name === "directory.makeDirectory" && call.about === name ? fault : undefined,
  };
  work().catch(() => undefined);
  await world.scheduler.idle();
  world.scheduler.plan = { at: () => undefined };
}

describe("the store", () => {
  it("I1 is not lost with what is in it when its maker died before the sync", async () => {
    const world = makeWorld();
    const first = await journalIn(world);
    await dieAfterMaking(world, "edit-recovery", () => first.tryLockKey(key));
    const data = world.disk.root.entries.get("data");
    if (data?.kind !== "directory") throw new Error("There is no user-data directory");
    expect([...data.entries.keys()]).toEqual(["edit-recovery"]);
    expect([...data.durableEntries.keys()]).toEqual([]);
    const second = await journalIn(world);
    expect(await second.tryLockKey(key)).toBeDefined();
    expect([...data.durableEntries.keys()]).toEqual(["edit-recovery"]);
  });

  it("P5 is made durable once, and not again by the next process", async () => {
    const world = makeWorld();
    await (await journalIn(world)).tryLockKey(key);
    const syncs: string[] = [];
    world.scheduler.onCall = ({ name, about }) => {
      if (name.endsWith(".sync")) syncs.push(about);
    };
    expect(await (await journalIn(world)).tryLockKey("f".repeat(64))).toBeDefined();
    expect(syncs).toEqual([]);
  });

  it("I5 keeps saved bytes when the maker of their directory died before the sync", async () => {
    const world = makeWorld();
    const first = await journalIn(world);
    await dieAfterMaking(world, "saved", () => first.tryLockKey(key));
    const second = await journalIn(world);
    await second.saveBytes(key, bytesSource(new Uint8Array(3)));
    world.losePower();
    const saved = await (await journalIn(world)).listSaved();
    expect(saved.map(({ sizeBytes }) => sizeBytes)).toEqual([3]);
  });
});
