import { describe, expect, it } from "vitest";
import { summarize } from "../statistics.ts";
import { mebibytes, spread, table } from "./markdown.ts";

describe("table()", () => {
  it("aligns numbers to the right, and lets no text end a cell", () => {
    expect(table(["ms", "fe"], [["a|b", "1.2"]])).toBe(
      "| ms | fe |\n| --- | --: |\n| a\\|b | 1.2 |",
    );
  });
});

describe("spread()", () => {
  it("shows the median and the middle half", () => {
    expect(spread(summarize([1, 2, 3, 4, 5]))).toBe("3 (2–4)");
  });
});

describe("mebibytes()", () => {
  it("counts by 2 to the power of 20", () => {
    expect(mebibytes(64 * 1024 * 1024)).toBe("64");
  });
});
