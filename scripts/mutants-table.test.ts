import { describe, expect, it } from "vitest";
import { problemsOf, renderMutants } from "./evidence/mutants-table.mjs";

const name = "sync of the target left out";
const caught = { [name]: { seeds: 2000, caught: { V: 3 } } };
const missed = { [name]: { seeds: 2000, caught: {} } };
const hidden = {
  "target not synced": {
    ext4: { caught: true, states: 17 },
    xfs: { caught: false, states: 75 },
  },
};
const sources = { simulation: [name], crash: ["target not synced"] };

describe("problemsOf()", () => {
  const about = (problems: readonly string[]): readonly string[] =>
    problems.filter((problem) => problem.includes("a new one"));

  it("B14 reports a mutant that no layer catches", () => {
    const uncaught = "no layer catches: sync of the target";
    expect(problemsOf({ simulation: missed }, sources)).toContain(uncaught);
    for (const seen of [
      { simulation: caught },
      { simulation: missed, power: hidden },
      { crash: { "target not synced": "list of calls" } },
    ]) {
      expect(problemsOf(seen, sources)).not.toContain(uncaught);
    }
  });

  it("B14 reports a mutant of a suite that has no row, or was not run", () => {
    const more = { ...sources, simulation: [name, "a new one"] };
    expect(about(problemsOf({ simulation: caught }, more))).toEqual([
      '"a new one" has no row',
      '"a new one" was not run: test:simulation -- --evidence',
    ]);
    expect(problemsOf({}, sources)).toContain(
      `"${name}" was not run: test:simulation -- --evidence`,
    );
  });

  it("B14 reports a mutant of the table that no suite has any more", () => {
    const none = { ...sources, simulation: [] };
    expect(problemsOf({ simulation: caught }, none)).toContain(
      `"${name}" is no mutant of simulation`,
    );
  });
});

describe("renderMutants()", () => {
  it("B14 says of each layer what it saw, and on which filesystem a mutant is missed", () => {
    const row = renderMutants({ simulation: caught, power: hidden })
      .split("\n")
      .find((line) => line.startsWith("| sync of the target |"));
    expect(row).toBe(
      "| sync of the target | V, run 3 | – | ext4, state 17; missed on xfs in 75 states | " +
        "simulation, loss of power |",
    );
  });
});
