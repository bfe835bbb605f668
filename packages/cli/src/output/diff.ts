/** A unified diff on a terminal: coloured, and unable to do anything to it. */
import { isUtf8 } from "node:buffer";
import { escapeText } from "@fe/engine/display";
import type { Colors } from "./text.ts";

const lineFeed = 0x0a;

/**
 * The diff for people, each line with its colour. Control characters are escaped, but for tabs;
 * bytes that are not UTF-8 stand as `\xNN`. For `patch` the bytes are printed as they are instead.
 */
export function diffText(diff: Uint8Array, colors: Colors): string {
  const bytes = Buffer.from(diff.buffer, diff.byteOffset, diff.byteLength);
  const lines: string[] = [];
  let isHead = true;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found < 0 ? bytes.length : found;
    const line = shown(bytes.subarray(start, end));
    isHead &&= !line.startsWith("@@");
    lines.push(colorOf(line, isHead, colors)(line));
    start = end + 1;
  }
  return lines.map((line) => `${line}\n`).join("");
}

function colorOf(line: string, isHead: boolean, colors: Colors): (text: string) => string {
  if (isHead) return colors.bold;
  if (line.startsWith("@@")) return colors.cyan;
  if (line.startsWith("-")) return colors.red;
  if (line.startsWith("+")) return colors.green;
  return line.startsWith("\\") ? colors.dim : (text) => text;
}

function shown(line: Buffer): string {
  const parts = isUtf8(line) ? line.toString() : strayBytesMarked(line);
  return parts
    .split("\t")
    .map((part) => escapeText(part))
    .join("\t");
}

/** Bytes that are not ASCII as U+DC80..U+DCFF, which `escapeText` shows as bytes. */
function strayBytesMarked(line: Buffer): string {
  return Array.from(line, (byte) => String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)).join(
    "",
  );
}
