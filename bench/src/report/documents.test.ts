import { describe, expect, it } from "vitest";
import { fillMarkers } from "./documents.ts";

const page = "# P\n\n<!-- bench:times -->\nold\n<!-- /bench:times -->\n\nend\n";

describe("fillMarkers()", () => {
  it("replaces what stands between markers, and nothing else", () => {
    expect(fillMarkers(page, { times: "| new |" })).toBe(
      "# P\n\n<!-- bench:times -->\n\n| new |\n\n<!-- /bench:times -->\n\nend\n",
    );
  });

  it("done twice is as done once", () => {
    const once = fillMarkers(page, { times: "$1 $& new" });
    expect(once).toContain("$1 $& new");
    expect(fillMarkers(once, { times: "$1 $& new" })).toBe(once);
  });

  it("leaves a page without markers as it is", () => {
    expect(fillMarkers("# P\n", {})).toBe("# P\n");
  });

  it("refuses a marker without a section, and one that is not closed", () => {
    expect(() => fillMarkers(page, {})).toThrow(/no section "times"/u);
    expect(() => fillMarkers("<!-- bench:times -->\n", { times: "" })).toThrow(/not closed/u);
  });
});
