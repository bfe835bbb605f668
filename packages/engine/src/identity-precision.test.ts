// Inode numbers that a double cannot hold: 2^53 and 2^53 + 1 are one number to JavaScript.
import { recordKey } from "@fe/journal";
import { SimulatedWorld } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { openEngineWith } from "./engine.ts";

const numbers = [9_007_199_254_740_992n, 9_007_199_254_740_993n];
const userDataDirectory = "/data";

/** A machine with two files of these numbers, `/home/a` and `/home/b`. */
function makeWorld(): SimulatedWorld {
  const world = new SimulatedWorld({ seed: 1 });
  const { disk, owner } = world;
  const work = disk.makeDirectory(disk.root, "home", 0o755, owner);
  disk.makeDirectory(disk.root, "data", 0o700, owner);
  disk.volume.nextNumber = 2n ** 53n;
  for (const name of ["a", "b"]) {
    const file = disk.makeFile(work, name, 0o644, owner);
    file.settle(Buffer.from("one two\n"), file.mode);
  }
  world.syncAll();
  return world;
}

describe("inode numbers 2^53 and 2^53 + 1", () => {
  it("B3 S9 are two files for queue, lock and record", async () => {
    expect(Number(numbers[0])).toBe(Number(numbers[1]));
    const world = makeWorld();
    const { os } = world.start();
    const a = await os.inspectTarget("/home/a");
    const b = await os.inspectTarget("/home/b");
    expect([a, b].map(({ targetStatus }) => targetStatus.identity.file)).toEqual(numbers);
    const keys = [a, b].map(({ targetStatus }) => recordKey(targetStatus.identity, "/x"));
    expect(new Set(keys).size).toBe(2);

    // In one process: an edit of `a` asks its hook; one of `b` neither waits nor meets anything.
    let bStatus = "";
    const engine = await openEngineWith(os, {
      userDataDirectory,
      beforeCommit: async ({ realPath }) => {
        if (realPath !== "/home/a") return true;
        const edit = { path: "/home/b", oldString: "one", newString: "1" };
        bStatus = (await engine.edit(edit)).status;
        return true;
      },
    });
    const edit = { path: "/home/a", oldString: "one", newString: "1" };
    expect((await engine.edit(edit)).status).toBe("applied");
    expect(bStatus).toBe("applied");
    await engine.close();
  });

  it("B3 S17 the record of one does not stand in the way of the other", async () => {
    const world = makeWorld();
    const dying = world.start();
    const first = await openEngineWith(dying.os, { userDataDirectory });
    // The scheduler kills it at its first write to the file.
    world.scheduler.plan = {
      at: (_, call) =>
        call.name === "target.overwrite" ? { kind: "kill", moment: "before" } : undefined,
    };
    first.edit({ path: "/home/a", oldString: "one", newString: "1" }).catch(() => undefined);
    await world.scheduler.idle();
    world.scheduler.plan = { at: () => undefined };
    expect(dying.process.isAlive).toBe(false);
    const { os } = world.start();
    const engine = await openEngineWith(os, { userDataDirectory });
    expect(await engine.recovery.list()).toMatchObject([
      { path: "/home/a", identity: { file: numbers[0] } },
    ]);
    const answer = await engine.edit({ path: "/home/b", oldString: "one", newString: "1" });
    expect(answer).toMatchObject({ status: "applied", identity: { file: numbers[1] } });
    expect(answer.recovered).toBeUndefined();
    expect(await engine.recovery.list()).toHaveLength(1);
    const own = await engine.edit({ path: "/home/a", oldString: "two", newString: "2" });
    expect(own.recovered?.decision).toMatch(/interrupted/);
    await engine.close();
  });
});
