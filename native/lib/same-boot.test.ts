import { describe, expect, it } from "vitest";
import { sameBoot } from "./same-boot.ts";

const one = { bootId: "5f0c8a52-1f0e-4c52-8f4e-2b7c7f6f2a11" };
const other = { bootId: "5f0c8a52-1f0e-4c52-8f4e-2b7c7f6f2a12" };

describe("sameBoot()", () => {
  it("takes an equal id for the same boot, and no other", () => {
    expect(sameBoot(one, { ...one })).toBe(true);
    expect(sameBoot(one, other)).toBe(false);
  });

  it("takes nothing from an id that is missing, on either side or on both", () => {
    expect([sameBoot(one, {}), sameBoot({}, one), sameBoot({}, {})]).toEqual([false, false, false]);
  });

  it("takes nothing from a count of starts, which two machines may share", () => {
    expect(sameBoot({ bootId: "start-7" }, { bootId: "start-7" })).toBe(false);
  });
});
