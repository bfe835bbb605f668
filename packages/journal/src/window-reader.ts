/**
 * Reads many small neighbouring pieces of a source by few large readings. One reader serves one
 * reading of its caller and is then dropped, so it never shows bytes that were read long before.
 */
import type { ByteSource } from "./byte-source.ts";
import { SourceChangedError } from "./errors.ts";

/** Size of the window: many small pieces fit, and it is soon read. */
const windowBytes = 256 * 1024;

export class WindowReader {
  readonly #source: ByteSource;
  readonly #usesWindow: boolean;
  #memory: Uint8Array | undefined;
  #window: Uint8Array = new Uint8Array();
  #start = 0;

  /** `usesWindow: false`: every piece is read by itself, which is right if there are few. */
  constructor(source: ByteSource, usesWindow: boolean) {
    this.#source = source;
    this.#usesWindow = usesWindow;
  }

  /**
   * Fills all of `buffer` from `position` on; `undefined` if that was possible at once.
   *
   * Errors: `SourceChangedError` if the source ends before.
   */
  fill(buffer: Uint8Array, position: number): undefined | Promise<void> {
    const offset = position - this.#start;
    if (offset >= 0 && offset + buffer.length <= this.#window.length) {
      buffer.set(this.#window.subarray(offset, offset + buffer.length));
      return undefined;
    }
    return this.#read(buffer, position);
  }

  async #read(buffer: Uint8Array, position: number): Promise<void> {
    if (!this.#usesWindow || buffer.length >= windowBytes / 2) {
      await readAll(this.#source, buffer, position);
      return;
    }
    const length = Math.max(0, Math.min(windowBytes, this.#source.sizeBytes - position));
    if (length < buffer.length) throw new SourceChangedError(this.#source.sizeBytes);
    this.#memory ??= new Uint8Array(length);
    const window = this.#memory.subarray(0, length);
    await readAll(this.#source, window, position);
    this.#window = window;
    this.#start = position;
    buffer.set(window.subarray(0, buffer.length));
  }
}

async function readAll(source: ByteSource, buffer: Uint8Array, position: number): Promise<void> {
  const count = await source.read(buffer, position);
  if (count < buffer.length) throw new SourceChangedError(source.sizeBytes);
}
