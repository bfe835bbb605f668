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

  it("B10 merges no bytes that are no text", async () => {
    expect(await merge("a\0", "b", "c")).toEqual({ kind: "none", why: "they are not text" });
  });
});
