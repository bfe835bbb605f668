// Inode numbers that a double cannot hold: 2^53 and 2^53 + 1 are one number to JavaScript.
import { recordKey } from "@fe/journal";
import type { SimulatedWorld } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import {
  engineIn,
  killAtWrite,
  simulatedPlace,
  userDataDirectory,
} from "../test/simulated-place.ts";
import { openEngineWith } from "./engine.ts";

const numbers = [9_007_199_254_740_992n, 9_007_199_254_740_993n];
/** A machine with two files of these numbers. */
const makeWorld = (): SimulatedWorld =>
  simulatedPlace({ a: "one two\n", b: "one two\n" }, { fileNumber: 2n ** 53n });

describe("inode numbers 2^53 and 2^53 + 1", () => {
  it("B3 S9 3A-37 are two files for queue, lock and record", async () => {
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

  it("B3 S17 3A-37 the record of one does not stand in the way of the other", async () => {
    const world = makeWorld();
    const edit = { path: "/home/a", oldString: "one", newString: "1" };
    await killAtWrite(world, edit, "before");
    const engine = await engineIn(world);
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
