// Method, fault model and property: as in `simulation.crash.test.ts`, with other seeds; and three
// processes at once while somebody deletes every lock file again and again.
import { describe, expect, it } from "vitest";
import { runSeeds } from "../test/simulation/suite.ts";

const firstSeed = 10_001;
const seedsOfThisFile = 10_000;
/** These runs are longer. */
const seedsWithoutLockFiles = 1_000;

describe("an edit in a simulated machine", () => {
  it("S14 S16 S17 S24 S33 B14 I1 I3 I5 I8 keeps its promises, with other seeds", async () => {
    const seeds = { from: firstSeed, count: seedsOfThisFile, profile: "crowd" };
    const { failures } = await runSeeds(`random runs from seed ${firstSeed}`, seeds);
    expect(failures.join("\n")).toBe("");
  }, 300_000);

  it("S9 I3 I4 keeps them while somebody deletes the lock files", async () => {
    const seeds = { from: 1, count: seedsWithoutLockFiles, profile: "vandal" };
    const { failures } = await runSeeds("lock files deleted", seeds);
    expect(failures.join("\n")).toBe("");
  }, 300_000);
});
