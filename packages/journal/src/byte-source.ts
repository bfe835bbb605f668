/** Bytes that are read where they are wanted, so that no version of a file need stand in memory. */

/** Something to read bytes from, at any position, of a length that is known. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** All of them, where they stand in memory and cannot change; then nobody need copy them. */
  readonly bytes?: Uint8Array;
  /**
   * Fills `buffer` from `positionBytes` on. Returns the count; fewer than `buffer.length` only at
   * the end, and 0 behind it. Errors: those of what is read, such as `OsError` (`EIO`).
   */
  read(buffer: Uint8Array, positionBytes: number): Promise<number>;
}

/** The bytes of an array, not copied: it must not change as long as the source is used. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return {
    sizeBytes: bytes.length,
    bytes,
    async read(buffer, positionBytes) {
      const piece = bytes.subarray(positionBytes, positionBytes + buffer.length);
      buffer.set(piece);
      return piece.length;
    },
  };
}

/** A stretch of `whole`, as a source of its own. */
export function sectionSource(
  whole: Pick<ByteSource, "read">,
  offsetBytes: number,
  sizeBytes: number,
): ByteSource {
  return {
    sizeBytes,
    async read(buffer, positionBytes) {
      const wanted = Math.max(0, Math.min(buffer.length, sizeBytes - positionBytes));
      if (wanted === 0) return 0;
      return whole.read(buffer.subarray(0, wanted), offsetBytes + positionBytes);
    },
  };
}
