/** Reads many small ranges of a source in ascending order by few large readings. */
import { type ByteSource, SourceChangedError } from "@fe/journal";

/** Many ranges lie in one window, and it is soon read. */
const windowBytes = 256 * 1024;

/**
 * One reader serves one walk over the source; the bytes it shows may be overwritten by the next
 * call.
 */
export class RangeReader {
  readonly #source: ByteSource;
  readonly #memory: Buffer;
  #start = 0;
  #end = 0;

  constructor(source: ByteSource) {
    this.#source = source;
    this.#memory = Buffer.allocUnsafe(Math.min(windowBytes, source.sizeBytes));
  }

  /**
   * The bytes from `from` to before `to`, at most 256 KiB; a promise only if they must be read.
   *
   * Errors: `SourceChangedError` if the source ends before.
   */
  read(from: number, to: number): Buffer | Promise<Buffer> {
    if (from >= this.#start && to <= this.#end) {
      return this.#memory.subarray(from - this.#start, to - this.#start);
    }
    return this.#refill(from, to);
  }

  async #refill(from: number, to: number): Promise<Buffer> {
    const length = Math.min(this.#memory.length, this.#source.sizeBytes - from);
    if (to - from > length) throw new SourceChangedError(this.#source.sizeBytes);
    const count = await this.#source.read(this.#memory.subarray(0, length), from);
    if (count < length) throw new SourceChangedError(this.#source.sizeBytes);
    this.#start = from;
    this.#end = from + length;
    return this.#memory.subarray(0, to - from);
  }
}
