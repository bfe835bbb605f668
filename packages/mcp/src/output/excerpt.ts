/** What of a long or foreign text can be told. */

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
