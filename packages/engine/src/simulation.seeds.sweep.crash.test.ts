// Method, fault model and property: as in `simulation.crash.test.ts` and
// `simulation.more.crash.test.ts`, with the seeds after theirs; `npm run test:sweep` runs them.
import { describe, expect, it } from "vitest";
import { runSeeds } from "../test/simulation/suite.ts";

const crowd = { from: 10_001, count: 10_000, profile: "crowd" };
const failingDisk = { from: 1_001, count: 1_000, profile: "failing-disk" };

describe("an edit in a simulated machine, with the seeds that npm test leaves out", () => {
  it("S14 S16 S17 S24 S33 B14 I1 I3 I5 I8 keeps its promises", async () => {
    const { runs, failures } = await runSeeds(`random runs from seed ${crowd.from}`, crowd);
    expect(failures.join("\n")).toBe("");
    expect(runs).toBe(crowd.count);
  }, 600_000);

  it("S14 I6 keeps them when what a failed sync was to write is lost", async () => {
    const title = `a disk that loses, from seed ${failingDisk.from}`;
    const { runs, failures } = await runSeeds(title, failingDisk);
    expect(failures.join("\n")).toBe("");
    expect(runs).toBe(failingDisk.count);
  }, 600_000);
});
