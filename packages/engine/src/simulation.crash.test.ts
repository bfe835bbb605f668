// Method: engines over a simulated machine, up to three processes and another program at once; a
// seed draws what they do, who makes the next call, and the faults.
// Fault model: SIGKILL and power loss at any call (also within reconciling and resolving), ENOSPC,
// EIO, short writes; what is not synced is lost, kept or torn, names too, in any order.
// Property: the oracle (test/oracle.ts), the monitor and liveness (test/simulation/).
import { describe, expect, it } from "vitest";
import { runSeeds } from "../test/simulation/suite.ts";

/**
 * With `simulation.more.crash.test.ts` it makes 10,000 in two files, so that two cores share them;
 * `simulation.seeds.sweep.crash.test.ts` makes as many more. A run takes 2 to 3 ms. Each mutant of
 * docs/evidence/simulation.md is caught within the first 1,000.
 */
const seedsOfThisFile = 5_000;

const { FE_SIMULATION_SEEDS, FE_SIMULATION_FROM, FE_SIMULATION_PROFILE, FE_SIMULATION_TRACE } =
  process.env;

describe("an edit in a simulated machine", () => {
  it("S14 S16 S17 S24 S33 B14 I1 I3 I5 I8 keeps its promises, and files editable", async () => {
    const seeds = {
      from: Number(FE_SIMULATION_FROM ?? 1),
      count: Number(FE_SIMULATION_SEEDS ?? seedsOfThisFile),
      profile: FE_SIMULATION_PROFILE ?? "crowd",
    };
    const trace = FE_SIMULATION_TRACE !== undefined;
    const { failures, answers } = await runSeeds(`random runs from seed ${seeds.from}`, seeds, {
      ...(trace
        ? {
            onCall: ({ step, pid, name, about, outcome }) =>
              console.log(`${step} ${pid} ${name} ${about}: ${outcome}`),
          }
        : {}),
    });
    expect(failures.join("\n")).toBe("");
    if (seeds.count < seedsOfThisFile) return;
    // Else the runs would show little.
    for (const answer of [
      ...["applied", "FE_BUSY", "FE_RECOVERY_REQUIRED", "FE_CONTENT_CHANGED"],
      ...["FE_TARGET_REPLACED", "FE_NOT_FOUND"],
    ]) {
      expect(answers[`edit ${answer}`], answer).toBeGreaterThan(10);
    }
    expect(answers["resolve applied"]).toBeGreaterThan(100);
    expect(answers["edit with exclusion kernel"]).toBeGreaterThan(100);
  }, 3_600_000);
});
