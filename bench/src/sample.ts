/** The files that are edited, and what is replaced in them. */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

export const kibibyte = 1024;
export const mebibyte: number = 1024 * 1024;

/** What is done to a file; each can be turned round, so a file is made once and edited often. */
export const kinds = ["same length", "grow", "shrink", "replace all", "ten edits"] as const;
export type Kind = (typeof kinds)[number];

/** One replacement of text that stands in the file once, or with `all` as often as it stands. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** One edit, as every contender is asked for it. */
export interface Job {
  readonly path: string;
  readonly replacements: readonly Replacement[];
  /** Replace every place; only with a single replacement. */
  readonly all: boolean;
}

/** How many places `replace all` finds. */
export const manyPlaces = 10_000;
const lineBytes = 64;

interface Form {
  /** Text at the places, before and after. */
  readonly texts: readonly [before: string, after: string];
  readonly places: number;
}

function formOf(kind: Kind): Form {
  if (kind === "same length") return { texts: ["<<alpha>>", "<<omega>>"], places: 1 };
  if (kind === "grow") return { texts: ["<<alpha>>", "<<alpha and a good deal more>>"], places: 1 };
  if (kind === "shrink") {
    return { texts: ["<<alpha and a good deal more>>", "<<alpha>>"], places: 1 };
  }
  if (kind === "replace all") return { texts: ["<<alpha>>", "<<lambda>>"], places: manyPlaces };
  return { texts: ["<<alpha>>", "<<lambda>>"], places: 10 };
}

/** Whether a file of this size has room for the places of this kind. */
export function fits(kind: Kind, sizeBytes: number): boolean {
  return sizeBytes * 0.999 >= formOf(kind).places * lineBytes;
}

/** The text at a place: numbered, unless all of them are replaced at once. */
function textAt(kind: Kind, place: number, which: 0 | 1): string {
  const text = formOf(kind).texts[which];
  return kind === "ten edits" ? text.replace(">>", ` ${place}>>`) : text;
}

/** The edit of a file that {@link makeFile} made; `backwards` takes it back. */
export function jobFor(path: string, kind: Kind, backwards: boolean): Job {
  const [from, to] = backwards ? ([1, 0] as const) : ([0, 1] as const);
  const count = kind === "ten edits" ? formOf(kind).places : 1;
  const replacements = Array.from({ length: count }, (_, place) => ({
    oldText: textAt(kind, place, from),
    newText: textAt(kind, place, to),
  }));
  return { path, replacements, all: kind === "replace all" };
}

/**
 * Makes a durable file of about this size: lines of text, the places spread evenly, a single one in
 * the middle.
 */
export function makeFile(path: string, kind: Kind, sizeBytes: number): void {
  const { places } = formOf(kind);
  // A little less, so that the largest size has room to grow below the limit of the store.
  const lines = Math.floor((sizeBytes * 0.999) / lineBytes);
  const spread = lines / places;
  const descriptor = openSync(path, "w");
  try {
    let place = 0;
    let text = "";
    for (let line = 0; line < lines; line++) {
      const isPlace = place < places && line >= Math.floor((place + 0.5) * spread);
      const content = `${line} ${isPlace ? textAt(kind, place, 0) : "the quick brown fox"} `;
      if (isPlace) place += 1;
      text += `${content.padEnd(lineBytes - 1, "abcdefgh ")}\n`;
      if (text.length >= mebibyte || line === lines - 1) {
        writeSync(descriptor, text);
        text = "";
      }
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** `4 KiB`, `128 MiB`. */
export function sizeName(sizeBytes: number): string {
  return sizeBytes < mebibyte ? `${sizeBytes / kibibyte} KiB` : `${sizeBytes / mebibyte} MiB`;
}
