/**
 * @fe/engine/display: file names and other foreign text, made safe to show, and what is said of a
 * wrong value or an unknown name. A text must not be able to move the cursor, to break a line, or
 * to look like another.
 *
 * For what people and models read. What programs read is JSON, which has its own escapes. An entry
 * of its own, so that who only reports a mistake need not load the engine.
 */

export { nearName, sayValue } from "./check-members.ts";
export { type HintName, type HintWords, hintNames, inWords } from "./hint-words.ts";
export type { ByteOrder } from "./matching/text-form.ts";
export { decodeUtf16, encodeUtf16, utf16OrderOf } from "./matching/utf16.ts";
export { shortId } from "./record-report.ts";

/**
 * What the command compares or merges of each version, in bytes: that takes far more memory and
 * time than reading. It stands here since the steps that others show name the command only for
 * what it takes.
 */
export const maxComparedBytes: number = 4 * 1024 * 1024;

/**
 * Controls, line separators, lone surrogates, and format characters, among them all that change the
 * direction of text (bidi). Not the joiners U+200C and U+200D: scripts and emoji need them.
 */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** U+DC80..U+DCFF stand for bytes of a path that are not UTF-8. */
function strayByte(codePoint: number): number | undefined {
  return codePoint >= 0xdc80 && codePoint <= 0xdcff ? codePoint - 0xdc00 : undefined;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

function escapeOne(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const byte = strayByte(codePoint);
  if (byte !== undefined) return `\\x${hex(byte, 2)}`;
  if (codePoint < 0x100) return short[character] ?? `\\x${hex(codePoint, 2)}`;
  return codePoint > 0xffff ? `\\u{${hex(codePoint, 5)}}` : `\\u${hex(codePoint, 4)}`;
}

/** The text on one line, with an escape for every character that is not safe to show. */
export function escapeText(text: string): string {
  return text.replace(unsafe, escapeOne);
}

/** A line of a file, in which tabs stay, since it may be copied into the next edit. */
export function escapeLine(text: string): string {
  return text.replace(unsafe, (character) => (character === "\t" ? "\t" : escapeOne(character)));
}

const specialSpace = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]|[\u0300-\u036f]/gu;

/** Says what {@link showBlanks} puts in the place of what cannot be seen. */
export const blanksLegend = "→ is a tab, · a space, \\u… a character by its number";

/**
 * A line in which what looks alike is told apart: `→` for a tab, `·` for a space at either end or
 * beside another, and escapes for other spaces and for marks that combine with a letter.
 */
export function showBlanks(line: string): string {
  const shown = line
    .replace(/ {2,}|^ | $/g, (spaces) => "·".repeat(spaces.length))
    .replace(/\t/g, "→")
    .replace(specialSpace, (space) => `\\u${hex(space.charCodeAt(0), 4)}`);
  return escapeText(shown);
}

/** Lines of a missed text below those of the file, with a head that explains the marks. */
export function differingLines(
  differing: ReadonlyArray<{
    readonly line: number;
    readonly there: string;
    readonly given: string;
  }>,
): string[] {
  if (differing.length === 0) return [];
  const width = Math.max(...differing.map(({ line }) => String(line).length));
  return [
    `Where they differ (${blanksLegend}):`,
    ...differing.flatMap(({ line, there, given }) => [
      `${String(line).padStart(width)} in the file | ${showBlanks(there)}`,
      `${" ".repeat(width)} as given    | ${showBlanks(given)}`,
    ]),
  ];
}

/** The text as one word of a POSIX shell, itself safe to show. */
export function quoteForShell(word: string): string {
  if (/^[\w%+,./:=@-]+$/.test(word)) return word;
  if (escapeText(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  // `$'…'` takes escapes, and is known to bash, zsh and ksh.
  const text = word.replace(/[\\']/g, "\\$&").replace(unsafe, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    const byte = strayByte(codePoint);
    const bytes = byte === undefined ? new TextEncoder().encode(character) : [byte];
    return Array.from(bytes, (each) => `\\x${hex(each, 2)}`).join("");
  });
  return `$'${text}'`;
}
