/**
 * Both images' sums in one pass over the before-image. Up to the first change the two are the same,
 * so that stretch is hashed once and the sum copied.
 */
import type { Hash } from "node:crypto";
import { newHash } from "./checksum.ts";
import { chunkBytes } from "./limits.ts";
import type { Splice } from "./splice.ts";

/** Smaller pieces are gathered: one call of the hash for each of a million would take seconds. */
const smallPieceBytes = 4096;
const stagingBytes = 64 * 1024;
/** So much is hashed without a break, about two milliseconds, before others get their turn. */
const breathBytes: number = 4 * chunkBytes;

/** SHA-256 of both images. */
export interface ImageSums {
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Is fed the before-image, and then knows both sums. */
export interface ImageSummer {
  /** Takes the next bytes of the before-image; they begin at `start`. */
  feed(chunk: Uint8Array, start: number): Promise<void>;
  /** Both sums, once the whole before-image was fed. */
  finish(): Promise<ImageSums>;
}

export class ImageHasher implements ImageSummer {
  readonly #before: Hash = newHash();
  #after: Hash | undefined;
  readonly #splices: readonly Splice[];
  readonly #breathe: () => Promise<void>;
  readonly #staging: Uint8Array;
  #staged = 0;
  /**
   * The next splice, and the first before-image byte that it and its predecessors have not dealt
   * with.
   */
  #next = 0;
  #position = 0;

  /** `breathe` lets the event loop turn; it is called while long insertions are hashed. */
  constructor(splices: readonly Splice[], breathe: () => Promise<void>) {
    this.#splices = splices;
    this.#breathe = breathe;
    this.#staging = Buffer.allocUnsafe(stagingBytes);
  }

  async feed(chunk: Uint8Array, start: number): Promise<void> {
    const end = start + chunk.length;
    if (this.#after !== undefined) {
      this.#before.update(chunk);
    } else {
      const firstChange = this.#splices[0]?.offsetBytes ?? Number.POSITIVE_INFINITY;
      const shared = Math.min(chunk.length, firstChange - start);
      this.#before.update(chunk.subarray(0, shared));
      this.#position = start + shared;
      if (firstChange >= end) return;
      this.#after = this.#before.copy();
      this.#before.update(chunk.subarray(shared));
    }
    let splice = this.#splices[this.#next];
    while (splice !== undefined && splice.offsetBytes < end) {
      this.#put(chunk.subarray(this.#position - start, splice.offsetBytes - start));
      const pending = this.#putInserted(splice.inserted);
      if (pending !== undefined) await pending;
      this.#position = splice.offsetBytes + splice.removedBytes;
      this.#next += 1;
      splice = this.#splices[this.#next];
    }
    if (this.#position < end) {
      this.#put(chunk.subarray(this.#position - start));
      this.#position = end;
    }
  }

  async finish(): Promise<ImageSums> {
    this.#after ??= this.#before.copy();
    for (const splice of this.#splices.slice(this.#next)) await this.#putInserted(splice.inserted);
    this.#flush();
    return { before: this.#before.digest(), after: this.#after.digest() };
  }

  /** `undefined`: done, without a break. */
  #putInserted(bytes: Uint8Array): undefined | Promise<void> {
    if (bytes.length > breathBytes) return this.#putLong(bytes);
    this.#put(bytes);
    return undefined;
  }

  async #putLong(bytes: Uint8Array): Promise<void> {
    for (let position = 0; position < bytes.length; position += breathBytes) {
      if (position > 0) await this.#breathe();
      this.#put(bytes.subarray(position, position + breathBytes));
    }
  }

  #put(bytes: Uint8Array): void {
    if (bytes.length >= smallPieceBytes) {
      this.#flush();
      this.#after?.update(bytes);
      return;
    }
    if (this.#staged + bytes.length > this.#staging.length) this.#flush();
    this.#staging.set(bytes, this.#staged);
    this.#staged += bytes.length;
  }

  #flush(): void {
    if (this.#staged > 0) this.#after?.update(this.#staging.subarray(0, this.#staged));
    this.#staged = 0;
  }
}
