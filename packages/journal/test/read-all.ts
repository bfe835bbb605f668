/** Reads a source as its users do. */
import type { ByteSource } from "../src/index.ts";

/** All bytes of a source, read by small and odd pieces. */
export async function readAll(source: ByteSource, pieceBytes = 65_537): Promise<Buffer> {
  const bytes = Buffer.alloc(source.sizeBytes);
  for (let position = 0; position < bytes.length; position += pieceBytes) {
    await source.read(bytes.subarray(position, position + pieceBytes), position);
  }
  return bytes;
}
