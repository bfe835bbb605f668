/**
 * Which sums there are, over which bytes, and why. SHA-256 throughout: a record is also proof of
 * content, and one kind of sum is enough to explain.
 *
 * - Phase block: its own first 480 bytes. Alone, because it is the one part that changes in place.
 * - Header: the fixed part before the sum, and the metadata text. It is unique to its record, since
 *   the text holds the transaction id; so it tells a record from its successor at the same name.
 * - Changes (table and inserted bytes, or the raw after-image): in the trailer.
 * - Both images: in the metadata. They catch what the others cannot, a before-image that was
 *   changed.
 */
import { createHash, type Hash, hash as hashAtOnce } from "node:crypto";
import type { ByteSource } from "./byte-source.ts";
import { SourceChangedError } from "./errors.ts";
import { chunkBytes } from "./limits.ts";

/** Bytes of one sum. */
export const digestBytes = 32;

/** A new SHA-256. */
export function newHash(): Hash {
  return createHash("sha256");
}

/** SHA-256 of `parts`, one after the other. */
export function sha256(...parts: readonly (Uint8Array | string)[]): Buffer {
  const [first = "", ...rest] = parts;
  // Without an object in between: an edit takes ten sums of a few hundred bytes each.
  if (rest.length === 0) return hashAtOnce("sha256", first, "buffer");
  const buffers = parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part));
  return hashAtOnce("sha256", Buffer.concat(buffers), "buffer");
}

/** SHA-256 in hex of everything that `source` holds; read in chunks. */
export async function sha256OfSource(source: ByteSource): Promise<string> {
  const hash = newHash();
  await hashRange(hash, source, 0, source.sizeBytes);
  return hash.digest("hex");
}

/** Feeds the bytes from `from` to `to` of `source` into `hash`. */
export async function hashRange(
  hash: Hash,
  source: ByteSource,
  from: number,
  to: number,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, to - from));
  for (let position = from; position < to; position += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, to - position));
    const count = await source.read(piece, position);
    if (count < piece.length) throw new SourceChangedError(source.sizeBytes);
    hash.update(piece);
  }
}
