/** The before-image on its way into a large record. */
import type { StoreFile } from "@fe/native";
import type { ByteSource } from "./byte-source.ts";
import { writeAll } from "./durable-write.ts";
import { SourceChangedError } from "./errors.ts";
import type { ImageSummer } from "./image-hasher.ts";
import { chunkBytes } from "./limits.ts";

/**
 * After so many pieces the disk is let begin to write them: rarely enough to cost nothing, and
 * often enough that little is left for the sync. Written at the pace of hashing, 128 MiB then took
 * 673 to 686 instead of 736 to 756 ms (Linux 6.18, ext4).
 */
const piecesPerWriteBack = 8;
/** A page that is written while it is not full yet has to be written twice. */
const pageBytes = 4096;

/**
 * Reads, hashes and writes the before-image, which begins at `at` in the record. While a piece is
 * hashed, the one before it is written and the next one read, and the disk writes those before.
 */
export async function copyBefore(
  file: StoreFile,
  source: ByteSource,
  at: number,
  hasher: ImageSummer,
): Promise<void> {
  const { sizeBytes: size, bytes } = source;
  const buffers = bytes === undefined ? [0, 1, 2].map(() => Buffer.allocUnsafe(chunkBytes)) : [];
  const pieceAt = async (index: number): Promise<Uint8Array> => {
    const position = index * chunkBytes;
    const length = Math.min(chunkBytes, size - position);
    if (bytes !== undefined) return bytes.subarray(position, position + length);
    const piece = (buffers[index % buffers.length] ?? Buffer.alloc(0)).subarray(0, length);
    if ((await source.read(piece, position)) !== length) throw new SourceChangedError(size);
    return piece;
  };
  const count = Math.ceil(size / chunkBytes);
  let reading: Promise<Uint8Array> | undefined;
  let writing: Promise<void> = Promise.resolve();
  try {
    for (let index = 0; index < count; index++) {
      const piece = await (reading ?? pieceAt(index));
      reading = index + 1 < count ? pieceAt(index + 1) : undefined;
      // A failure is met at the next `await`; until then it must not count as unhandled.
      reading?.catch(() => undefined);
      await hasher.feed(piece, index * chunkBytes);
      await writing;
      writing = writePiece(file, piece, at, index);
      writing.catch(() => undefined);
    }
    if ((await source.read(Buffer.alloc(1), size)) !== 0) throw new SourceChangedError(size);
  } catch (error) {
    // Neither file is to be closed under a call; if that fails too, the first error counts.
    await Promise.allSettled([reading, writing]);
    throw error;
  }
  await writing;
}

async function writePiece(
  file: StoreFile,
  piece: Uint8Array,
  at: number,
  index: number,
): Promise<void> {
  await writeAll(file, piece, at + index * chunkBytes);
  if ((index + 1) % piecesPerWriteBack !== 0) return;
  // Whole pages, and not those in front, which are written again at the end, with the header.
  const pageAt = (pieces: number): number => {
    const position = at + pieces * chunkBytes;
    return position - (position % pageBytes);
  };
  const from = pageAt(Math.max(index + 1 - piecesPerWriteBack, 1));
  await file.startWriteBack(from, pageAt(index + 1) - from);
}
