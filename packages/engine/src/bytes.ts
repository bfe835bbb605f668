/** Reading, comparing and hashing bytes in bounded pieces, off the event loop between them. */
import { createHash } from "node:crypto";
import type { ByteSource } from "@fe/journal";
import type { ReadableFile } from "@fe/native";

/** Large enough that a system call costs little, small enough that hashing one takes about 1 ms. */
export const chunkBytes: number = 1024 * 1024;

/** Up to this, reading piece by piece costs more than the work on the pieces. */
const smallBytes: number = 256 * 1024;

/** Buffers of one size that are kept for the next pass: a fresh one costs memory and its faults. */
class SpareBuffers {
  readonly #sizeBytes: number;
  readonly #most: number;
  readonly #spare: Buffer[] = [];

  constructor(sizeBytes: number, most: number) {
    this.#sizeBytes = sizeBytes;
    this.#most = most;
  }

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.#sizeBytes);
  }

  giveBack(buffer: Buffer): void {
    if (this.#spare.length < this.#most) this.#spare.push(buffer);
  }
}

const chunkBuffers = new SpareBuffers(chunkBytes, 4);
const smallBuffers = new SpareBuffers(smallBytes, 2);

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
  const spare = length <= smallBytes ? smallBuffers : chunkBuffers;
  const buffers = [spare.take(), ...(sizeBytes > length ? [spare.take()] : [])];
  const read = (chunk: number): Promise<number> => {
    const position = chunk * length;
    const buffer = buffers[chunk % buffers.length] ?? new Uint8Array();
    const room = buffer.subarray(0, Math.min(length, sizeBytes - position));
    const reading = source.read(room, position);
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
    for (const buffer of buffers) spare.giveBack(buffer);
  }
}

/** All of a small source, in `buffer` or as a view of it. Fewer if it ends early. */
async function readSmall(source: ByteSource, buffer: Buffer): Promise<Uint8Array> {
  if (source.bytes !== undefined) return source.bytes;
  const room = buffer.subarray(0, source.sizeBytes);
  return room.subarray(0, await source.read(room, 0));
}

async function sameSmall(left: ByteSource, right: ByteSource): Promise<boolean> {
  const buffers = [smallBuffers.take(), smallBuffers.take()] as const;
  try {
    const one = await readSmall(left, buffers[0]);
    const other = await readSmall(right, buffers[1]);
    return one.length === left.sizeBytes && Buffer.compare(one, other) === 0;
  } finally {
    for (const buffer of buffers) smallBuffers.giveBack(buffer);
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
  const { sizeBytes } = left;
  if (sizeBytes !== right.sizeBytes) return false;
  if (sizeBytes <= smallBytes) return sameSmall(left, right);
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

/** A length, in words. */
export function byteCount(sizeBytes: number): string {
  return `${sizeBytes} byte${sizeBytes === 1 ? "" : "s"}`;
}
