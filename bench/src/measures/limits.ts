/** What the machine itself needs: the floor under every way of editing a file. */
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import path from "node:path";
import { makeFile, mebibyte } from "../sample.ts";
import { type Summary, summarize } from "../statistics.ts";

/** Milliseconds for one pass over the bytes, piece by piece. */
export interface Limits {
  readonly sizeBytes: number;
  readonly read: Summary;
  readonly hash: Summary;
  /** Two files of equal content, both read. */
  readonly compare: Summary;
  /** Written from memory into a new file, and synced. */
  readonly writeAndSync: Summary;
}

export function measureLimits(folder: string, sizeBytes: number, rounds: number): Limits {
  const file = path.join(folder, "source.bin");
  makeFile(file, "same length", sizeBytes);
  const times: Record<"read" | "hash" | "compare" | "writeAndSync", number[]> = {
    read: [],
    hash: [],
    compare: [],
    writeAndSync: [],
  };
  const one = Buffer.alloc(Math.min(mebibyte, sizeBytes));
  const other = Buffer.alloc(one.length);
  const timed = (series: number[], work: () => void): void => {
    const started = performance.now();
    work();
    series.push(performance.now() - started);
  };
  for (let round = 0; round < rounds; round++) {
    timed(times.read, () => eachPiece(file, one, () => undefined));
    timed(times.hash, () => {
      const hash = createHash("sha256");
      for (let done = 0; done < sizeBytes; done += one.length) hash.update(one);
      hash.digest();
    });
    timed(times.compare, () => {
      const descriptor = openSync(file, "r");
      eachPiece(file, one, (position) => {
        readSync(descriptor, other, 0, other.length, position);
        if (Buffer.compare(one, other) !== 0) throw new Error("A file differs from itself");
      });
      closeSync(descriptor);
    });
    timed(times.writeAndSync, () => writeNew(path.join(folder, "copy.bin"), one, sizeBytes));
  }
  return {
    sizeBytes,
    read: summarize(times.read),
    hash: summarize(times.hash),
    compare: summarize(times.compare),
    writeAndSync: summarize(times.writeAndSync),
  };
}

function eachPiece(file: string, buffer: Uint8Array, use: (position: number) => void): void {
  const descriptor = openSync(file, "r");
  for (let position = 0; ; position += buffer.length) {
    if (readSync(descriptor, buffer, 0, buffer.length, position) < buffer.length) break;
    use(position);
  }
  closeSync(descriptor);
}

function writeNew(file: string, piece: Uint8Array, sizeBytes: number): void {
  const descriptor = openSync(file, "w");
  for (let done = 0; done < sizeBytes; done += piece.length) writeSync(descriptor, piece);
  fsyncSync(descriptor);
  closeSync(descriptor);
  unlinkSync(file);
}
