/**
 * A merge of two versions that came from a third: whole lines, and only where both sides changed
 * different places. It is a proposal: a person looks at it and gives it back.
 *
 * M1  Nothing is guessed. Changes that overlap or touch are a conflict, unless both are the same.
 * M2  No byte is altered, whatever the encoding (V1 of `version-text.ts`).
 */
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

/** Versions that take longer to compare have too little in common. */
const timeoutMs = 5_000;

/** What both `one` and `other` made of `base`. */
export async function mergeOf(base: Buffer, one: Buffer, other: Buffer): Promise<Merged> {
  const found = textsOf([base, one, other]);
  if ("why" in found) return { kind: "none", why: found.why };
  if (!found.isWhole) return { kind: "none", why: "one of them ends within a character of UTF-16" };
  const [baseText = "", oneText = "", otherText = ""] = found.texts;
  const { diffArrays } = await import("diff");
  const lines = linesOf(baseText);
  const changesTo = (version: string): Change[] | undefined => {
    const parts = diffArrays(lines, linesOf(version), { timeout: timeoutMs });
    return parts && changesOf(parts);
  };
  const [left, right] = [changesTo(oneText), changesTo(otherText)];
  if (left === undefined || right === undefined) {
    return { kind: "none", why: "they have too little in common to be compared line by line" };
  }
  const merged = combine(lines, left, right);
  return typeof merged === "string" ? { kind: "merged", bytes: found.bytesOf(merged) } : merged;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function changesOf(
  parts: readonly {
    readonly value: string[];
    readonly added: boolean;
    readonly removed: boolean;
  }[],
): Change[] {
  const changes: Change[] = [];
  let at = 0;
  let open: { start: number; end: number; lines: string[] } | undefined;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      if (open !== undefined) changes.push(open);
      open = undefined;
      at += value.length;
      continue;
    }
    open ??= { start: at, end: at, lines: [] };
    if (added) {
      open.lines.push(...value);
    } else {
      at += value.length;
      open.end = at;
    }
  }
  if (open !== undefined) changes.push(open);
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
