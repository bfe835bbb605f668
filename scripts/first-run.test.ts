import { describe, expect, it } from "vitest";
import { firstRunTeller } from "./first-run.mjs";

/** What a run says that has all of it to do, or nothing. */
function said(isTerminal: boolean, argv: readonly string[], isFirst = true): string[] {
  const lines: string[] = [];
  let ms = 0;
  const nowMs = (): number => {
    ms += 90_000;
    return ms;
  };
  const write = (text: string): void => void lines.push(text);
  const teller = firstRunTeller({ argv, isTerminal, nowMs, write });
  if (isFirst) teller.installing();
  teller.building(isFirst);
  teller.done();
  return lines;
}

describe("firstRunTeller()", () => {
  it("tells a person each step, the usual time, and the time that it took", () => {
    expect(said(true, ["edit", "f"])).toEqual([
      expect.stringMatching(/^fe: installing .*once; this usually takes 1 to 5 minutes\n$/u),
      "fe: step 1 of 2: dependencies\n",
      "fe: step 2 of 2: compiling the addon and the packages\n",
      "fe: built in 90 s; the next start takes seconds\n",
    ]);
  });

  it("says one line where nobody looks on, and none with --json", () => {
    expect(said(false, ["edit", "f"])).toHaveLength(1);
    expect(said(true, ["edit", "f", "--json"])).toEqual([]);
    expect(said(true, ["edit", "--", "--json"])).toHaveLength(4);
  });

  it("says nothing once all is built", () => {
    expect(said(true, ["edit", "f"], false)).toEqual([]);
  });
});
