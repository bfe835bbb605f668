/** Reading, comparing and hashing bytes in bounded pieces, off the event loop between them. */
import { createHash } from "node:crypto";
import type { ByteSource } from "@fe/journal";
import type { ReadableFile } from "@fe/native";

/** Large enough that a system call costs little, small enough that hashing one takes about 1 ms. */
export const chunkBytes: number = 1024 * 1024;

/** Up to this, reading piece by piece costs more than the work on the pieces. */
const smallBytes: number = 256 * 1024;

/** So many buffers are kept for the next pass: a fresh one costs a page fault for each 4 KiB. */
const maxSpareBuffers = 4;
const spareBuffers: Uint8Array[] = [];

/** At least so long. */
function takeBuffer(sizeBytes: number): Uint8Array {
  if (sizeBytes <= smallBytes) return new Uint8Array(sizeBytes);
  return spareBuffers.pop() ?? new Uint8Array(chunkBytes);
}

function giveBack(buffer: Uint8Array): void {
  const isWorthIt = buffer.length === chunkBytes && spareBuffers.length < maxSpareBuffers;
  if (isWorthIt) spareBuffers.push(buffer);
}

/** The content of an open file of known length. */
export function fileSource(file: ReadableFile, sizeBytes: number): ByteSource {
  return { sizeBytes, read: (buffer, positionBytes) => file.read(buffer, positionBytes) };
}

/**
 * All bytes in order; each chunk is valid until the next is asked for, and must not be changed.
 * Fewer if the source ends early.
 */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  const { bytes, sizeBytes } = source;
  if (bytes === undefined) {
    yield* readAhead(source);
    return;
  }
  for (let position = 0; position < sizeBytes; position += chunkBytes) {
    yield bytes.subarray(position, position + chunkBytes);
  }
}

/** The next chunk is read while the caller works on the one before. */
async function* readAhead(source: ByteSource): AsyncGenerator<Uint8Array> {
  const { sizeBytes } = source;
  const length = Math.min(chunkBytes, sizeBytes);
  const buffers = [takeBuffer(length), ...(sizeBytes > length ? [takeBuffer(length)] : [])];
  const read = (chunk: number): Promise<number> => {
    const position = chunk * length;
    const buffer = buffers[chunk % buffers.length] ?? new Uint8Array();
    const reading = source.read(buffer.subarray(0, sizeBytes - position), position);
    // A failure is met when it is this chunk's turn; until then it must not count as unhandled.
    reading.catch(() => undefined);
    return reading;
  };
  let reading: Promise<number> | undefined;
  try {
    for (let chunk = 0; chunk * length < sizeBytes; chunk++) {
      const count = await (reading ?? read(chunk));
      const isLast = (chunk + 1) * length >= sizeBytes;
      const wanted = Math.min(length, sizeBytes - chunk * length);
      // One that is short is the end of the source, whatever its size was.
      reading = isLast || count < wanted ? undefined : read(chunk + 1);
      if (count > 0) yield (buffers[chunk % buffers.length] ?? new Uint8Array()).subarray(0, count);
      if (count < wanted) return;
    }
  } finally {
    // A buffer that is still read into is nobody else's yet.
    await Promise.allSettled([reading]);
    for (const buffer of buffers) giveBack(buffer);
  }
}

/** All of a small source; a view of it if it stands in memory. Fewer if it ends early. */
async function readSmall(source: ByteSource): Promise<Uint8Array> {
  if (source.bytes !== undefined) return source.bytes;
  const buffer = Buffer.allocUnsafe(source.sizeBytes);
  return buffer.subarray(0, await source.read(buffer, 0));
}

/** SHA-256 of a source, in hex. */
export async function hashOf(source: ByteSource): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(source)) hash.update(chunk);
  return hash.digest("hex");
}

/** Whether two sources hold the same bytes. */
export async function sameBytes(left: ByteSource, right: ByteSource): Promise<boolean> {
  const { sizeBytes } = left;
  if (sizeBytes !== right.sizeBytes) return false;
  if (sizeBytes <= smallBytes) {
    const one = await readSmall(left);
    const other = await readSmall(right);
    return one.length === sizeBytes && Buffer.compare(one, other) === 0;
  }
  const others = chunksOf(right);
  try {
    let sameSoFar = 0;
    for await (const chunk of chunksOf(left)) {
      const other = await others.next();
      if (other.done === true || Buffer.compare(chunk, other.value) !== 0) return false;
      sameSoFar += chunk.length;
    }
    return sameSoFar === sizeBytes;
  } finally {
    await others.return(undefined);
  }
}
