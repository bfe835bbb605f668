import { describe, expect, it } from "vitest";
import { maxSavedAgeMs, maxSavedBytes, maxSavedFiles } from "./limits.ts";
import { beyondLimits, type SavedGroup } from "./saved-limits.ts";

const group = (id: string, savedMs: number, sizeBytes = 1): SavedGroup => ({
  id,
  names: [`${id}.${savedMs}.bytes`],
  sizeBytes,
  savedMs,
});
const namesOf = (groups: readonly SavedGroup[]): string[] => groups.flatMap(({ names }) => names);
const undone = (from: number, count: number, sizeBytes = 1): SavedGroup[] =>
  Array.from({ length: count }, (_, index) => group("f", from + index, sizeBytes));

describe("beyondLimits()", () => {
  it("B10 drops older copies of a file before the only one of another, by number", () => {
    const all = [group("d", 1), ...undone(2, maxSavedFiles)];
    const dropped = namesOf(beyondLimits(all, [`f.${1 + maxSavedFiles}.bytes`], 100));
    expect(dropped).toEqual(["f.2.bytes"]);
  });

  it("B10 does so by size too, where oldest first would have dropped the other file", () => {
    const twelfth = Math.ceil(maxSavedBytes / 12);
    const all = [group("d", 1, twelfth), ...undone(2, 12, twelfth)];
    expect(namesOf(beyondLimits(all, ["f.13.bytes"], 100))).toEqual(["f.2.bytes", "f.3.bytes"]);
  });

  it("B10 drops bytes of a file before the record that undos go back and forth between", () => {
    const resolved = { ...group("f", 1), names: ["f.1.bytes", "f.1.fer"] };
    const all = [resolved, ...undone(2, maxSavedFiles)];
    const newest = `f.${1 + maxSavedFiles}.bytes`;
    expect(namesOf(beyondLimits(all, [newest], 100))).toEqual(["f.2.bytes"]);
    const large = { ...resolved, sizeBytes: maxSavedBytes };
    expect(namesOf(beyondLimits([large, ...undone(2, 2)], ["f.3.bytes"], 100))).toEqual([
      "f.2.bytes",
      "f.1.bytes",
      "f.1.fer",
    ]);
  });

  it("drops the last one of a file only where nothing else is left, oldest first", () => {
    const all = Array.from({ length: maxSavedFiles + 2 }, (_, at) => group(`id${at}`, at));
    const newest = `id${maxSavedFiles + 1}.${maxSavedFiles + 1}.bytes`;
    expect(namesOf(beyondLimits(all, [newest], 100))).toEqual(["id0.0.bytes", "id1.1.bytes"]);
    const large = [group("a", 1), group("b", 2, maxSavedBytes + 1)];
    expect(namesOf(beyondLimits(large, ["b.2.bytes"], 100))).toEqual(["a.1.bytes"]);
  });

  it("drops what is too old, whatever else there is, and never what was just saved", () => {
    const all = [group("a", 0), group("b", 1)];
    expect(namesOf(beyondLimits(all, ["a.0.bytes"], maxSavedAgeMs + 1))).toEqual([]);
    expect(namesOf(beyondLimits(all, ["a.0.bytes"], maxSavedAgeMs + 2))).toEqual(["b.1.bytes"]);
  });
});
