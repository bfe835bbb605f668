/**
 * Versions as text that can be compared: each byte as one character, whatever the encoding; but
 * UTF-16 as its characters, since a line break of one byte would cut them. It is known as an edit
 * knows it: by its byte order mark, or by its looks.
 *
 * V1  From the text the same bytes can be had back, unless a byte is left over (`isWhole`).
 */
import { decodeUtf16, encodeUtf16, utf16OrderOf } from "@fe/engine/display";

type ByteOrder = NonNullable<ReturnType<typeof utf16OrderOf>>;

/** Versions of one file, in the order in which they were given. */
export interface VersionTexts {
  readonly texts: readonly string[];
  /** If they are UTF-16. */
  readonly order: ByteOrder | undefined;
  /** `false`: a version was cut short within a character, and its last byte stands as `\xNN`. */
  readonly isWhole: boolean;
  bytesOf(text: string): Buffer;
}

/** Why versions cannot be compared line by line: half a sentence. */
export interface NoTexts {
  readonly why: string;
}

/** So few bytes of UTF-16 cannot be told from others. */
const leastTellingBytes = 8;

/** The order of a version that may have been cut short within a character. */
function orderOf(version: Buffer): ByteOrder | undefined {
  return utf16OrderOf(version.subarray(0, version.length - (version.length % 2)));
}

/** The versions as texts, or why there are none. */
export function textsOf(versions: readonly Buffer[]): VersionTexts | NoTexts {
  const orders = new Set(versions.map(orderOf).filter((order) => order !== undefined));
  const [order] = orders;
  if (order === undefined) {
    if (versions.some((version) => version.includes(0))) {
      return { why: "they are not text: they hold NULs, and are not known to be UTF-16" };
    }
    const texts = versions.map((version) => version.toString("latin1"));
    return { texts, order, isWhole: true, bytesOf: (text) => Buffer.from(text, "latin1") };
  }
  // What was torn need not look like it any more, but it has NULs.
  const mayBe = (version: Buffer): boolean =>
    version.length < leastTellingBytes || version.includes(0) || orderOf(version) !== undefined;
  if (orders.size > 1 || !versions.every(mayBe)) {
    return { why: "not all of them are UTF-16 of one byte order" };
  }
  return {
    texts: versions.map((version) => utf16Text(version, order)),
    order,
    isWhole: versions.every((version) => version.length % 2 === 0),
    bytesOf: (text) => encodeUtf16(text, order),
  };
}

function utf16Text(version: Buffer, order: ByteOrder): string {
  const whole = version.length - (version.length % 2);
  const [left] = version.subarray(whole);
  const last = left === undefined ? "" : `\\x${left.toString(16).padStart(2, "0")}`;
  return decodeUtf16(version.subarray(0, whole), order) + last;
}
