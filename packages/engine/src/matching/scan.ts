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
  const { sizeBytes } = source;
  const carryBytes = Math.max(0, ...searches.map((search) => search.carryBytes));
  const chunkBytes = Math.min(sizes.chunkBytes, sizeBytes);
  const buffer = Buffer.allocUnsafe(Math.min(carryBytes, sizeBytes) + chunkBytes);
  let carried = 0;
  for (let position = 0; position < sizeBytes; ) {
    meter.throwIfAborted();
    const length = Math.min(chunkBytes, sizeBytes - position);
    const chunk = buffer.subarray(carried, carried + length);
    if ((await source.read(chunk, position)) < length) throw new SourceChangedError(sizeBytes);
    onChunk?.(chunk, position);
    const window = buffer.subarray(0, carried + length);
    const startBytes = position - carried;
    for (const search of searches) await search.search(window, startBytes);
    carried = Math.min(carryBytes, window.length);
    buffer.copyWithin(0, window.length - carried, window.length);
    position += length;
    const pending = meter.spend(length);
    if (pending !== undefined) await pending;
  }
}
