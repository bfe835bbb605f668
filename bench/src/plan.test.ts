import { describe, expect, it } from "vitest";
import { plans, withShare } from "./plan.ts";

describe("withShare()", () => {
  it("measures less often, but everything, and the delay as often as its goal says", () => {
    const little = withShare(plans.full, 0.01);
    expect(little.sizes.map(({ rounds }) => rounds)).toEqual(plans.full.sizes.map(() => 2));
    expect(little.rounds.memory).toBe(1);
    expect(little.rounds.delay).toBe(5);
    expect(little.inARow.map(({ rounds }) => rounds)).toEqual(plans.full.inARow.map(() => 2));
    const rest = { sizes: [], inARow: [], rounds: {} };
    expect({ ...little, ...rest }).toEqual({ ...plans.full, ...rest });
  });

  it("changes nothing if the share is all", () => {
    expect(withShare(plans.full, 1)).toEqual(plans.full);
  });
});
