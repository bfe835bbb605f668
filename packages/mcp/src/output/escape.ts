/**
 * Names and lines of files, made safe to show: a foreign text must not be able to break a line,
 * move a cursor, or look like another.
 *
 * Only for texts that people and models read. What programs read is JSON, with its own escapes.
 */

/**
 * Controls, line separators, lone surrogates, and format characters, among them all that change the
 * direction of text (bidi). Not the joiners U+200C and U+200D: scripts and emoji need them.
 */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOne(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return short[character] ?? `\\u{${hex}}`;
}

/** The text on one line, with an escape for every character that is not safe to show. */
export function escapeText(text: string): string {
  return text.replace(unsafe, escapeOne);
}

/** A line of a file, in which tabs stay: it may be copied into the next call. */
export function escapeLine(text: string): string {
  return text.replace(unsafe, (character) => (character === "\t" ? "\t" : escapeOne(character)));
}

/** The text of bytes that are UTF-8, a byte order mark included; of others `undefined`. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** At most so many characters, with a mark where something is missing. */
export function shorten(text: string, length: number): string {
  // By code point, so that no half of a character is left.
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length <= length ? text : `${characters.slice(0, length).join("")}…`;
}

/** The text as one word of a POSIX shell. */
export function quoteForShell(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
