/**
 * The disks that a loss of power may leave behind. Everything up to the last flush that ended is on
 * them; of what was written after it, any part may be.
 *
 * Not here: a piece of 4 KiB that is torn in itself; a disk that confirms a flush and does none.
 */
import type { Entry, Piece } from "./block-log.ts";

/** What of the writes after the last flush is on the disk. */
export type Survival = "nothing" | "half of the writes" | "half of the blocks" | "the first ones";

export const survivals: readonly Survival[] = [
  "nothing",
  "half of the writes",
  "half of the blocks",
  "the first ones",
];

/** What one flush makes durable, and the marks that were made by then. */
export interface Epoch {
  /** From 1. */
  readonly number: number;
  /** Writes since the flush before. */
  readonly writes: readonly Piece[];
  /** All marks before its flush has ended, from the beginning. */
  readonly marks: readonly string[];
}

/** The log cut at its flushes; the last epoch ends where the log does. */
export function epochsOf(entries: readonly Entry[]): Epoch[] {
  const epochs: Epoch[] = [];
  const marks: string[] = [];
  let writes: Piece[] = [];
  const cut = (): void => {
    epochs.push({ number: epochs.length + 1, writes, marks: [...marks] });
    writes = [];
  };
  for (const entry of entries) {
    if (entry.kind === "write") writes.push(entry);
    else if (entry.kind === "mark") marks.push(entry.text);
    else cut();
  }
  cut();
  return epochs;
}

const blockBytes = 4096;

function blocksOf({ offset, length, at }: Piece): Piece[] {
  const blocks: Piece[] = [];
  for (let from = 0; from < length; from += blockBytes) {
    const part = Math.min(blockBytes, length - from);
    blocks.push({ offset: offset + from, length: part, at: at + from });
  }
  return blocks;
}

/** The writes of an epoch that survive. The same seed gives the same ones. */
export function surviving({ writes, number }: Epoch, how: Survival, seed: number): Piece[] {
  const random = seededRandom(seed * 1_000_003 + number * 7 + survivals.indexOf(how));
  switch (how) {
    case "nothing":
      return [];
    case "half of the writes":
      return writes.filter(() => random() < 0.5);
    case "half of the blocks":
      return writes.flatMap(blocksOf).filter(() => random() < 0.5);
    case "the first ones":
      return writes.slice(0, Math.ceil(random() * writes.length));
  }
}

/** Mulberry32: small, and good enough to choose blocks by. */
function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
