/** Reading, comparing and hashing bytes in bounded pieces, off the event loop between them. */
import { createHash } from "node:crypto";
import type { ByteSource } from "@fe/journal";
import type { ReadableFile } from "@fe/native";

/** Large enough that a system call costs little, small enough that hashing one takes about 1 ms. */
export const chunkBytes: number = 1024 * 1024;

/** The content of an open file of known length. */
export function fileSource(file: ReadableFile, sizeBytes: number): ByteSource {
  return { sizeBytes, read: (buffer, positionBytes) => file.read(buffer, positionBytes) };
}

/**
 * All bytes in order; each chunk is valid until the next is asked for. Fewer if the source ends
 * early.
 */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(chunkBytes, Math.max(source.sizeBytes, 1)));
  for (let position = 0; position < source.sizeBytes; ) {
    const wanted = Math.min(buffer.length, source.sizeBytes - position);
    const count = await source.read(buffer.subarray(0, wanted), position);
    if (count === 0) return;
    yield buffer.subarray(0, count);
    position += count;
  }
}

/** SHA-256 of a source, in hex. */
export async function hashOf(source: ByteSource): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(source)) hash.update(chunk);
  return hash.digest("hex");
}

/** Whether two sources hold the same bytes. */
export async function sameBytes(left: ByteSource, right: ByteSource): Promise<boolean> {
  if (left.sizeBytes !== right.sizeBytes) return false;
  const buffer = new Uint8Array(Math.min(chunkBytes, Math.max(right.sizeBytes, 1)));
  let position = 0;
  for await (const chunk of chunksOf(left)) {
    const other = buffer.subarray(0, chunk.length);
    if ((await right.read(other, position)) !== chunk.length) return false;
    if (Buffer.compare(chunk, other) !== 0) return false;
    position += chunk.length;
  }
  return position === left.sizeBytes;
}
