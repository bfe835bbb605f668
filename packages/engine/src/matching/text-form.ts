/**
 * What form a file's text has, as far as an edit must know: encoding, byte order mark, line ends.
 *
 * The file is never decoded. Texts of a request become bytes, and these are looked for.
 */
import type { LineStyle } from "./line-endings.ts";

/** UTF-16: which byte of a code unit comes first, the low one (`le`) or the high one (`be`). */
export type ByteOrder = "le" | "be";

/**
 * An encoding other than UTF-8: UTF-16, or one in which ASCII bytes that begin a character mean
 * themselves, such as `windows-1252`, `gbk` or `shift_jis`. The tables of such encodings are a
 * library's business; this is all that matching needs of one.
 */
export interface TextCodec {
  /** For messages. */
  readonly name: string;
  /** Of UTF-16. If the name leaves it to the byte order mark, `codecFor` settles it. */
  readonly byteOrder?: ByteOrder;
  /** The bytes of `text`; `undefined` if the encoding lacks a character of it. */
  encode(text: string): Uint8Array | undefined;
  /** The text of `bytes`, for messages about a miss. */
  decode?(bytes: Uint8Array): string;
  /**
   * Whether a character may begin right after `before`, which are the bytes of the same line up to
   * a place, at most the last 4 KiB of them; `isWhole`: the line begins with them. `undefined`: not
   * to be told from so few bytes. Left out: one may begin anywhere.
   */
  startsCharacter?(before: Uint8Array, isWhole: boolean): boolean | undefined;
}

/** What one pass over a file says of its form. */
export interface FileForm {
  /** SHA-256 in hex, or what was asked for in its place; `undefined` if it stands in memory. */
  readonly sum: string | undefined;
  readonly isUtf8: boolean;
  /** Of a file that is searched as UTF-16. */
  readonly byteOrder?: ByteOrder;
  /** The byte order mark that it begins with, of UTF-8 or of the UTF-16 that it is searched as. */
  readonly bom?: Buffer;
  /** It is not searched as UTF-16, has no byte order mark, and looks like it. */
  readonly looksLike?: ByteOrder;
  /** Whether there is any LF; a file without one has lines only if it has CRs. */
  readonly hasLineFeed: boolean;
  readonly lineStyle: LineStyle | "not-examined";
}

export const utf8Bom: Buffer = Buffer.from([0xef, 0xbb, 0xbf]);

/** What a byte order mark says; `undefined`: there is none. */
export function markedEncodingOf(
  start: Uint8Array,
): "utf-8" | "utf-16le" | "utf-16be" | "utf-32" | undefined {
  const [first, second, third, fourth] = start;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) {
    return third === 0 && fourth === 0 ? "utf-32" : "utf-16le";
  }
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return "utf-32";
  return undefined;
}

/**
 * Whether a text has the same bytes in UTF-8 and in every encoding that a {@link TextCodec} is for.
 */
export function isAsciiText(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return false;
  }
  return true;
}

/**
 * Whether an ASCII byte may be the second half of a character, in some encoding of one and two
 * bytes (GBK, GB18030, Big5, EUC-KR, Shift-JIS). `before`: the bytes before it, as many as are
 * looked at; `isWhole`: they begin at the beginning of the file.
 *
 * After an ASCII byte a character begins, whatever that byte was. So it depends on the run of other
 * bytes that ends here, read from its beginning in both ways in which those encodings make pairs.
 */
export function mayBeSecondHalf(byte: number, before: Uint8Array, isWhole: boolean): boolean {
  const isGb18030Digit = byte >= 0x30 && byte <= 0x39;
  if (!isGb18030Digit && (byte < 0x40 || byte > 0x7e)) return false;
  let start = before.length;
  while (start > 0 && (before[start - 1] ?? 0) >= 0x80) start -= 1;
  if (start === before.length) return false;
  if (start === 0 && !isWhole) return true;
  const run = before.subarray(start);
  if (endsInPair(run, isGbkLead)) return true;
  return !isGb18030Digit && endsInPair(run, isShiftJisLead);
}

function endsInPair(run: Uint8Array, isLead: (byte: number) => boolean): boolean {
  let index = 0;
  while (index < run.length) index += isLead(run[index] ?? 0) ? 2 : 1;
  return index > run.length;
}

/** Big5 and EUC-KR have some of these. */
function isGbkLead(byte: number): boolean {
  return byte >= 0x81 && byte <= 0xfe;
}

function isShiftJisLead(byte: number): boolean {
  return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc);
}
