import { expect, it } from "vitest";
import { describeNear } from "./near-names.ts";

it.each([
  ["a b", "a\u00a0b", ["no-break or other special spaces", "character 2", "U+00A0, not U+0020"]],
  ["ab", "a\u200bb", ["special spaces", "character 2", "U+200B, not nothing"]],
  ["a\u2060b", "ab", ["special spaces", "nothing, not U+2060"]],
  ["caf\u00e9", "cafe\u0301", ["Unicode normal form", "U+0065 U+0301, not U+00E9"]],
  ["it's", "it\u2019s", ["curly quotes or dashes", "U+2019, not U+0027"]],
  ["a  b", "a b", ["differs in white space"]],
  ["README", "ReadMe", ["differs in upper and lower case"]],
  ["a B", "A\u202fb", ["special spaces and upper and lower case", "U+202F U+0062, not"]],
])("describeNear() of %j names %j and what tells them apart", (missing, there, told) => {
  const hint = describeNear(missing, ["other", there]);
  expect(hint).toContain(`"${there}" is there`);
  for (const text of told) expect(hint).toContain(text);
});

it("describeNear() shows code points only where the names may look alike", () => {
  expect(describeNear("README", ["ReadMe"])).not.toContain("U+");
});

it("describeNear() says how many more there are, and nothing of what is not near", () => {
  expect(describeNear("a", ["A", "\u200ba", "b"])).toMatch(/^"A" is there.*, and so do 1 more$/u);
  expect(describeNear("a", ["b", "aa", "a"])).toBeUndefined();
  expect(describeNear("a", [])).toBeUndefined();
});

it("describeNear() tells of long differences no more than their beginning", () => {
  const there = `\u00e9${"\u00e8".repeat(9)}`.normalize("NFD");
  expect(describeNear(there.normalize("NFC"), [there])).toMatch(/U\+0065 U\+0301 .* …, not/u);
});
