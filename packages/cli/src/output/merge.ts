/**
 * A merge of two versions that came from a third: whole lines, and only where both sides changed
 * different places. It is a proposal: a person looks at it and gives it back.
 *
 * M1  Nothing is guessed. Changes that overlap or touch are a conflict, unless both are the same.
 * M2  No byte is altered, whatever the encoding (V1 of `version-text.ts`).
 */
import { maxComparingMs, tooDifferent } from "./compare.ts";
import { textsOf } from "./version-text.ts";

/** Lines of the common version, from 0, `end` not among them, and what takes their place. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** What a merge came to. */
export type Merged =
  | { readonly kind: "merged"; readonly bytes: Buffer }
  /** Lines of the common version, from 1, that both sides changed. */
  | { readonly kind: "conflict"; readonly firstLine: number; readonly lastLine: number }
  | { readonly kind: "none"; readonly why: string };

/** What both `one` and `other` made of `base`. */
export async function mergeOf(base: Buffer, one: Buffer, other: Buffer): Promise<Merged> {
  const found = textsOf([base, one, other]);
  if ("why" in found) return { kind: "none", why: found.why };
  if (!found.isWhole) return { kind: "none", why: "one of them ends within a character of UTF-16" };
  const [baseText = "", oneText = "", otherText = ""] = found.texts;
  const { diffArrays } = await import("diff");
  const lines = linesOf(baseText);
  const changesTo = (text: string): Change[] | undefined => {
    const version = linesOf(text);
    // A line that the other side has nowhere matches none. Without these an edit of each of a
    // hundred thousand lines is compared at once, and what matches is the same.
    const [ours, theirs] = [placesIn(lines, version), placesIn(version, lines)];
    const parts = diffArrays(
      ours.map((place) => lines[place]),
      theirs.map((place) => version[place]),
      { timeout: maxComparingMs / 2 },
    );
    return parts && changesOf(parts, { lines, places: ours }, { lines: version, places: theirs });
  };
  const left = changesTo(oneText);
  const right = left && changesTo(otherText);
  if (right === undefined || left === undefined) return { kind: "none", why: tooDifferent };
  const merged = combine(lines, left, right);
  return typeof merged === "string" ? { kind: "merged", bytes: found.bytesOf(merged) } : merged;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The places of those `lines` that `others` have, too. */
function placesIn(lines: readonly string[], others: readonly string[]): number[] {
  const known = new Set(others);
  return [...lines.keys()].filter((place) => known.has(lines[place] ?? ""));
}

/** A version, and the places of its lines that were compared. */
interface Compared {
  readonly lines: readonly string[];
  readonly places: readonly number[];
}

/** What lies between the lines that match. */
function changesOf(
  parts: readonly {
    readonly count: number;
    readonly added: boolean;
    readonly removed: boolean;
  }[],
  base: Compared,
  version: Compared,
): Change[] {
  const changes: Change[] = [];
  let [start, from] = [0, 0];
  const changeUntil = (end = base.lines.length, to = version.lines.length): void => {
    if (start < end || from < to)
      changes.push({ start, end, lines: version.lines.slice(from, to) });
    [start, from] = [end + 1, to + 1];
  };
  let [ours, theirs] = [0, 0];
  for (const { count, added, removed } of parts) {
    if (added) {
      theirs += count;
    } else if (removed) {
      ours += count;
    } else {
      for (let left = count; left > 0; left--) {
        changeUntil(base.places[ours++], version.places[theirs++]);
      }
    }
  }
  changeUntil();
  return changes;
}

function isSame(one: Change, other: Change): boolean {
  const { start, end, lines } = one;
  return (
    start === other.start &&
    end === other.end &&
    lines.length === other.lines.length &&
    lines.every((line, index) => line === other.lines[index])
  );
}

function combine(
  lines: readonly string[],
  left: readonly Change[],
  right: readonly Change[],
): string | Extract<Merged, { readonly kind: "conflict" }> {
  const both = [...left, ...right].sort(
    (one, other) => one.start - other.start || one.end - other.end,
  );
  const merged: string[] = [];
  let done = 0;
  let last: Change | undefined;
  for (const change of both) {
    if (last !== undefined && isSame(last, change)) continue;
    if (last !== undefined && change.start <= last.end) {
      const lastLine = Math.max(last.end, change.end, change.start + 1);
      return { kind: "conflict", firstLine: Math.min(last.start, change.start) + 1, lastLine };
    }
    for (const line of lines.slice(done, change.start)) merged.push(line);
    for (const line of change.lines) merged.push(line);
    done = change.end;
    last = change;
  }
  for (const line of lines.slice(done)) merged.push(line);
  return merged.join("");
}
