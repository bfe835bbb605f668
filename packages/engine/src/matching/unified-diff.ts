/**
 * The change of an edit as unified diff, made from its splices: exact, and without comparing
 * anything. `patch` makes the after-image of the before-image with it, byte for byte.
 *
 * D1  Bytes of the file stand in it as they are, whatever their encoding; lines end at LF only.
 * D2  Bounded: what would make it longer than `maxDiffBytes` is left off, whole hunks at a time.
 *
 * Source: POSIX, `diff -u`; GNU diffutils manual, "Detailed Description of Unified Format".
 */
import type { ByteSource, Splice } from "@fe/journal";
import { pathToBytes } from "@fe/native";
import { type LineChange, LineReader, lineChanges, linesOf, TooLongError } from "./diff-lines.ts";
import { maxDiffBytes } from "./limits.ts";
import type { WorkMeter } from "./work-meter.ts";

/** A change for people, and for `patch`. */
export interface UnifiedDiff {
  /** The text, with the bytes of the file as they are; empty if nothing changes. */
  readonly bytes: Uint8Array;
  /** Hunks were left off at the end, since they would have made it longer than 1 MiB. */
  readonly truncated: boolean;
}

/** Unchanged lines around a change, as everybody has them. */
const contextLines = 3;

const lineFeed = 0x0a;
const noNewline: Buffer = Buffer.from("\n\\ No newline at end of file\n");

/**
 * The diff of `before` and what `splices` make of it. Reads up to the last change.
 *
 * Errors: `SourceChangedError`; the signal's reason.
 */
export async function unifiedDiff(
  before: ByteSource,
  splices: readonly Splice[],
  path: string,
  meter: WorkMeter,
  maxBytes: number = maxDiffBytes,
): Promise<UnifiedDiff> {
  if (splices.length === 0) return { bytes: new Uint8Array(), truncated: false };
  const header = headerOf(path);
  const lines = new LineReader(before, meter, maxBytes);
  const writer = new HunkWriter(lines);
  const parts: Buffer[] = [header];
  let sizeBytes = header.length;
  let truncated = false;
  try {
    for await (const hunk of hunks(lines, lineChanges(lines, splices, maxBytes))) {
      const text = await writer.write(hunk);
      sizeBytes += text.length;
      if (sizeBytes > maxBytes) throw new TooLongError();
      parts.push(text);
    }
  } catch (error) {
    if (!(error instanceof TooLongError)) throw error;
    truncated = true;
  }
  const isEmpty = parts.length === 1 && !truncated;
  return { bytes: isEmpty ? new Uint8Array() : Buffer.concat(parts), truncated };
}

/** Changes that are near each other. */
async function* hunks(
  lines: LineReader,
  changes: AsyncGenerator<LineChange>,
): AsyncGenerator<readonly LineChange[]> {
  let hunk: LineChange[] = [];
  for await (const change of changes) {
    const last = hunk.at(-1);
    if (last !== undefined && !(await areNear(lines, last, change))) {
      yield hunk;
      hunk = [];
    }
    hunk.push(change);
  }
  if (hunk.length > 0) yield hunk;
}

/** Whether the unchanged lines of both would meet. */
async function areNear(lines: LineReader, last: LineChange, next: LineChange): Promise<boolean> {
  const end = await lines.forward(last.endBytes, 2 * contextLines, next.startBytes);
  return end >= next.startBytes;
}

class HunkWriter {
  readonly #lines: LineReader;
  /** Up to here line breaks are counted. */
  #countedBytes = 0;
  #line = 1;
  /** By how much the after-image has more lines so far. */
  #moreLines = 0;

  constructor(lines: LineReader) {
    this.#lines = lines;
  }

  async write(hunk: readonly LineChange[]): Promise<Buffer> {
    const lines = this.#lines;
    const [first, last] = [hunk[0], hunk.at(-1)];
    if (first === undefined || last === undefined) return Buffer.alloc(0);
    const start = await lines.back(first.startBytes, contextLines);
    const end = await lines.forward(last.endBytes, contextLines);
    const body = new HunkBody();
    let done = start;
    for (const change of hunk) {
      body.keep(linesOf(await lines.read(done, change.startBytes)));
      const removed = linesOf(await lines.read(change.startBytes, change.endBytes));
      body.replace(removed, linesOf(change.after));
      done = change.endBytes;
    }
    body.keep(linesOf(await lines.read(done, end)));
    body.end();
    this.#line += await lines.countBreaks(this.#countedBytes, start);
    this.#countedBytes = start;
    const from = rangeOf(this.#line, body.beforeLines);
    const to = rangeOf(this.#line + this.#moreLines, body.afterLines);
    this.#moreLines += body.afterLines - body.beforeLines;
    return Buffer.concat([Buffer.from(`@@ -${from} +${to} @@\n`), ...body.parts]);
  }
}

/** An empty range is named by the line before it. */
function rangeOf(line: number, count: number): string {
  if (count === 1) return String(line);
  return `${count === 0 ? line - 1 : line},${count}`;
}

class HunkBody {
  readonly parts: Buffer[] = [];
  beforeLines = 0;
  afterLines = 0;
  #removed: Buffer[] = [];
  #added: Buffer[] = [];

  keep(lines: readonly Buffer[]): void {
    if (lines.length === 0) return;
    this.end();
    this.#add(" ", lines);
    this.beforeLines += lines.length;
    this.afterLines += lines.length;
  }

  /** Neighbouring changes are one, with all that goes before all that comes. */
  end(): void {
    this.#add("-", this.#removed);
    this.#add("+", this.#added);
    this.#removed = [];
    this.#added = [];
  }

  replace(removed: readonly Buffer[], added: readonly Buffer[]): void {
    for (const line of removed) this.#removed.push(line);
    for (const line of added) this.#added.push(line);
    this.beforeLines += removed.length;
    this.afterLines += added.length;
  }

  #add(sign: " " | "-" | "+", lines: readonly Buffer[]): void {
    for (const line of lines) {
      this.parts.push(Buffer.from(sign), line);
      if (line.at(-1) !== lineFeed) this.parts.push(noNewline);
    }
  }
}

function headerOf(path: string): Buffer {
  const bytes = Buffer.from(pathToBytes(path)).toString("latin1").replace(/^\/+/u, "");
  return Buffer.from(`--- ${nameOf(`a/${bytes}`)}\n+++ ${nameOf(`b/${bytes}`)}\n`, "latin1");
}

/** As GNU diff and git quote a name that would break the line; bytes stand as Latin-1 here. */
function nameOf(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be quoted
  if (!/[\u0000-\u001f"\\\u007f]/u.test(name)) return name.includes(" ") ? `${name}\t` : name;
  const quoted = name.replace(/[^ !#-[\]-~]/gu, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `"${quoted}"`;
}
