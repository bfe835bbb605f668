/**
 * UTF-16: two bytes to each code unit, in one of two orders. Node knows it, so no library is asked.
 *
 * W1  A text is there only where a code unit begins: an even number of bytes from the beginning of
 *     the file.
 * W2  Nothing is decoded but for messages and for diffs that are to be read; a surrogate that
 *     stands alone is a code unit like any other, and stays.
 *
 * Source: RFC 2781; Unicode Standard, section 3.10, D97 to D100.
 */
import { type ByteOrder, markedEncodingOf, type TextCodec } from "./text-form.ts";

/** A code unit has so many bytes. */
export const unitBytes = 2;

/** Names of both orders, and of the encoding that leaves the order to the byte order mark. */
export function utf16Of(name: string): ByteOrder | "by-mark" | undefined {
  const [, order] = /^utf[-_]?16[-_]?(le|be|)$/u.exec(name.toLowerCase()) ?? [];
  if (order === undefined) return undefined;
  return order === "le" || order === "be" ? order : "by-mark";
}

/** As messages and requests name it. */
export function nameOfOrder(order: ByteOrder): "utf-16le" | "utf-16be" {
  return `utf-16${order}`;
}

/** The bytes of a text. */
export function encodeUtf16(text: string, order: ByteOrder): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
}

/** The text of bytes, an even number of them. */
export function decodeUtf16(bytes: Uint8Array, order: ByteOrder): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (order === "le" ? buffer : Buffer.from(buffer).swap16()).toString("utf16le");
}

/** UTF-16 as an encoding that a request can name. */
export function utf16Codec(order: ByteOrder): TextCodec {
  return {
    name: nameOfOrder(order),
    byteOrder: order,
    encode: (text) => encodeUtf16(text, order),
    decode: (bytes) => decodeUtf16(bytes, order),
  };
}

/** The order is that of the byte order mark, which is not known yet. */
export const utf16ByMark: TextCodec = { ...utf16Codec("le"), name: "utf-16" };

/** Stands for a code unit that is no ASCII character: a byte that begins a character of UTF-8. */
const otherUnit = 0xff;
/** Stands for the second half of a pair: a byte that goes on with a character of UTF-8. */
const secondHalf = 0x80;

/**
 * Makes one byte of each code unit, for all that counts lines and characters: an ASCII character is
 * itself, everything else is told apart only by whether a character begins with it. Feed bytes in
 * order, in pieces of any size.
 */
export class UnitNarrower {
  readonly #low: 0 | 1;
  /** A unit of which only one byte was seen. */
  #cut: Buffer | undefined;
  #previousIsHigh = false;

  constructor(order: ByteOrder) {
    this.#low = order === "le" ? 0 : 1;
  }

  narrow(piece: Buffer): Buffer {
    const bytes = this.#cut === undefined ? piece : Buffer.concat([this.#cut, piece]);
    const units = Math.floor(bytes.length / unitBytes);
    const narrowed = Buffer.allocUnsafe(units);
    const low = this.#low;
    let previousIsHigh = this.#previousIsHigh;
    for (let unit = 0; unit < units; unit++) {
      const lowByte = bytes[2 * unit + low] ?? 0;
      const highByte = bytes[2 * unit + 1 - low] ?? 0;
      const surrogate = highByte & 0xfc;
      if (highByte === 0 && lowByte < 0x80) narrowed[unit] = lowByte;
      else narrowed[unit] = surrogate === 0xdc && previousIsHigh ? secondHalf : otherUnit;
      previousIsHigh = surrogate === 0xd8;
    }
    this.#previousIsHigh = previousIsHigh;
    const whole = units * unitBytes;
    this.#cut = whole < bytes.length ? Buffer.from(bytes.subarray(whole)) : undefined;
    return narrowed;
  }
}

/** So much of the beginning tells what the rest looks like. */
export const startBytes = 4096;

/** Fewer bytes tell nothing. */
const leastTellingBytes = 8;

/** What text has no use for: controls but white space, lone surrogates, what is no character. */
const noText = /[\p{Cs}\p{Cn}\p{Co}]|(?![\t-\r\u0085])\p{Cc}/u;

/** More bytes than this share of them are printable ASCII only in text of one byte to each. */
const mostPrintable = 0.8;

/**
 * Whether the beginning of a file without a byte order mark looks like UTF-16. It has NULs, which
 * text of one byte to each character has not, and one of these holds:
 *
 *   - Nearly every character is Latin, so that one byte of each unit is NUL, the other hardly ever.
 *   - In one order all of it is text, with an ASCII character, and too few bytes are ASCII for a
 *     text with a stray NUL. So other scripts are known by a line break; without any ASCII nothing
 *     tells them.
 */
export function looksLikeUtf16(start: Uint8Array, fileBytes: number): ByteOrder | undefined {
  if (fileBytes % unitBytes !== 0 || start.length < leastTellingBytes) return undefined;
  if (!start.includes(0)) return undefined;
  const latin = orderOfLatin(start);
  if (latin !== undefined) return latin;
  const printable = start.reduce((sum, byte) => sum + (byte >= 0x20 && byte < 0x7f ? 1 : 0), 0);
  if (printable > mostPrintable * start.length) return undefined;
  const [little, big] = [asciiOf(start, "le"), asciiOf(start, "be")];
  if (little === big) return undefined;
  return little > big ? "le" : "be";
}

function orderOfLatin(start: Uint8Array): ByteOrder | undefined {
  const units = Math.floor(start.length / unitBytes);
  const nuls = [0, 0];
  for (let index = 0; index < units * unitBytes; index++) {
    if (start[index] === 0) nuls[index % unitBytes] = (nuls[index % unitBytes] ?? 0) + 1;
  }
  const [first = 0, second = 0] = nuls;
  const isMost = (count: number): boolean => count >= 0.8 * units;
  const isRare = (count: number): boolean => count <= 0.05 * units;
  if (isMost(second) && isRare(first)) return "le";
  return isMost(first) && isRare(second) ? "be" : undefined;
}

/** How many ASCII characters there are, if the bytes are text in this order; else 0. */
function asciiOf(start: Uint8Array, order: ByteOrder): number {
  const units = start.length - (start.length % unitBytes);
  // The beginning may end within a pair.
  const text = decodeUtf16(start.subarray(0, units), order).replace(/[\ud800-\udbff]$/u, "");
  return noText.test(text) ? 0 : (text.match(/[\t-~]/gu)?.length ?? 0);
}

/**
 * The order of a file that is UTF-16 by its byte order mark, or else looks like it by its
 * beginning; `undefined`: nothing says so.
 */
export function utf16OrderOf(bytes: Uint8Array): ByteOrder | undefined {
  const marked = markedEncodingOf(bytes);
  if (marked === "utf-16le") return "le";
  if (marked === "utf-16be") return "be";
  if (marked !== undefined) return undefined;
  return looksLikeUtf16(bytes.subarray(0, startBytes), bytes.length);
}

/** Where a code unit stands in `bytes` the first time from `from` on; -1 if nowhere. */
export function indexOfUnit(bytes: Buffer, unit: Buffer, from = 0): number {
  for (let at = bytes.indexOf(unit, from); at >= 0; at = bytes.indexOf(unit, at + 1)) {
    if (at % unitBytes === 0) return at;
  }
  return -1;
}

/** Where it stands the last time. */
export function lastIndexOfUnit(bytes: Buffer, unit: Buffer): number {
  for (let at = bytes.lastIndexOf(unit); at >= 0; at = bytes.lastIndexOf(unit, at - 1)) {
    if (at % unitBytes === 0) return at;
    if (at === 0) break;
  }
  return -1;
}
