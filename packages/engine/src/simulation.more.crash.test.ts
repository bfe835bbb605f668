// Method, fault model and property: as in `simulation.crash.test.ts`, with other seeds; three
// processes at once while somebody deletes every lock file again and again; and a disk on which a
// sync that fails loses what it was to write, and shows it until the power fails (A4).
import { describe, expect, it } from "vitest";
import { runSeeds } from "../test/simulation/suite.ts";

const firstSeed = 5_001;
const seedsOfThisFile = 5_000;
/** These runs are longer. */
const seedsWithoutLockFiles = 1_000;
const seedsOfFailingDisk = 1_000;

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

  it("S14 I6 keeps them when what a failed sync was to write is lost", async () => {
    const seeds = { from: 1, count: seedsOfFailingDisk, profile: "failing-disk" };
    const { failures, answers } = await runSeeds("a disk that loses", seeds);
    expect(failures.join("\n")).toBe("");
    // Else the runs would show little.
    expect(answers["edit FE_OUTCOME_UNKNOWN"]).toBeGreaterThan(50);
  }, 300_000);
});
