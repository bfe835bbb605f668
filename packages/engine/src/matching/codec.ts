/**
 * Encodings by their names, from iconv-lite, which is loaded only when one is asked for.
 *
 * C1  Only encodings in which every ASCII character is its own byte: line breaks and the texts of
 *     most edits are looked for as bytes. UTF-32 and UTF-7 are none of these; UTF-16 is a case of
 *     its own, in `utf16.ts`.
 * C2  What is encoded must read back as the same text. The library puts a question mark in place of
 *     a character that an encoding lacks, and knows some that read back as others.
 */
import type { TextCodec } from "./text-form.ts";
import { utf16ByMark, utf16Codec, utf16Of } from "./utf16.ts";

/** Why there is no codec of a name. */
export type NoCodec = "unknown" | "wide" | "no-library";

type Iconv = typeof import("iconv-lite");
type AnyEncoding = Parameters<Iconv["encode"]>[1];

/** Names that mean what is done without any codec. */
export function isUtf8Name(name: string): boolean {
  return /^utf-?8$/iu.test(name);
}

/** No name of an encoding is longer, nor has other characters. */
const namePattern = /^[a-z0-9][a-z0-9_.:-]{0,39}$/iu;

const ascii: string = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));

/**
 * No encoding of the library has a byte below 0x30 anywhere but as a character of its own, so a
 * character begins after each.
 */
const leastInnerByte = 0x30;

/** The codec of an encoding. */
export async function findCodec(name: string): Promise<TextCodec | NoCodec> {
  if (!namePattern.test(name)) return "unknown";
  const utf16 = utf16Of(name);
  // Which order it is the file says; `codecFor` looks.
  if (utf16 !== undefined) return utf16 === "by-mark" ? utf16ByMark : utf16Codec(utf16);
  let iconv: Iconv;
  try {
    iconv = (await import("iconv-lite")).default;
  } catch {
    return "no-library";
  }
  return codecFrom(iconv, name);
}

function codecFrom(iconv: Iconv, name: string): TextCodec | NoCodec {
  const encoding = name as AnyEncoding;
  try {
    if (!iconv.encodingExists(name)) return "unknown";
    const bytes = iconv.encode(ascii, encoding);
    if (!bytes.equals(Buffer.from(ascii, "latin1"))) return "wide";
  } catch {
    return "unknown"; // A name that an object has anyway, such as `constructor`.
  }
  const decode = (bytes: Uint8Array): string => {
    return iconv.decode(Buffer.from(bytes), encoding, { stripBOM: false });
  };
  const encode = (text: string): Uint8Array | undefined => {
    const bytes = iconv.encode(text, encoding);
    return decode(bytes) === text ? bytes : undefined;
  };
  if (isSingleByte(decode)) return { name, encode, decode };
  return {
    name,
    encode,
    decode,
    startsCharacter(before, isWhole) {
      const start = before.findLastIndex((byte) => byte < leastInnerByte) + 1;
      if (start === 0 && !isWhole) return undefined;
      const decoder = iconv.getDecoder(encoding, { stripBOM: false });
      decoder.write(Buffer.from(before.subarray(start)));
      // What is left over is the beginning of a character.
      return (decoder.end() ?? "") === "";
    },
  };
}

/** Whether each byte is one character, whatever stands before it. */
function isSingleByte(decode: (bytes: Uint8Array) => string): boolean {
  for (let lead = 0x80; lead < 0x100; lead++) {
    if (decode(Uint8Array.of(lead, 0x41)).length !== 2) return false;
    if (decode(Uint8Array.of(lead, 0xa1, 0xa1)).length !== 3) return false;
  }
  return true;
}
