import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { intersect, isWithin, outermost, pathOfUri } from "./client-roots.ts";

describe("pathOfUri()", () => {
  /** `/`, on Windows with a drive before it. */
  const start = pathToFileURL(path.resolve("/")).pathname;

  it.each([
    [`file://${start}home/someone/a%20b`, "/home/someone/a b"],
    [`file://localhost${start}home`, "/home"],
    [`file://${start}%C3%A4/%E4%BD%A0`, "/ä/你"],
    [`file://${start}a%23b%3Fc`, "/a#b?c"],
    [`file://${start}a/../b`, "/b"],
    [`FILE://${start}a`, "/a"],
  ])("takes %s as %s", (uri, wanted) => {
    expect(pathOfUri(uri)).toBe(path.resolve(wanted));
  });

  it("keeps a separator at the end", () => {
    expect(pathOfUri(`file://${start}b/`)).toBe(`${path.resolve("/b")}${path.sep}`);
  });

  it.each([
    ["another scheme", "https://host/home"],
    ["another host", "file://server/share"],
    ["an escaped separator", "file:///a%2Fb"],
    ["an escaped NUL", "file:///a%00b"],
    ["bytes that are not UTF-8", "file:///a%FF"],
    ["a path", "/home/someone"],
    ["nothing", ""],
  ])("takes no %s", (_what, uri) => {
    expect(pathOfUri(uri)).toBeUndefined();
  });
});

describe("isWithin()", () => {
  it.each([
    ["/a", "/a", true],
    ["/a", "/a/b", true],
    ["/", "/a", true],
    ["/a", "/ab", false],
    ["/a/b", "/a", false],
    ["/a", "/a/..b", true],
    ["/a", "/a/../b", false],
    ["/Docs", "/docs", false],
    ["/Docs", "/docs/a", false],
  ])("%s, %s: %s", (directory, file, expected) => {
    expect(isWithin(directory, file)).toBe(expected);
  });
});

describe("intersect()", () => {
  it.each([
    ["the same", ["/p"], ["/p"], ["/p"]],
    ["narrower", ["/p"], ["/p/a", "/p/b"], ["/p/a", "/p/b"]],
    ["wider", ["/p/a"], ["/", "/p"], ["/p/a"]],
    ["partly apart", ["/p", "/q"], ["/q/x", "/r"], ["/q/x"]],
    ["apart", ["/p"], ["/pp", "/q"], []],
    ["none", ["/p"], [], []],
    ["one below another", ["/p"], ["/p/a", "/p/a/b", "/p/a"], ["/p/a"]],
  ])("of lists that are %s", (_what, own, theirs, expected) => {
    expect(intersect(own, theirs)).toEqual(expected);
  });

  it("is never wider than either", () => {
    const lists = [["/"], ["/a"], ["/a/b", "/c"], ["/a", "/a/b/c"], []];
    for (const own of lists) {
      for (const theirs of lists) {
        for (const root of intersect(own, theirs)) {
          expect(own.some((each) => isWithin(each, root))).toBe(true);
          expect(theirs.some((each) => isWithin(each, root))).toBe(true);
        }
      }
    }
  });
});

describe("outermost()", () => {
  it("leaves out what lies below another", () => {
    expect(outermost(["/a/b", "/a", "/ab", "/a"])).toEqual(["/a", "/ab"]);
  });
});
