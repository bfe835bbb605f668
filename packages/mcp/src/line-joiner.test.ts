import { describe, expect, it } from "vitest";
import { LineJoiner } from "./line-joiner.ts";

async function join(pieces: readonly string[], maxBytes = 100): Promise<string[]> {
  const joiner = new LineJoiner(maxBytes);
  const joined: string[] = [];
  joiner.on("data", (chunk: Buffer) => joined.push(chunk.toString()));
  const ended = new Promise<void>((resolve, reject) => {
    joiner.on("end", resolve);
    joiner.on("error", reject);
  });
  for (const piece of pieces) joiner.write(piece);
  joiner.end();
  await ended;
  return joined;
}

describe("LineJoiner", () => {
  it("gives whole lines, however they come", async () => {
    expect(await join(["a", "b\nc", "\nd\ne\n"])).toEqual(["ab\n", "c\nd\ne\n"]);
  });

  it("leaves out a message that never ended", async () => {
    expect(await join(["a\nb"])).toEqual(["a\n"]);
  });

  it("takes any number of lines up to the limit, and none above it", async () => {
    const line = `${"x".repeat(100)}\n`;
    expect((await join([line, line.slice(0, 60), line.slice(60)])).join("")).toBe(line + line);
    await expect(join(["x".repeat(60), "x".repeat(41)])).rejects.toThrow("more than 100 bytes");
  });
});
