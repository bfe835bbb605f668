import { encodeUtf16 } from "@fe/engine/display";
import { describe, expect, it } from "vitest";
import { mergeOf } from "./merge.ts";

const merge = (base: string, one: string, other: string) =>
  mergeOf(
    ...([base, one, other].map((text) => Buffer.from(text, "latin1")) as [Buffer, Buffer, Buffer]),
  );

async function merged(base: string, one: string, other: string): Promise<string> {
  const result = await merge(base, one, other);
  if (result.kind !== "merged") throw new Error(JSON.stringify(result));
  return result.bytes.toString("latin1");
}

describe("mergeOf()", () => {
  it("B10 keeps what both sides changed at different places, byte for byte", async () => {
    const base = "1\n2\r\n3\n\xe4\n5";
    expect(await merged(base, "one\n2\r\n3\n\xe4\n5", "1\n2\r\n3\n\xe4\n5\n6\n")).toBe(
      "one\n2\r\n3\n\xe4\n5\n6\n",
    );
    expect(await merged("a\nb\nc\nd\n", "b\nc\nd\n", "a\nb\nc\n")).toBe("b\nc\n");
    expect(await merged("a\nb\nc\n", "a\nb\nc\n", "x\n")).toBe("x\n");
    expect(await merged("", "a\n", "")).toBe("a\n");
  });

  it("B10 takes what both sides changed alike, once", async () => {
    expect(await merged("a\nb\nc\n", "a\nx\nc\n", "a\nx\nc\n")).toBe("a\nx\nc\n");
  });

  it("B10 guesses nothing: changes that overlap or touch are a conflict", async () => {
    const conflict = { kind: "conflict", firstLine: 2, lastLine: 2 };
    expect(await merge("a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n")).toEqual(conflict);
    expect(await merge("a\nb\nc\n", "a\nx\nc\n", "a\nb\ny\n")).toMatchObject({
      kind: "conflict",
      firstLine: 2,
      lastLine: 3,
    });
    expect((await merge("a\nb\n", "a\nx\nb\n", "a\ny\nb\n")).kind).toBe("conflict");
    expect((await merge("", "a\n", "b\n")).kind).toBe("conflict");
  });

  it("B10 compares at once what an edit changed in each of very many lines", async () => {
    const text = (word: string, count = 30_000): string =>
      Array.from({ length: count }, (_, index) => `${index} ${word}\n`).join("");
    const [base, after] = [text("foo"), text("bar")];
    expect(await merge(base, after, text("bar", 20_000))).toEqual({
      kind: "conflict",
      firstLine: 1,
      lastLine: 30_000,
    });
    const [old, made] = [`a\n${base}b\nc\n`, `a\n${after}b\nc\n`];
    expect(await merged(old, made, `a\n${base}b\nx\n`)).toBe(`a\n${after}b\nx\n`);
  });

  it("B10 gives up, rather than let wait, what has the same lines in another order", async () => {
    const places = [...new Array(20_000).keys()];
    const text = (all: readonly number[]): string => all.map((place) => `${place}\n`).join("");
    const mixed = places.map((place) => (place * 7_919) % 20_000);
    const why = "they have too little in common to be compared line by line";
    expect(await merge(text(places), text(mixed), "")).toEqual({ kind: "none", why });
  });

  it("B10 merges no bytes that are no text", async () => {
    const why = expect.stringMatching(/^they are not text: they hold NULs/u);
    expect(await merge("a\0", "b", "c")).toEqual({ kind: "none", why });
  });

  it.each(["le", "be"] as const)("B10 merges UTF-16 by its characters (%s)", async (order) => {
    // U+0A05 has a byte that is a line feed in every other encoding, U+4E00 one that is NUL.
    const texts = [
      "1 \u0a05\u4e00\n2\n3 x\n",
      "eins \u0a05\u4e00\n2\n3 x\n",
      "1 \u0a05\u4e00\n2\n3\n",
    ];
    // A lone surrogate is no text, so nothing but a mark says that this is UTF-16.
    for (const more of ["", "\ufeff", "\ufeff\ud800"]) {
      const [base, one, other] = texts.map((text) => encodeUtf16(`${more}${text}`, order));
      if (!base || !one || !other) throw new Error("three");
      const merged = encodeUtf16(`${more}eins \u0a05\u4e00\n2\n3\n`, order);
      expect(await mergeOf(base, one, other)).toEqual({ kind: "merged", bytes: merged });
      const why = "one of them ends within a character of UTF-16";
      expect(await mergeOf(base, one, other.subarray(0, -1))).toEqual({ kind: "none", why });
    }
  });

  it("B10 merges no UTF-16 with what is something else by now", async () => {
    const wide = encodeUtf16("\ufeffone\ntwo\n", "le");
    const why = "not all of them are UTF-16 of one byte order";
    for (const other of [Buffer.from("one\ntwo\n"), encodeUtf16("\ufeffone\ntwo\n", "be")]) {
      expect(await mergeOf(wide, wide, other)).toEqual({ kind: "none", why });
    }
    expect(await mergeOf(wide, wide, Buffer.alloc(0))).toEqual({
      kind: "merged",
      bytes: Buffer.alloc(0),
    });
  });
});
