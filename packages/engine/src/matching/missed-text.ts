/** A text that was missed, and what it was looked for in, as its reasons are looked for. */
import type { ByteSource } from "@fe/journal";
import { maxExplainedCharacters } from "./limits.ts";
import type { DifferingLine, NearestLine } from "./match-error.ts";
import { anyBreak } from "./readings.ts";
import type { WorkMeter } from "./work-meter.ts";

/** What was found out. Every member may be missing. */
export interface MissReport {
  readonly reason?: string;
  readonly hint?: string;
  readonly nearest?: readonly NearestLine[];
  readonly differing?: readonly DifferingLine[];
}

/** Bytes, and how they are read. */
export interface Readable {
  readonly text: ByteSource;
  readonly isUtf8: boolean;
  /** Of the encoding that the request names, if it names one. */
  readonly decode?: (bytes: Uint8Array) => string;
}

/** What was looked for, and in what. */
export interface Miss extends Readable {
  /** Both as they were looked for, with the line ends of the file if that is wanted. */
  readonly oldString: string;
  readonly newString: string;
  /** The new text in the encoding of the file. */
  readonly newBytes: Uint8Array;
  /** A text begins only at a multiple of so many bytes. @default 1 */
  readonly stepBytes?: number;
}

/** A miss, and the text in which it was one. */
export interface Looked {
  readonly miss: Miss;
  readonly bytes: Buffer;
  readonly text: string;
  /** Without their ends. */
  readonly lines: readonly string[];
}

/** To fold one character costs about as much as looking at so many bytes. */
export const foldCost = 16;

/** As the caller's encoding says; else bytes of a file that is not UTF-8 as characters. */
export function textOf({ isUtf8, decode }: Omit<Readable, "text">, bytes: Buffer): string {
  return decode === undefined ? bytes.toString(isUtf8 ? "utf8" : "latin1") : decode(bytes);
}

/** The lines without their ends; one that is too long to look into is empty. */
export async function linesOf(text: string, meter: WorkMeter): Promise<string[]> {
  const lines: string[] = [];
  let start = 0;
  const take = (end: number) => {
    lines.push(end - start > maxExplainedCharacters ? "" : text.slice(start, end));
  };
  for (const found of text.matchAll(anyBreak)) {
    take(found.index);
    start = found.index + found[0].length;
    const pending = meter.spend(foldCost * 8);
    if (pending !== undefined) await pending;
  }
  take(text.length);
  return lines;
}
