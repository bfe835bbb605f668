import { describe, expect, it } from "vitest";
import { type Goal, isMet, measuredText, wantedText } from "./goals.ts";

const goal: Goal = {
  id: "P1",
  what: "an edit",
  wanted: 0.8,
  measured: 0.8,
  isLimit: true,
  unit: "×",
};

describe("isMet()", () => {
  it("takes the limit itself as met, on either side", () => {
    expect(isMet(goal)).toBe(true);
    expect(isMet({ ...goal, isLimit: false })).toBe(true);
    expect(isMet({ ...goal, measured: 0.81 })).toBe(false);
    expect(isMet({ ...goal, measured: 0.79, isLimit: false })).toBe(false);
  });

  it("does not judge what was not measured", () => {
    expect(isMet({ ...goal, measured: Number.NaN })).toBeUndefined();
  });
});

describe("wantedText() and measuredText()", () => {
  it("show the direction and the unit", () => {
    expect(wantedText(goal)).toBe("≤ 0.8 ×");
    expect(wantedText({ ...goal, isLimit: false, unit: "" })).toBe("≥ 0.8");
    expect(measuredText({ ...goal, measured: 0.6873 })).toBe("0.687 ×");
  });
});
