/** Reads the log of a disk, and makes the disks of all moments out of it. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

/** One line of the log; see native/block-log.c. */
export type Entry =
  | {
      readonly kind: "write";
      /** Where on the disk. */
      readonly offset: number;
      readonly length: number;
      /** Where the bytes stand in the log. */
      readonly at: number;
    }
  | { readonly kind: "flush" }
  | { readonly kind: "mark"; readonly text: string };

/** Part of a write. */
export interface Piece {
  readonly offset: number;
  readonly length: number;
  readonly at: number;
}

/** An open log. */
export class BlockLog implements Disposable {
  readonly entries: readonly Entry[];
  readonly #fd: number;

  constructor(file: string) {
    this.#fd = openSync(file, "r");
    this.entries = [...this.#read()];
  }

  *#read(): Generator<Entry> {
    const { size } = fstatSync(this.#fd);
    const head = Buffer.alloc(32);
    for (let at = 0; at < size; ) {
      readSync(this.#fd, head, 0, head.length, at);
      at += head.length;
      const [kind, offset, length] = [0, 8, 16].map((from) => Number(head.readBigUInt64LE(from)));
      if (kind === undefined || offset === undefined || length === undefined) return;
      if (kind === 1) yield { kind: "write", offset, length, at };
      else if (kind === 2) yield { kind: "flush" };
      else if (kind === 3) yield { kind: "mark", text: this.#bytes(at, length).toString() };
      else throw new Error(`The log has an entry of kind ${kind}`);
      at += length;
    }
  }

  #bytes(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.#fd, bytes, 0, length, at);
    return bytes;
  }

  /** Writes pieces to an image, in their order. */
  apply(pieces: Iterable<Piece>, image: number): void {
    for (const { offset, length, at } of pieces) {
      writeSync(image, this.#bytes(at, length), 0, length, offset);
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}
