import { describe, expect, test } from "vitest";
import { fromFinalPath, toVerbatim, windowsPaths } from "./windows-paths.ts";

const { isWithin, mayBeWithin, parentOf, nameOf, join, isAbsolute } = windowsPaths;

test.each([
  ["\\\\?\\C:\\dir\\a", "C:\\dir\\a"],
  ["\\\\?\\C:\\", "C:\\"],
  ["\\\\?\\UNC\\host\\share\\a", "\\\\host\\share\\a"],
  ["\\\\?\\Volume{1}\\a", "\\\\?\\Volume{1}\\a"],
  ["C:\\a", "C:\\a"],
])("fromFinalPath(%j) is %j", (final, plain) => {
  expect(fromFinalPath(final)).toBe(plain);
  expect(toVerbatim(plain)).toBe(final.startsWith("\\\\?\\") ? final : `\\\\?\\${final}`);
});

/** Whether it is within, and whether it may be. */
const containment: readonly [string, string, boolean, boolean][] = [
  ["C:\\a", "C:\\a", true, true],
  ["C:\\a", "C:\\a\\b", true, true],
  ["C:\\a\\", "C:\\a\\b", true, true],
  ["C:\\", "C:\\a", true, true],
  ["C:\\", "C:\\", true, true],
  ["c:\\a", "C:\\a\\b", true, true],
  ["\\\\?\\C:\\a", "C:\\a\\b", true, true],
  ["C:\\a", "\\\\?\\C:\\a\\b", true, true],
  ["\\\\host\\share", "\\\\HOST\\Share\\a", true, true],
  ["\\\\host\\share\\a", "\\\\?\\UNC\\host\\share\\a\\b", true, true],
  ["C:\\a", "C:\\ab", false, false],
  ["C:\\a\\b", "C:\\a", false, false],
  ["C:\\a", "D:\\a\\b", false, false],
  ["C:\\a", "\\\\host\\share\\a\\b", false, false],
  ["\\\\host\\share", "\\\\host\\share2\\a", false, false],
  ["\\\\host\\share", "\\\\host2\\share\\a", false, false],
  // One object on most folders, two where a folder tells case apart.
  ["C:\\Work", "C:\\work\\a", false, true],
  ["C:\\stra\u00dfe", "C:\\STRASSE\\a", false, true],
  // A short name stands for what it does not say.
  ["C:\\Program Files\\x", "C:\\PROGRA~1\\x\\a", false, true],
  ["C:\\PROGRA~1", "C:\\Program Files\\a", false, true],
  ["C:\\work\\x", "C:\\WORK~1\\y\\a", false, false],
  ["C:\\caf\u00e9", "C:\\cafe\u0301\\a", false, true],
  // Not real paths: within nothing.
  ["a", "a\\b", false, false],
  ["", "", false, false],
  ["\\\\?\\Volume{1}", "\\\\?\\Volume{1}\\a", false, false],
];

describe("windowsPaths", () => {
  test.each(containment)("%j holds %j: %s, or maybe: %s", (root, path, within, maybe) => {
    expect(isWithin(root, path)).toBe(within);
    expect(mayBeWithin(root, path)).toBe(maybe);
  });

  test.each([
    ["C:\\a\\b", "C:\\a", "b"],
    ["C:\\a", "C:\\", "a"],
    ["C:\\", "C:\\", ""],
    ["C:\\a b\\c.d", "C:\\a b", "c.d"],
    ["\\\\host\\share\\a\\b", "\\\\host\\share\\a", "b"],
    ["\\\\host\\share\\a", "\\\\host\\share\\", "a"],
    ["\\\\host\\share\\", "\\\\host\\share\\", ""],
    ["C:/a/b", "C:/a", "b"],
    ["C:/a\\b", "C:/a", "b"],
  ])("takes %j apart", (path, parent, name) => {
    expect(parentOf(path)).toBe(parent);
    expect(nameOf(path)).toBe(name);
    expect(parentOf(parentOf(parentOf(parentOf(path))))).toBe(parentOf(parentOf(parentOf(path))));
    if (name !== "" && !path.includes("/")) expect(join(parent, name)).toBe(path);
  });

  test.each([
    ["C:\\a", true],
    ["C:/a", true],
    ["\\\\host\\share\\a", true],
    ["\\\\?\\C:\\a", true],
    ["C:a", false],
    ["\\a", false],
    ["a\\b", false],
  ])("isAbsolute(%j) is %s", (path, expected) => {
    expect(isAbsolute(path)).toBe(expected);
  });
});
