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

export class ImageHasher {
  readonly #before: Hash = newHash();
  #after: Hash | undefined;
  readonly #splices: readonly Splice[];
  readonly #breathe: () => Promise<void>;
  readonly #staging: Uint8Array;
  readonly #knownBefore: Buffer | undefined;
  #staged = 0;
  /**
   * The next splice, and the first before-image byte that it and its predecessors have not dealt
   * with.
   */
  #next = 0;
  #position = 0;

  /**
   * `breathe` lets the event loop turn; it is called while long insertions are hashed. `known`: how
   * long the after-image will be, and the sum of the before-image if the caller has it already.
   */
  constructor(
    splices: readonly Splice[],
    breathe: () => Promise<void>,
    known: { readonly afterBytes: number; readonly beforeSum?: Buffer | undefined },
  ) {
    this.#splices = splices;
    this.#breathe = breathe;
    this.#knownBefore = known.beforeSum;
    // Not more than there can be to gather: most files are small, and this is made for each edit.
    const room = Math.max(smallPieceBytes, known.afterBytes);
    this.#staging = Buffer.allocUnsafe(Math.min(stagingBytes, room));
  }

  /** Takes the next bytes of the before-image; they begin at `start`. */
  async feed(chunk: Uint8Array, start: number): Promise<void> {
    const end = start + chunk.length;
    if (this.#after !== undefined) {
      if (this.#knownBefore === undefined) this.#before.update(chunk);
    } else {
      const firstChange = this.#splices[0]?.offsetBytes ?? Number.POSITIVE_INFINITY;
      const shared = Math.min(chunk.length, firstChange - start);
      this.#before.update(chunk.subarray(0, shared));
      this.#position = start + shared;
      if (firstChange >= end) return;
      this.#after = this.#split();
      if (this.#knownBefore === undefined) this.#before.update(chunk.subarray(shared));
    }
    let splice = this.#splices[this.#next];
    while (splice !== undefined && splice.offsetBytes < end) {
      this.#put(chunk.subarray(this.#position - start, splice.offsetBytes - start));
      await this.#putInserted(splice.inserted);
      this.#position = splice.offsetBytes + splice.removedBytes;
      this.#next += 1;
      splice = this.#splices[this.#next];
    }
    if (this.#position < end) {
      this.#put(chunk.subarray(this.#position - start));
      this.#position = end;
    }
  }

  /** Both sums, once the whole before-image was fed. */
  async finish(): Promise<{ readonly before: Buffer; readonly after: Buffer }> {
    this.#after ??= this.#split();
    for (const splice of this.#splices.slice(this.#next)) await this.#putInserted(splice.inserted);
    this.#flush();
    const before = this.#knownBefore ?? this.#before.digest();
    return { before, after: this.#after.digest() };
  }

  /** From here on the sums differ; if that of the before-image is known, one goes on alone. */
  #split(): Hash {
    return this.#knownBefore === undefined ? this.#before.copy() : this.#before;
  }

  async #putInserted(bytes: Uint8Array): Promise<void> {
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
