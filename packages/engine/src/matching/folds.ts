/** Ways in which people and programs miss a text that they see: each makes two spellings one. */

/** One way. */
export interface Fold {
  /** Names the difference: "differs in …". */
  readonly difference: string;
  apply(line: string): string;
}

const specialSpaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;
const invisible = /[\u200b\u2060]/gu;
const singleQuotes = /[\u2018\u2019\u201a\u201b\u2032]/gu;
const doubleQuotes = /[\u201c\u201d\u201e\u201f\u2033]/gu;
const dashes = /[\u2010-\u2015\u2212]/gu;

/**
 * In the order in which they must be applied: special spaces become spaces before these are joined.
 * The `trim` of strings is not used, since it takes special spaces and byte order marks away too.
 */
export const folds: readonly Fold[] = [
  { difference: "Unicode normal form", apply: (line) => line.normalize("NFC") },
  {
    difference: "no-break or other special spaces",
    apply: (line) => line.replace(specialSpaces, " ").replace(invisible, ""),
  },
  {
    difference: "curly quotes or dashes",
    apply: (line) =>
      line.replace(singleQuotes, "'").replace(doubleQuotes, '"').replace(dashes, "-"),
  },
  {
    difference: "white space",
    apply: (line) => line.replace(/[ \t]+/g, " ").replace(/^ | $/g, ""),
  },
  { difference: "upper and lower case", apply: (line) => line.toLowerCase() },
];

export function foldBy(line: string, chosen: readonly Fold[]): string {
  return chosen.reduce((text, fold) => fold.apply(text), line);
}

/**
 * Every choice of folds, the smaller ones first, so that the first one that serves says no more.
 */
export const foldChoices: readonly (readonly Fold[])[] = Array.from(
  { length: 2 ** folds.length },
  (_, mask) => folds.filter((_fold, index) => (mask >> index) & 1),
).sort((one, other) => one.length - other.length);

/**
 * Whether `wanted` stands at `index` of `lines`: its first line at the end of one, its last at the
 * beginning of one, those between as whole lines; a single one anywhere in one.
 */
export function standsAt(
  lines: readonly string[],
  index: number,
  wanted: readonly string[],
): boolean {
  const last = wanted.length - 1;
  if (index + last >= lines.length) return false;
  if (last === 0) return (lines[index] ?? "").includes(wanted[0] ?? "");
  return wanted.every((text, offset) => {
    const line = lines[index + offset] ?? "";
    if (offset === 0) return line.endsWith(text);
    return offset === last ? line.startsWith(text) : line === text;
  });
}

/** What sort of white space makes the difference, if that can be said more exactly. */
export function whiteSpaceDifference(found: readonly string[], wanted: readonly string[]): string {
  const isSameBy = (apply: (line: string) => string) =>
    standsAt(found.map(apply), 0, wanted.map(apply));
  if (isSameBy(withoutBlankEnd)) return "white space at the end of a line";
  if (isSameBy(withoutBlankStart)) return "indentation";
  return "white space";
}

function withoutBlankStart(line: string): string {
  return line.replace(/^[ \t]+/, "");
}

/** A regular expression would take the square of the length for a line of blanks. */
function withoutBlankEnd(line: string): string {
  let end = line.length;
  while (end > 0 && " \t".includes(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

/** A line number and what a listing puts after it, as `cat -n`, `grep -n` and agents' tools do. */
const numberPrefix = /^[ \t]*\d+(?:\t|\u2192|[ \t]*\|[ \t]?|:[ \t]?)/u;

/** The lines without line numbers; `undefined` if not every line that is not empty has one. */
export function withoutLineNumbers(lines: readonly string[]): readonly string[] | undefined {
  const full = lines.filter((line) => line.trim() !== "");
  if (!full.every((line) => numberPrefix.test(line))) return undefined;
  return lines.map((line) => line.replace(numberPrefix, ""));
}
