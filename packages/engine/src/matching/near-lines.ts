/** Which lines of a text resemble a given one. */
import { maxNearestCharacters, maxNearestLines } from "./limits.ts";
import type { NearestLine } from "./match-error.ts";

/**
 * Pairs of neighbouring characters are told apart by so many bits; a few that coincide do no harm.
 */
const pairBits = 16;

/** A line is shown if it shares at least this part of its pairs with the wanted one. A guess. */
const leastSimilarity = 0.5;

/** Ranks lines by the pairs of neighbouring characters that they share with one line (Dice). */
export class NearLines {
  readonly #wanted: Uint8Array = new Uint8Array(2 ** pairBits);
  /** Number of the line in which a pair was last seen, so that nothing need be cleared. */
  readonly #seenIn: Uint32Array = new Uint32Array(2 ** pairBits);
  readonly #wantedPairs: number;
  #best: { line: number; text: string; similarity: number }[] = [];

  constructor(wanted: string) {
    let pairs = 0;
    const text = wanted.trim();
    for (let index = 1; index < text.length; index++) {
      const pair = pairAt(text, index);
      if (this.#wanted[pair] === 1) continue;
      this.#wanted[pair] = 1;
      pairs += 1;
    }
    this.#wantedPairs = pairs;
  }

  /** `line` counts from 1. */
  offer(text: string, line: number): void {
    let common = 0;
    let pairs = 0;
    let start = 0;
    while (isBlank(text.charCodeAt(start))) start += 1;
    for (let index = start + 1; index < text.length; index++) {
      const pair = pairAt(text, index);
      if (this.#seenIn[pair] === line) continue;
      this.#seenIn[pair] = line;
      pairs += 1;
      common += this.#wanted[pair] ?? 0;
    }
    if (common === 0) return;
    const similarity = (2 * common) / (pairs + this.#wantedPairs);
    if (similarity < leastSimilarity) return;
    if (
      this.#best.length === maxNearestLines &&
      similarity <= (this.#best.at(-1)?.similarity ?? 0)
    ) {
      return;
    }
    // Sorting is stable, so of equal lines the earlier one stays first.
    this.#best.push({ line, text, similarity });
    this.#best.sort((one, other) => other.similarity - one.similarity);
    this.#best.length = Math.min(this.#best.length, maxNearestLines);
  }

  /** The most similar ones first. */
  best(): NearestLine[] {
    return this.#best.map(({ line, text }) => shownLine(text, line));
  }
}

/** A line as errors show it. */
export function shownLine(text: string, line: number): NearestLine {
  return {
    line,
    text: [...text.slice(0, 2 * maxNearestCharacters)].slice(0, maxNearestCharacters).join(""),
  };
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function pairAt(text: string, index: number): number {
  const pair = text.charCodeAt(index - 1) * 31 + text.charCodeAt(index);
  return pair & (2 ** pairBits - 1);
}
