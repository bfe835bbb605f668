// Reports of a file that was taken for another, because a number of it was used again or changed.
import { describe, expect, it } from "vitest";
import { failureOf } from "../../../packages/engine/test/place.ts";
import {
  contentOf,
  engineIn,
  homeOf,
  killAtWrite,
  simulatedPlace,
} from "../../../packages/engine/test/simulated-place.ts";

const before = "one two three\n";
const edit = { path: "/home/f", oldString: "one", newString: "a longer one" };
const next = { path: "/home/f", oldString: "two", newString: "2" };

describe("an inode number that goes to a new file", () => {
  it("3A-38 [simulated: ext4] leads to a conflict, and the new file is not touched", async () => {
    for (const name of ["f", "another"]) {
      const world = simulatedPlace({ f: before });
      const { disk, owner } = world;
      await killAtWrite(world, edit, "during");
      const number = homeOf(world).entries.get("f")?.number;
      disk.unlink(homeOf(world), "f");
      const made = disk.makeFile(homeOf(world), name, 0o644, owner);
      made.settle(Buffer.from(before), made.mode);
      expect(made.number).toBe(number);
      const engine = await engineIn(world);
      const failure = await failureOf(engine.edit({ ...next, path: `/home/${name}` }));
      expect(failure.code).toBe("FE_RECOVERY_REQUIRED");
      expect(failure.record?.choices).toEqual(["current"]);
      const id = failure.record?.id ?? "";
      const refused = await failureOf(engine.recovery.resolve(id, { keep: "after" }));
      expect(refused.code).toBe("FE_TARGET_REPLACED");
      expect(contentOf(world, name)).toBe(before);
      await engine.close();
    }
  });
});

describe("a device number that a restart changes", () => {
  it.each(["before", "during"] as const)(
    "3A-39 [simulated: restart] loses no record of an edit killed %s its write",
    async (moment) => {
      const world = simulatedPlace({ f: before });
      await killAtWrite(world, edit, moment);
      const left = contentOf(world, "f");
      // What the kernel would have written by itself in time.
      world.syncAll();
      world.losePower();
      world.disk.volume.device += 1n;
      expect(contentOf(world, "f")).toBe(left);
      const engine = await engineIn(world);
      expect(await engine.recovery.list()).toHaveLength(1);
      if (moment === "before") {
        // Whole, so by its content.
        const result = await engine.edit(next);
        expect(result.recovered?.decision).toMatch(/interrupted/u);
        expect(contentOf(world, "f")).toBe("one 2 three\n");
      } else {
        const failure = await failureOf(engine.edit(next));
        expect(failure.code).toBe("FE_RECOVERY_REQUIRED");
        expect(failure.record?.choices).toEqual(["before", "after", "current"]);
        await engine.recovery.resolve(failure.record?.id ?? "", { keep: "before" });
        expect(contentOf(world, "f")).toBe(before);
      }
      await engine.close();
    },
  );
});
