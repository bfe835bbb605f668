/** The part of the contract about processes, time and chance. */
import { describe, expect, test } from "vitest";
import type { World } from "./contract-world.ts";

export function processContract(world: () => World): void {
  describe("processes", () => {
    test("B4 self() is what probeProcess() finds at this pid", async () => {
      const { os } = world();
      const self = await os.self();
      const probe = await os.probeProcess(self.pid);
      expect(probe.answer).toBe("exists");
      expect(probe.startTime).toBe(self.startTime);
      const { bootTimeMs: _moves, ...fixed } = self;
      expect(await os.self()).toMatchObject(fixed);
      expect(await os.effectiveOwner()).toMatch(/^(?:\d+|S-1-[\d-]+)$/);
    });

    test("probeProcess() asks nobody about a number that is no pid", async () => {
      const { os } = world();
      for (const pid of [0, -1, 1.5, 2 ** 40, Number.NaN]) {
        expect(await os.probeProcess(pid)).toEqual({ answer: "unclear" });
      }
    });
  });

  describe("time and chance", () => {
    test("sleep() ends early and without an error when the signal aborts", async () => {
      const { os } = world();
      const controller = new AbortController();
      const asleep = os.sleep(2 ** 40, controller.signal);
      controller.abort();
      await asleep;
      await os.sleep(2 ** 40, controller.signal);
      await os.sleep(-1);
    });

    test("sleep() does not end before its time", async () => {
      const { os } = world();
      const start = await os.monotonicMs();
      await os.sleep(20);
      // A timer of Node may fire up to one millisecond early by the other clock.
      expect((await os.monotonicMs()) - start).toBeGreaterThanOrEqual(19);
    });

    test("randomId() and randomBelow() keep to their form", async () => {
      const { os } = world();
      const id = await os.randomId();
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(await os.randomId()).not.toBe(id);
      const seen = new Set<number>();
      for (let i = 0; i < 200; ++i) seen.add(await os.randomBelow(3));
      expect([...seen].sort()).toEqual([0, 1, 2]);
    });

    test("now() is a time of this century", async () => {
      expect(await world().os.now()).toBeGreaterThan(Date.UTC(2020));
    });
  });
}
