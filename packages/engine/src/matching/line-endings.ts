/**
 * How lines end in a file, and texts in that style.
 *
 * A line break is CR LF, LF, or a CR without LF after it.
 */

import { blockBytes, countByte, isRare } from "./count-byte.ts";

/**
 * - `lf`, `crlf`, `cr`: every line break of the file is of this kind.
 * - `mixed`: two kinds at least.
 * - `none`: no line break.
 */
export type LineStyle = "lf" | "crlf" | "cr" | "mixed" | "none";

/** The styles that texts can be put into. */
export type UniformStyle = "lf" | "crlf" | "cr";

export const uniformStyles: readonly UniformStyle[] = ["lf", "crlf", "cr"];

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const breaks: Readonly<Record<UniformStyle, string>> = { lf: "\n", crlf: "\r\n", cr: "\r" };
const anyBreak = /\r\n|\n|\r/g;

export function hasLineBreak(text: string): boolean {
  return text.includes("\n") || text.includes("\r");
}

/** `text` with every line break in `style`; as it is, if the style is none that texts can have. */
export function inStyle(text: string, style: LineStyle | "not-examined"): string {
  if (style === "mixed" || style === "none" || style === "not-examined") return text;
  return text.replace(anyBreak, breaks[style]);
}

/** Finds out the style of bytes that come chunk by chunk. */
export class LineStyleDetector {
  #hasLf = false;
  #hasCrlf = false;
  #hasCr = false;
  /** The last chunk ended with a CR, so the next byte decides. */
  #endsWithCr = false;

  feed(chunk: Buffer): void {
    if (this.#isMixed()) return;
    // Most files have no CR at all, and to look for one byte costs next to nothing.
    if (!this.#endsWithCr && !chunk.includes(carriageReturn)) {
      this.#hasLf ||= chunk.includes(lineFeed);
      return;
    }
    for (let start = 0; start < chunk.length && !this.#isMixed(); start += blockBytes) {
      const block = chunk.subarray(start, start + blockBytes);
      if (isRare(block, lineFeed)) this.#visitLineFeeds(block);
      else this.#visitAll(block);
      this.#endsWithCr = block.at(-1) === carriageReturn;
    }
  }

  #visitLineFeeds(block: Buffer): void {
    let pairs = 0;
    if (this.#endsWithCr && block[0] !== lineFeed) this.#hasCr = true;
    for (let at = block.indexOf(lineFeed); at >= 0; at = block.indexOf(lineFeed, at + 1)) {
      const isPair = at === 0 ? this.#endsWithCr : block[at - 1] === carriageReturn;
      if (isPair) this.#hasCrlf = true;
      else this.#hasLf = true;
      if (isPair && at > 0) pairs += 1;
    }
    // A CR at the very end may still become half of a pair.
    const open = block.at(-1) === carriageReturn ? 1 : 0;
    if (countByte(block, carriageReturn) > pairs + open) this.#hasCr = true;
  }

  #visitAll(block: Buffer): void {
    // Local variables and an index: private members and iterators make this several times as slow.
    let hasLf = false;
    let hasCrlf = false;
    let hasCr = false;
    let previousIsCr = this.#endsWithCr;
    for (let index = 0; index < block.length; index++) {
      const byte = block[index];
      if (byte === lineFeed) {
        if (previousIsCr) hasCrlf = true;
        else hasLf = true;
      } else if (previousIsCr) {
        hasCr = true;
      }
      previousIsCr = byte === carriageReturn;
    }
    this.#hasLf ||= hasLf;
    this.#hasCrlf ||= hasCrlf;
    this.#hasCr ||= hasCr;
  }

  #isMixed(): boolean {
    return Number(this.#hasLf) + Number(this.#hasCrlf) + Number(this.#hasCr) > 1;
  }

  /** The style of all that was fed. */
  style(): LineStyle {
    if (this.#endsWithCr) this.#hasCr = true;
    this.#endsWithCr = false;
    if (this.#isMixed()) return "mixed";
    if (this.#hasLf) return "lf";
    if (this.#hasCrlf) return "crlf";
    return this.#hasCr ? "cr" : "none";
  }
}
