import type { ByteSource } from "@fe/journal";
import { bytesSource } from "@fe/journal";
import { describe, expect, it } from "vitest";
import { chunkBytes, chunksOf, hashOf, sameBytes } from "./bytes.ts";

const large: Buffer = Buffer.alloc(3 * chunkBytes + 5, "some text, ");

/** A source that must be read, and says in which order that was done. */
function readable(bytes: Uint8Array, claimed = bytes.length): ByteSource & { reads: number[] } {
  const reads: number[] = [];
  return {
    sizeBytes: claimed,
    reads,
    async read(buffer, position) {
      reads.push(position / chunkBytes);
      await new Promise(setImmediate);
      const piece = bytes.subarray(position, position + buffer.length);
      buffer.set(piece);
      return piece.length;
    },
  };
}

async function collect(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(source)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

describe("chunksOf()", () => {
  it.each([0, 1, chunkBytes, chunkBytes + 1, large.length])("gives all of %d bytes", async (n) => {
    const bytes = large.subarray(0, n);
    expect((await collect(readable(bytes))).equals(bytes)).toBe(true);
    expect((await collect(bytesSource(bytes))).equals(bytes)).toBe(true);
  });

  it("asks for the next chunk before it gives one away, and never for more", async () => {
    const source = readable(large);
    const chunks = chunksOf(source);
    await chunks.next();
    expect(source.reads).toEqual([0, 1]);
    await chunks.next();
    expect(source.reads).toEqual([0, 1, 2]);
    await chunks.return(undefined);
    expect(source.reads).toEqual([0, 1, 2]);
  });

  it("gives what there is of a source that ends early", async () => {
    const source = readable(large, large.length + chunkBytes);
    expect((await collect(source)).equals(large)).toBe(true);
  });

  it("tells a failure when it is that chunk's turn, after the chunks before it", async () => {
    const source: ByteSource = {
      sizeBytes: large.length,
      async read(buffer, position) {
        if (position > 0) throw new Error("gone");
        return buffer.length;
      },
    };
    const chunks = chunksOf(source);
    expect((await chunks.next()).done).toBe(false);
    await expect(chunks.next()).rejects.toThrow("gone");
  });

  it("ends no earlier than the reading that is under way", async () => {
    let running = 0;
    const source: ByteSource = {
      sizeBytes: large.length,
      async read(buffer) {
        running += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        return buffer.length;
      },
    };
    for await (const _ of chunksOf(source)) break;
    expect(running).toBe(0);
  });
});

describe("sameBytes()", () => {
  it.each([0, 100, large.length])("sees one changed byte, of %d", async (n) => {
    const bytes = large.subarray(0, n);
    expect(await sameBytes(readable(bytes), bytesSource(bytes))).toBe(true);
    expect(await sameBytes(bytesSource(bytes), readable(bytes))).toBe(true);
    if (n === 0) return;
    const other = Buffer.from(bytes);
    other[n - 1] = 0;
    expect(await sameBytes(readable(bytes), readable(other))).toBe(false);
  });

  it.each([100, large.length])("takes what ends early for other bytes, of %d", async (n) => {
    const bytes = large.subarray(0, n);
    const short = readable(bytes.subarray(0, n - 1), n);
    expect(await sameBytes(short, readable(bytes))).toBe(false);
    expect(await sameBytes(readable(bytes), short)).toBe(false);
    expect(await sameBytes(short, short)).toBe(false);
  });

  it("reads nothing of sources of other lengths", async () => {
    const source = readable(large);
    expect(await sameBytes(source, bytesSource(large.subarray(1)))).toBe(false);
    expect(source.reads).toEqual([]);
  });
});

describe("hashOf()", () => {
  it("is the same, read or in memory", async () => {
    expect(await hashOf(readable(large))).toBe(await hashOf(bytesSource(large)));
  });
});
