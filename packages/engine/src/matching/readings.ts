/** Mistakes that are made where a text is copied: each is a way to read what was given. */
import { withoutLineNumbers } from "./folds.ts";

/** A line break of any kind. */
export const anyBreak: RegExp = /\r\n|\n|\r/g;

/** A way to read the wanted text. */
export interface Reading {
  readonly wanted: readonly string[];
  /** What was wrong with the text as it was given, if anything. */
  readonly mistake?: string;
  readonly hint: string;
}

export const readAgain = "Read the file again and give the text exactly as it stands there";

/** The text as it was given first, then without each mistake that it may have. */
export function readingsOf(oldString: string): Reading[] {
  const wanted = oldString.split(anyBreak);
  const readings: Reading[] = [{ wanted, hint: readAgain }];
  const add = (lines: readonly string[] | undefined, mistake: string, hint: string): void => {
    if (lines !== undefined) readings.push({ wanted: lines, mistake, hint });
  };
  add(
    oldString.startsWith("\ufeff") ? oldString.slice(1).split(anyBreak) : undefined,
    "the old text begins with a byte order mark, which is not there",
    "Give the text without it; a byte order mark of the file is kept anyway",
  );
  add(
    withoutLineNumbers(wanted),
    "the old text begins with line numbers, as a listing shows them",
    "Give the text without line numbers",
  );
  add(
    wanted.length > 1 && wanted.at(-1) === "" ? wanted.slice(0, -1) : undefined,
    "the old text ends with a line break that is not there",
    "Give the text without its last line break",
  );
  add(
    withoutFence(wanted),
    "the old text stands in a code fence, which is not there",
    "Give the text without the lines of the fence",
  );
  add(
    withoutEntities(oldString)?.split(anyBreak),
    "the old text has HTML entities in place of characters",
    "Give the characters themselves, such as < and not &lt;",
  );
  add(
    withoutEscapes(oldString)?.split(anyBreak),
    "the old text has a backslash and a letter in place of a line break, a tab or a quote",
    "Give the characters themselves; one level of escapes too many was used",
  );
  return readings;
}

const fence = /^[ \t]*(?:```|~~~)/;

/** The lines between the two of a fence; a line break may follow it. */
function withoutFence(wanted: readonly string[]): readonly string[] | undefined {
  const end = wanted.at(-1) === "" ? wanted.length - 2 : wanted.length - 1;
  if (end < 2 || !fence.test(wanted[0] ?? "") || !fence.test(wanted[end] ?? "")) return undefined;
  return wanted.slice(1, end);
}

const entities: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&#34;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&#x27;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&nbsp;": "\u00a0",
  "&amp;": "&",
};

/** Decoded once, so that `&amp;lt;` becomes `&lt;`. */
function withoutEntities(text: string): string | undefined {
  const decoded = text.replace(/&[a-z#\d]{2,5};/g, (entity) => entities[entity] ?? entity);
  return decoded === text ? undefined : decoded;
}

const escapes: Readonly<Record<string, string>> = {
  "\\r\\n": "\n",
  "\\n": "\n",
  "\\t": "\t",
  '\\"': '"',
  "\\\\": "\\",
};

function withoutEscapes(text: string): string | undefined {
  const decoded = text.replace(/\\r\\n|\\[nt"\\]/g, (found) => escapes[found] ?? found);
  return decoded === text ? undefined : decoded;
}
