/**
 * What an answer shows of an edit, cut to what a model can take: hosts hand it the text or the
 * object, so both are made of the same. What is left off is said by a flag, beside the whole
 * number.
 *
 * B1  A line of a diff that is long is shown around what changes in it, never cut before that.
 * B2  Marks of what is left out are ASCII and in brackets: bytes that are no UTF-8 pass through
 *     here as one character each, and must come out as they were.
 * B3  Of a hunk that is too long both sides are shown: what goes is listed first, and would else
 *     take all the room of what comes.
 */
import { isUtf8 } from "node:buffer";
import type { EditResult, UnifiedDiff } from "@fe/engine";
import { maxListedMatches, maxShownDiff, maxShownLine } from "../limits.ts";

/** The result as it is answered, and how long the diff was, in bytes, if less of it is left. */
export interface BoundedEdit {
  readonly result: EditResult;
  readonly diffBytes: number | undefined;
}

/** The same result with no more places and no more of its diff than an answer shows. */
export function boundedEdit(result: EditResult): BoundedEdit {
  const { matches, diff } = result;
  const isCut = matches.length > maxListedMatches;
  const shown = diff && boundedDiff(diff);
  return {
    result: {
      ...result,
      matches: isCut ? matches.slice(0, maxListedMatches) : matches,
      matchesTruncated: result.matchesTruncated || isCut,
      ...(shown === undefined ? {} : { diff: shown }),
    },
    diffBytes: shown === diff ? undefined : diff?.bytes.length,
  };
}

function boundedDiff(diff: UnifiedDiff): UnifiedDiff {
  const bytes = Buffer.from(diff.bytes);
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  const bounded = firstHunks(withShortLines(text.split("\n")));
  return bounded === text
    ? diff
    : { ...diff, bytes: Buffer.from(bounded, encoding), truncated: true };
}

/** Whole hunks as far as they fit, at least the beginning of the first. */
function firstHunks(lines: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > maxShownDiff) {
      const last = kept.findLastIndex((each) => each.startsWith("@@ "));
      const first = kept.findIndex((each) => each.startsWith("@@ "));
      const shown = last > first ? kept.slice(0, last) : beginning(lines, first + 1);
      return `${shown.join("\n")}\n`;
    }
    kept.push(line);
  }
  return kept.join("\n");
}

/** A first hunk, of line `from` and those after it, as far as it fits (B3). */
function beginning(lines: readonly string[], from: number): string[] {
  const kept = lines.slice(0, from);
  let room = maxShownDiff - lengthOf(kept);
  for (let at = from; at < lines.length; ) {
    const removed = run(lines, at, "-");
    const added = run(lines, at + removed.length, "+");
    const changed = [...removed, ...added];
    const part = changed.length === 0 ? lines.slice(at, at + 1) : changed;
    if (lengthOf(part) > room) return [...kept, ...bothSides(removed, added, room)];
    kept.push(...part);
    room -= lengthOf(part);
    at += part.length;
  }
  return kept;
}

/** The beginnings of what goes and of what comes; the one that is short leaves its room. */
function bothSides(removed: readonly string[], added: readonly string[], room: number): string[] {
  const space = room - lengthOf([moreLines(removed, "removed"), moreLines(added, "added")]);
  if (space < 0) return [];
  const forRemoved = Math.max(Math.floor(space / 2), space - lengthOf(added));
  const forAdded = space - Math.min(lengthOf(removed), forRemoved);
  return [...firstLines(removed, forRemoved, "removed"), ...firstLines(added, forAdded, "added")];
}

function firstLines(side: readonly string[], room: number, what: string): string[] {
  let length = 0;
  const end = side.findIndex((line) => {
    length += line.length + 1;
    return length > room;
  });
  return end === -1 ? [...side] : [...side.slice(0, end), moreLines(side.slice(end), what)];
}

/** No line of a diff begins with a bracket, so this is taken for none. */
function moreLines(left: readonly string[], what: string): string {
  const count = left.filter((line) => !line.startsWith("\\")).length;
  return `[... ${count} more ${count === 1 ? "line is" : "lines are"} ${what} ...]`;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/**
 * Lines of a diff, each that is long cut on both sides of what changes in it (B1). Those of the
 * header begin like changed ones, and are only longer if the path is.
 */
function withShortLines(lines: readonly string[]): string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = run(lines, at, "-");
    const added = run(lines, at + removed.length, "+");
    for (const [index, line] of removed.entries()) shown.push(aroundChange(line, added[index]));
    for (const [index, line] of added.entries()) shown.push(aroundChange(line, removed[index]));
    at += removed.length + added.length;
    if (removed.length + added.length === 0) {
      shown.push(aroundChange(lines[at] ?? "", undefined));
      at += 1;
    }
  }
  return shown;
}

/** Lines with this sign, and what is said of the end of the last. */
function run(lines: readonly string[], from: number, sign: string): string[] {
  let end = from;
  while (lines[end]?.startsWith(sign)) end += 1;
  if (end > from && lines[end]?.startsWith("\\")) end += 1;
  return lines.slice(from, end);
}

/** The line, and if it is long, what is near the first place where it differs from `other`. */
function aroundChange(line: string, other: string | undefined): string {
  if (line.length <= maxShownLine) return line;
  const sign = line.slice(0, 1);
  const content = line.slice(1);
  const same = other === undefined ? 0 : commonLength(content, other.slice(1));
  const context = Math.floor(maxShownLine / 4);
  const from = boundary(content, same <= 2 * context ? 0 : same - context);
  const to = boundary(content, Math.min(content.length, from + maxShownLine));
  return `${sign}${leftOut(from)}${content.slice(from, to)}${leftOut(content.length - to)}`;
}

function leftOut(length: number): string {
  return length === 0 ? "" : `[... ${length} more ...]`;
}

function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** The same place, or the one before it within a surrogate pair. */
function boundary(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at;
}
