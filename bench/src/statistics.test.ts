import { describe, expect, it } from "vitest";
import { median, pairedRatio, quantile, rotate, summarize, threeDigits } from "./statistics.ts";

describe("quantile()", () => {
  it("gives the ends, the middle, and what lies between two neighbours", () => {
    expect(quantile([1, 2, 3], 0)).toBe(1);
    expect(quantile([1, 2, 3], 0.5)).toBe(2);
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([1, 2, 3], 1)).toBe(3);
  });

  it("of one value is that value, and of none is no number", () => {
    expect(quantile([7], 0.9)).toBe(7);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe("summarize()", () => {
  it("does not care for the order, and does not change it", () => {
    const values = [5, 1, 4, 2, 3];
    expect(summarize(values)).toEqual({ count: 5, median: 3, low: 2, high: 4, min: 1, max: 5 });
    expect(values).toEqual([5, 1, 4, 2, 3]);
  });

  it("is not moved by one outlier", () => {
    expect(median([1, 1, 1, 1, 1000])).toBe(1);
  });
});

describe("pairedRatio()", () => {
  it("leaves out what slowed down a whole round", () => {
    expect(pairedRatio([1, 100, 2], [2, 200, 4]).median).toBe(0.5);
  });

  it("is not the ratio of the medians", () => {
    expect(pairedRatio([1, 2, 9], [1, 4, 3]).median).toBe(1);
    expect(median([1, 2, 9]) / median([1, 4, 3])).toBeCloseTo(0.667, 3);
  });

  it("refuses series that are no pairs", () => {
    expect(() => pairedRatio([1], [1, 2])).toThrow(RangeError);
  });
});

describe("rotate()", () => {
  it("puts each element in each place once", () => {
    const places = [0, 1, 2].map((by) => rotate(["a", "b", "c"], by).join(""));
    expect(places).toEqual(["abc", "bca", "cab"]);
    expect(rotate(["a", "b"], 5)).toEqual(["b", "a"]);
    expect(rotate([], 3)).toEqual([]);
  });
});

describe("threeDigits()", () => {
  it("keeps three significant digits, and a dash for no number", () => {
    expect([0.68731, 12.345, 1234.5, 3, Number.NaN].map(threeDigits)).toEqual([
      "0.687",
      "12.3",
      "1235",
      "3",
      "–",
    ]);
  });
});
