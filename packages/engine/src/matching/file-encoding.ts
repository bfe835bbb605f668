/**
 * What a file says of its own encoding, against what the request says: a byte order mark, the
 * number of its bytes, NULs where text in UTF-16 has them.
 *
 * Every refusal is a `MatchError` of kind `invalid-encoding`.
 */
import { type ByteSource, SourceChangedError } from "@fe/journal";
import { byteCount } from "../bytes.ts";
import { MatchError } from "./match-error.ts";
import { type ByteOrder, markedEncodingOf, type TextCodec } from "./text-form.ts";
import { nameOfOrder, unitBytes, utf16Codec, utf16Of } from "./utf16.ts";

/** How a caller says what the encoding is. */
function naming(name: string): string {
  return `\`encoding: "${name}"\``;
}

function refuse(message: string, hint: string): MatchError {
  return new MatchError({ kind: "invalid-encoding", editIndex: 0, message, hint });
}

/** As many bytes as the longest byte order mark has. */
const markBytes = 4;

/** Another encoding than that of the request. `marked`: what the byte order mark says. */
function refuseMarked(marked: string, named: string | undefined): MatchError {
  const not = named === undefined ? "" : `, not ${named}`;
  const message = `the file is ${marked}, by its byte order mark${not}`;
  if (marked === "utf-32") return refuse(message, "Convert the file to UTF-8 first");
  return refuse(message, `Name that encoding (${naming(marked)})`);
}

/** Of a file that begins with `start`, if it is not searched as UTF-16. */
export function refuseWideMark(start: Uint8Array, codec: TextCodec | undefined): void {
  const marked = markedEncodingOf(start);
  if (marked === undefined || marked === "utf-8") return;
  throw refuseMarked(marked, codec?.name);
}

/**
 * The codec for this file: with `utf-16` its byte order is that of the mark. A file that cannot be
 * UTF-16 is refused; whether one is of another encoding its bytes do not say.
 *
 * Errors: `SourceChangedError`, whatever `source.read` throws.
 */
export async function codecFor(
  source: ByteSource,
  codec: TextCodec | undefined,
): Promise<TextCodec | undefined> {
  if (codec?.byteOrder === undefined) return codec;
  const { sizeBytes } = source;
  if (sizeBytes === 0) return codec;
  if (sizeBytes % unitBytes !== 0) {
    throw refuse(
      `the file has ${byteCount(sizeBytes)}, an odd number, so it is not ${codec.name} throughout`,
      "Name the encoding that it is in (`encoding`)",
    );
  }
  const start = Buffer.alloc(Math.min(markBytes, sizeBytes));
  if ((await source.read(start, 0)) < start.length) throw new SourceChangedError(sizeBytes);
  const marked = markedEncodingOf(start);
  const order = marked === undefined ? undefined : utf16Of(marked);
  const isByMark = utf16Of(codec.name) === "by-mark";
  if (isByMark && (order === "le" || order === "be")) return utf16Codec(order);
  if (marked !== undefined && marked !== codec.name) throw refuseMarked(marked, codec.name);
  if (!isByMark) return codec;
  throw refuse(
    "the file has no byte order mark, so the order of its bytes is not known",
    "Name utf-16le, which Windows writes, or utf-16be (`encoding`)",
  );
}

/** A file that looks like UTF-16 though nobody said so. */
export function refuseLikelyUtf16(order: ByteOrder): MatchError {
  const name = nameOfOrder(order);
  return refuse(
    `the file looks like ${name} without a byte order mark, by its NULs and its characters`,
    `Name that encoding (${naming(name)}), or utf-8 if it is no UTF-16`,
  );
}
