/** One pass over a source: every byte is read once, in order, and shown to all who want it. */
import { type ByteSource, SourceChangedError } from "@fe/journal";
import type { LocateSizes } from "./limits.ts";
import type { NeedleSearch } from "./needle-search.ts";
import type { WorkMeter } from "./work-meter.ts";

/**
 * Reads the source from its first to its last byte. `onChunk` gets each chunk once, in order, and
 * must not keep it; the searches get windows that overlap as much as they need.
 *
 * Errors: `SourceChangedError` if the source ends early; the signal's reason.
 */
export async function scan(
  source: ByteSource,
  searches: readonly NeedleSearch[],
  onChunk: ((chunk: Buffer, positionBytes: number) => void) | undefined,
  sizes: LocateSizes,
  meter: WorkMeter,
): Promise<void> {
  const carryBytes = Math.max(0, ...searches.map((search) => search.carryBytes));
  const look = async ({ window, carried, position }: Window): Promise<void> => {
    meter.throwIfAborted();
    onChunk?.(window.subarray(carried), position);
    for (const search of searches) await search.search(window, position - carried);
    const pending = meter.spend(window.length - carried);
    if (pending !== undefined) await pending;
  };
  const { bytes } = source;
  if (bytes === undefined) {
    const windows = readWindows(source, carryBytes, sizes.chunkBytes);
    for await (const window of windows) await look(window);
  } else {
    for (const window of viewWindows(bytes, carryBytes, sizes.chunkBytes)) await look(window);
  }
}

/** A chunk with the end of what stands before it. */
interface Window {
  readonly window: Buffer;
  /** How much of it was seen already. */
  readonly carried: number;
  /** Of the chunk in the source. */
  readonly position: number;
}

/** Of bytes in memory, without copying them. */
function* viewWindows(
  bytes: Uint8Array,
  carryBytes: number,
  chunkBytes: number,
): Generator<Window> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let position = 0; position < all.length; position += chunkBytes) {
    const carried = Math.min(carryBytes, position);
    yield { window: all.subarray(position - carried, position + chunkBytes), carried, position };
  }
}

/** Of a source that must be read: the next chunk is, while the caller works on the one before. */
async function* readWindows(
  source: ByteSource,
  carryBytes: number,
  wantedBytes: number,
): AsyncGenerator<Window> {
  const { sizeBytes } = source;
  const chunkBytes = Math.min(wantedBytes, sizeBytes);
  const room = Math.min(carryBytes, sizeBytes);
  const lengthAt = (position: number): number => Math.min(chunkBytes, sizeBytes - position);
  const read = (buffer: Buffer, position: number): Promise<number> => {
    const reading = source.read(buffer.subarray(room, room + lengthAt(position)), position);
    // A failure is met when it is this chunk's turn; until then it must not count as unhandled.
    reading.catch(() => undefined);
    return reading;
  };
  let buffer = Buffer.allocUnsafe(room + chunkBytes);
  let spare = sizeBytes > chunkBytes ? Buffer.allocUnsafe(buffer.length) : buffer;
  let carried = 0;
  let reading: Promise<number> | undefined;
  try {
    for (let position = 0; position < sizeBytes; position += chunkBytes) {
      const length = lengthAt(position);
      if ((await (reading ?? read(buffer, position))) < length) {
        throw new SourceChangedError(sizeBytes);
      }
      const end = position + length;
      reading = end < sizeBytes ? read(spare, end) : undefined;
      const window = buffer.subarray(room - carried, room + length);
      yield { window, carried, position };
      carried = Math.min(carryBytes, window.length);
      // Its place lies before what is just being read.
      window.copy(spare, room - carried, window.length - carried);
      [buffer, spare] = [spare, buffer];
    }
  } finally {
    // The caller may close the file as soon as this ends.
    await Promise.allSettled([reading]);
  }
}
