/**
 * Paths as text: between the bytes that POSIX knows and the strings of this package.
 *
 * A POSIX path is bytes, most often UTF-8. What is not UTF-8 stands in a string as U+DC80..U+DCFF,
 * one per byte (the `surrogateescape` form of PEP 383). These are lone surrogates, which no text
 * has, so:
 *
 * I1  `pathToBytes(bytesToPath(bytes))` is `bytes`, for all bytes.
 * I2  Two different results of `bytesToPath` are two different paths. A string from elsewhere may
 *     spell one path in a second way (escaped bytes that together are UTF-8); `Os.resolveRealPath`
 *     returns the first.
 */
import { isUtf8 } from "node:buffer";
import { OsError } from "./os-error.ts";

const firstEscape = 0xdc80;
const lastEscape = 0xdcff;
/** What is added to a byte of 0x80 or more. */
const escapeBase = 0xdc00;

const loneSurrogates = /\p{Surrogate}/gu;

/**
 * Whether the path is UTF-8 on disk, so that every program can spell it. Windows, whose names are
 * UTF-16: whether it is Unicode; no other path gets there.
 */
export function isUtf8Path(path: string): boolean {
  return path.isWellFormed();
}

/**
 * The bytes of a path or name, on every system alike. Whether one may hold them, the system says.
 *
 * @throws OsError `EINVAL`: it holds a lone surrogate that stands for no byte.
 */
export function pathToBytes(path: string): Buffer {
  if (isUtf8Path(path)) return Buffer.from(path, "utf8");
  const parts: Buffer[] = [];
  let start = 0;
  for (const match of path.matchAll(loneSurrogates)) {
    const unit = path.charCodeAt(match.index);
    if (unit < firstEscape || unit > lastEscape) {
      const message = "EINVAL, a surrogate in it stands for no byte of a path";
      throw new OsError("EINVAL", "pathToBytes", { path, message });
    }
    parts.push(Buffer.from(path.slice(start, match.index), "utf8"));
    parts.push(Buffer.from([unit - escapeBase]));
    start = match.index + 1;
  }
  parts.push(Buffer.from(path.slice(start), "utf8"));
  return Buffer.concat(parts);
}

/** The text of a path or name; the other way of {@link pathToBytes}. Throws nothing. */
export function bytesToPath(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return buffer.toString("utf8");
  let text = "";
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    text +=
      length === 0
        ? String.fromCharCode(escapeBase + (buffer[at] ?? 0))
        : buffer.toString("utf8", at, at + length);
    at += Math.max(length, 1);
  }
  return text;
}

/** Length of the character that starts at `at`, 0 if none does. */
function sequenceLength(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // The decoder of Node judges: overlong forms, surrogates and what is above U+10FFFF are not
  // UTF-8.
  return at + length <= buffer.length && isUtf8(buffer.subarray(at, at + length)) ? length : 0;
}
