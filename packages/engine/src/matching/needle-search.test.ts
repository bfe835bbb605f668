import { bytesSource } from "@fe/journal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultSizes, type LocateSizes } from "./limits.ts";
import type { SearchMode } from "./linear-search.ts";
import { searchLinearly } from "./linear-search.ts";
import { NeedleSearch } from "./needle-search.ts";
import { scan } from "./scan.ts";
import { WorkMeter } from "./work-meter.ts";

const meter = new WorkMeter(undefined);

async function search(
  text: string | Buffer,
  needle: string,
  mode: Partial<SearchMode> = {},
  sizes: Partial<LocateSizes> = {},
): Promise<readonly number[]> {
  const source = bytesSource(Buffer.from(text as string, "latin1"));
  const full: LocateSizes = { ...defaultSizes, ...sizes };
  const wanted = Buffer.from(needle, "latin1");
  const some = new NeedleSearch(wanted, { overlapping: true, maxHits: 1e6, ...mode }, full, meter);
  await scan(source, [some], undefined, full, meter);
  return some.finish(source);
}

function naive(text: string, needle: string, mode: SearchMode): number[] {
  const places: number[] = [];
  for (let at = 0; at + needle.length <= text.length && places.length < mode.maxHits; ) {
    const isHere = text.startsWith(needle, at);
    if (isHere) places.push(at);
    at += isHere && !mode.overlapping ? needle.length : 1;
  }
  return places;
}

const periodic = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 });
const needles = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 9 });
const modes = fc.record({ overlapping: fc.boolean(), maxHits: fc.integer({ min: 1, max: 30 }) });

describe("NeedleSearch", () => {
  it("finds what a naive search finds, wherever chunks end and whatever gives up", async () => {
    const sizes = fc.record({
      chunkBytes: fc.integer({ min: 1, max: 8 }),
      anchorBytes: fc.integer({ min: 1, max: 4 }),
      sliceBytes: fc.integer({ min: 1, max: 8 }),
      windowedBytes: fc.integer({ min: 1, max: 9 }),
      maxFailedComparisons: fc.integer({ min: 0, max: 4 }),
      maxLongCandidates: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(periodic, needles, modes, sizes, async (text, needle, mode, some) => {
        expect(await search(text, needle, mode, some)).toEqual(naive(text, needle, mode));
      }),
      { numRuns: 5000 },
    );
  });

  it("finds a needle across every edge of a chunk", async () => {
    const needle = "needle";
    for (let before = 0; before < 20; before++) {
      const text = `${"-".repeat(before)}${needle}${"-".repeat(20 - before)}`;
      for (let chunkBytes = 1; chunkBytes < 10; chunkBytes++) {
        expect(await search(text, needle, {}, { chunkBytes })).toEqual([before]);
      }
    }
  });

  it("finds a needle that is as long as the text, and none that is longer", async () => {
    expect(await search("abc", "abc")).toEqual([0]);
    expect(await search("abc", "abcd")).toEqual([]);
    expect(await search("", "a")).toEqual([]);
  });

  it("finds a needle that is longer than the window", async () => {
    const needle = `${"begin ".repeat(20_000)}end`;
    const text = `${"begin ".repeat(10)}- ${needle} ${needle}!`;
    expect(needle.length).toBeGreaterThan(defaultSizes.windowedBytes);
    const first = text.indexOf(needle);
    expect(await search(text, needle)).toEqual([first, first + needle.length + 1]);
  });

  // Each takes the built-in search, or a comparison at every place, minutes.
  const long = "a".repeat(2 * 1024 * 1024);
  it.each([
    ["a short needle that ends otherwise", `${"a".repeat(31)}b`],
    ["a long needle that ends otherwise", `${"a".repeat(60_000)}b`],
    ["a needle that differs in the middle", `${"a".repeat(500)}b${"a".repeat(500)}`],
    ["a needle beyond the window", `${"a".repeat(1_000_000)}b`],
  ])("ends soon with %s", async (_name, needle) => {
    expect(await search(long, needle)).toEqual([]);
  });

  it("shows the last place after all that nearly were", async () => {
    const needle = `${"a".repeat(1000)}b`;
    expect(await search(`${long}b${long}`, needle)).toEqual([long.length - 1000]);
  });
});

describe("searchLinearly()", () => {
  it("finds what a naive search finds from a position on", async () => {
    await fc.assert(
      fc.asyncProperty(periodic, needles, modes, fc.nat(20), async (text, needle, mode, from) => {
        const found = await searchLinearly(bytesSource(Buffer.from(text)), Buffer.from(needle), {
          fromBytes: from,
          mode,
          chunkBytes: 3,
          meter,
        });
        const rest = naive(text.slice(from), needle, mode).map((place) => place + from);
        expect(found).toEqual(from > text.length ? [] : rest);
      }),
      { numRuns: 2000 },
    );
  });
});
