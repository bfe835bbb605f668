/**
 * The change of an edit as unified diff, made from its splices: exact, and without comparing
 * anything. `patch` makes the after-image of the before-image with it, byte for byte.
 *
 * D1  Bytes of the file stand in it as they are, whatever their encoding; lines end at LF only.
 *     UTF-16 is the exception: its lines are put into UTF-8, to be read, since a line break of one
 *     byte would cut characters.
 * D2  Bounded: what would make it longer than `maxDiffBytes` is left off, whole hunks at a time.
 *
 * Source: POSIX, `diff -u`; GNU diffutils manual, "Detailed Description of Unified Format".
 */
import type { ByteSource, Splice } from "@fe/journal";
import { pathToBytes } from "@fe/native";
import {
  endsLine,
  type LineChange,
  LineReader,
  lineBreakOf,
  lineChanges,
  linesOf,
  TooLongError,
} from "./diff-lines.ts";
import { maxDiffBytes } from "./limits.ts";
import type { ByteOrder } from "./text-form.ts";
import { decodeUtf16, nameOfOrder } from "./utf16.ts";
import type { WorkMeter } from "./work-meter.ts";

/** A change for people, and for `patch`. */
export interface UnifiedDiff {
  /** The text, with the bytes of the file as they are; empty if nothing changes. */
  readonly bytes: Uint8Array;
  /** Hunks were left off at the end, since they would have made it longer than 1 MiB. */
  readonly truncated: boolean;
  /**
   * The file is UTF-16 and was edited as such: its lines stand here in UTF-8, so this is to be read
   * and `patch` cannot take it.
   */
  readonly transcodedFrom?: "utf-16le" | "utf-16be";
}

/** Of what the diff is. */
export interface DiffSubject {
  /** For the header. */
  readonly path: string;
  /** If it is UTF-16; then every offset is even. */
  readonly byteOrder?: ByteOrder | undefined;
}

/** Unchanged lines around a change, as everybody has them. */
const contextLines = 3;

const noNewline: Buffer = Buffer.from("\n\\ No newline at end of file\n");

/**
 * The diff of `before` and what `splices` make of it. Reads up to the last change.
 *
 * Errors: `SourceChangedError`; the signal's reason.
 */
export async function unifiedDiff(
  before: ByteSource,
  splices: readonly Splice[],
  { path, byteOrder }: DiffSubject,
  meter: WorkMeter,
  maxBytes: number = maxDiffBytes,
): Promise<UnifiedDiff> {
  if (splices.length === 0) return { bytes: new Uint8Array(), truncated: false };
  const header = headerOf(path);
  const lines = new LineReader(before, lineBreakOf(byteOrder), meter, maxBytes);
  const writer = new HunkWriter(lines, byteOrder);
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
  return {
    bytes: isEmpty ? new Uint8Array() : Buffer.concat(parts),
    truncated,
    ...(byteOrder === undefined ? {} : { transcodedFrom: nameOfOrder(byteOrder) }),
  };
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
  readonly #byteOrder: ByteOrder | undefined;
  /** Up to here line breaks are counted. */
  #countedBytes = 0;
  #line = 1;
  /** By how much the after-image has more lines so far. */
  #moreLines = 0;

  constructor(lines: LineReader, byteOrder: ByteOrder | undefined) {
    this.#lines = lines;
    this.#byteOrder = byteOrder;
  }

  async write(hunk: readonly LineChange[]): Promise<Buffer> {
    const lines = this.#lines;
    const [first, last] = [hunk[0], hunk.at(-1)];
    if (first === undefined || last === undefined) return Buffer.alloc(0);
    const start = await lines.back(first.startBytes, contextLines);
    const end = await lines.forward(last.endBytes, contextLines);
    const shown = (bytes: Buffer): ShownLine[] => this.#shown(bytes);
    const body = new HunkBody();
    let done = start;
    for (const change of hunk) {
      body.keep(shown(await lines.read(done, change.startBytes)));
      const removed = shown(await lines.read(change.startBytes, change.endBytes));
      body.replace(removed, shown(change.after));
      done = change.endBytes;
    }
    body.keep(shown(await lines.read(done, end)));
    body.end();
    this.#line += await lines.countBreaks(this.#countedBytes, start);
    this.#countedBytes = start;
    const from = rangeOf(this.#line, body.beforeLines);
    const to = rangeOf(this.#line + this.#moreLines, body.afterLines);
    this.#moreLines += body.afterLines - body.beforeLines;
    return Buffer.concat([Buffer.from(`@@ -${from} +${to} @@\n`), ...body.parts]);
  }

  #shown(bytes: Buffer): ShownLine[] {
    const { lineBreak } = this.#lines;
    const order = this.#byteOrder;
    return linesOf(bytes, lineBreak).map((line) => ({
      bytes: order === undefined ? line : Buffer.from(decodeUtf16(line, order)),
      isEnded: endsLine(line, lineBreak),
    }));
  }
}

/** A line as it stands in the diff, and whether it ends with a line break. */
interface ShownLine {
  readonly bytes: Buffer;
  readonly isEnded: boolean;
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
  #removed: ShownLine[] = [];
  #added: ShownLine[] = [];

  keep(lines: readonly ShownLine[]): void {
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

  replace(removed: readonly ShownLine[], added: readonly ShownLine[]): void {
    for (const line of removed) this.#removed.push(line);
    for (const line of added) this.#added.push(line);
    this.beforeLines += removed.length;
    this.afterLines += added.length;
  }

  #add(sign: " " | "-" | "+", lines: readonly ShownLine[]): void {
    for (const { bytes, isEnded } of lines) {
      this.parts.push(Buffer.from(sign), bytes);
      if (!isEnded) this.parts.push(noNewline);
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
