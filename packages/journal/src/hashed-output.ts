/** Writes many small pieces by few large writings, and knows the sum of them all. */
import type { StoreFile } from "@fe/native";
import { newHash } from "./checksum.ts";
import { writeAll } from "./durable-write.ts";
import { chunkBytes } from "./limits.ts";

export class HashedOutput {
  readonly #file: StoreFile;
  readonly #hash = newHash();
  readonly #buffer: Buffer;
  #filled = 0;
  #position: number;

  /** Writes to `file` from `position` on; `expectedBytes` in all. */
  constructor(file: StoreFile, position: number, expectedBytes: number) {
    this.#buffer = Buffer.allocUnsafe(Math.min(chunkBytes, expectedBytes));
    this.#file = file;
    this.#position = position;
  }

  /** Takes at most {@link chunkBytes}; `undefined` if they only had to be kept. */
  write(bytes: Uint8Array): undefined | Promise<void> {
    if (this.#filled + bytes.length > this.#buffer.length) return this.#flushThenKeep(bytes);
    this.#keep(bytes);
    return undefined;
  }

  /** Writes the rest; returns the sum of everything. */
  async finish(): Promise<Buffer> {
    await this.#flush();
    return this.#hash.digest();
  }

  async #flushThenKeep(bytes: Uint8Array): Promise<void> {
    await this.#flush();
    this.#keep(bytes);
  }

  #keep(bytes: Uint8Array): void {
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  async #flush(): Promise<void> {
    const piece = this.#buffer.subarray(0, this.#filled);
    this.#hash.update(piece);
    await writeAll(this.#file, piece, this.#position);
    this.#position += piece.length;
    this.#filled = 0;
  }
}
