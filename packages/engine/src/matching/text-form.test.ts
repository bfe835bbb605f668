import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countByte } from "./count-byte.ts";
import { inStyle, LineStyleDetector } from "./line-endings.ts";
import { markedEncodingOf, mayBeSecondHalf } from "./text-form.ts";
import { Utf8Checker } from "./utf8-checker.ts";

/** The bytes in pieces, cut at random. */
const pieces = (bytes: fc.Arbitrary<Buffer>) =>
  fc.tuple(bytes, fc.array(fc.nat(40), { maxLength: 6 })).map(([whole, cuts]) => {
    const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
    return at.slice(1).map((end, index) => whole.subarray(at[index], end));
  });

describe("Utf8Checker", () => {
  it("says what isUtf8() says of the whole, wherever it is cut", () => {
    const parts = ["a", "é", "中", "😀"].map((character) => Buffer.from(character));
    const wrong = [[0x80], [0xc3], [0xe4, 0xb8], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xff]];
    const some = fc.constantFrom(...parts, ...parts, ...wrong.map((bytes) => Buffer.from(bytes)));
    const bytes = fc.array(some, { maxLength: 12 }).map((list) => Buffer.concat(list));
    fc.assert(
      fc.property(pieces(bytes), (list) => {
        const checker = new Utf8Checker();
        for (const piece of list) checker.feed(piece);
        expect(checker.isUtf8()).toBe(isUtf8(Buffer.concat(list)));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("LineStyleDetector", () => {
  const styleOf = (...chunks: (string | Buffer)[]) => {
    const detector = new LineStyleDetector();
    for (const chunk of chunks) detector.feed(Buffer.from(chunk as string));
    return detector.style();
  };
  const breaks = ["\r\n", "\n", "\r"];
  const names = ["crlf", "lf", "cr"];

  it("knows each style, and none", () => {
    expect(styleOf("a\nb\n")).toBe("lf");
    expect(styleOf("a\r\nb\r\n")).toBe("crlf");
    expect(styleOf("a\rb\r")).toBe("cr");
    expect(styleOf("ab")).toBe("none");
    expect(styleOf()).toBe("none");
    expect(styleOf("a\r\nb\n")).toBe("mixed");
    expect(styleOf("a\r", "\nb")).toBe("crlf");
    expect(styleOf("a\r", "b\r")).toBe("cr");
    expect(styleOf("a\r", "\r\n")).toBe("mixed");
  });

  // Long lines are told by the built-in search, short ones one by one.
  it.each([0, 40])("says what a regular expression says, with lines of %i bytes", (length) => {
    const line = "x".repeat(length);
    const text = fc
      .array(fc.constantFrom(...breaks, "a", ""), { maxLength: 8 })
      .map((parts) => Buffer.from(parts.map((part) => line + part).join("")));
    fc.assert(
      fc.property(pieces(text), (list) => {
        const found = new Set(
          Buffer.concat(list)
            .toString()
            .match(/\r\n|\n|\r/g),
        );
        const kinds = breaks.flatMap((lineBreak, at) => (found.has(lineBreak) ? names[at] : []));
        const expected = kinds.length > 1 ? "mixed" : (kinds[0] ?? "none");
        expect(styleOf(...list)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it("sees a single other line end far inside a large file", () => {
    const lines = Buffer.from("a line of usual length\r\n".repeat(20_000));
    expect(styleOf(lines)).toBe("crlf");
    for (const [index, byte] of [
      [lines.length - 2, 0x20],
      [lines.length - 1, 0x20],
      [100_000, 0x0d],
      [100_000, 0x0a],
    ] as const) {
      expect(styleOf(Buffer.from(lines).fill(byte, index, index + 1))).toBe("mixed");
    }
  });
});

describe("inStyle()", () => {
  it("takes every line break in the style, and leaves the rest", () => {
    expect(inStyle("a\r\nb\nc\rd", "lf")).toBe("a\nb\nc\nd");
    expect(inStyle("a\r\nb\nc\rd", "crlf")).toBe("a\r\nb\r\nc\r\nd");
    expect(inStyle("a\r\nb\nc\rd", "cr")).toBe("a\rb\rc\rd");
    for (const style of ["mixed", "none", "not-examined"] as const) {
      expect(inStyle("a\r\nb\n", style)).toBe("a\r\nb\n");
    }
  });
});

describe("mayBeSecondHalf()", () => {
  const after = (byte: string, ...before: number[]) =>
    mayBeSecondHalf(byte.charCodeAt(0), Uint8Array.from(before), true);

  it("is false after ASCII and at the beginning", () => {
    expect(after("A")).toBe(false);
    expect(after("A", 0x20)).toBe(false);
    expect(after("A", 0x81, 0x20)).toBe(false);
  });

  it("is true after a first half of GBK, Big5 or Shift-JIS, false after a whole character", () => {
    expect(after("A", 0x81)).toBe(true);
    expect(after("A", 0xd6, 0xd0)).toBe(false);
    expect(after("A", 0xd6, 0xd0, 0xce)).toBe(true);
    expect(after("A", 0x20, 0xd6, 0xd0, 0xce, 0xc4)).toBe(false);
    // A half-width katakana and a first half: even by GBK, odd by Shift-JIS.
    expect(after("A", 0xb1, 0x83)).toBe(true);
  });

  it("is true for a digit only where GB18030 has one", () => {
    expect(after("0", 0x81)).toBe(true);
    expect(after("0", 0x81, 0x30, 0x81)).toBe(true);
    expect(after("0", 0xb1, 0x83)).toBe(false);
  });

  it("is false for bytes that are the second half of nothing", () => {
    for (const byte of " \n\"'(,./!:;<=>?") expect(after(byte, 0x81)).toBe(false);
  });

  it("is true if the run of other bytes is longer than is looked at", () => {
    const run = new Uint8Array(256).fill(0xd6);
    expect(mayBeSecondHalf(0x41, run, false)).toBe(true);
    expect(mayBeSecondHalf(0x41, run, true)).toBe(false);
  });
});

describe("markedEncodingOf()", () => {
  it("knows byte order marks, and no others", () => {
    expect(markedEncodingOf(Uint8Array.of(0xff, 0xfe))).toBe("utf-16le");
    expect(markedEncodingOf(Uint8Array.of(0xff, 0xfe, 0x61, 0))).toBe("utf-16le");
    expect(markedEncodingOf(Uint8Array.of(0xfe, 0xff, 0, 0x61))).toBe("utf-16be");
    expect(markedEncodingOf(Uint8Array.of(0xff, 0xfe, 0, 0))).toBe("utf-32");
    expect(markedEncodingOf(Uint8Array.of(0, 0, 0xfe, 0xff))).toBe("utf-32");
    expect(markedEncodingOf(Uint8Array.of(0xef, 0xbb, 0xbf))).toBe("utf-8");
    for (const bytes of [[], [0xff], [0xff, 0xfb], [0xef, 0xbb], [0, 0, 0]]) {
      expect(markedEncodingOf(Uint8Array.from(bytes))).toBeUndefined();
    }
  });
});

describe("countByte()", () => {
  it("counts rare and frequent bytes over several blocks", () => {
    const bytes = Buffer.alloc(200_000, "x");
    for (let index = 0; index < bytes.length; index += 7) bytes[index] = 10;
    for (let index = 70_000; index < bytes.length; index += 999) bytes[index] = 13;
    for (const byte of [10, 13, 0x78, 0]) {
      expect(countByte(bytes, byte)).toBe(bytes.filter((some) => some === byte).length);
    }
    expect(countByte(Buffer.alloc(0), 10)).toBe(0);
  });
});
