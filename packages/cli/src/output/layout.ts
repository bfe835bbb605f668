/** Rows and lines of what people read. */

/** A label, and what stands beside it. */
export type Row = readonly [label: string, value: string];

/** Rows, their values aligned. */
export function table(rows: readonly Row[], indent = "  "): string[] {
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${indent}${label.padEnd(width)}  ${value}`.trimEnd());
}

/** Lines, each with its end. */
export function lines(...parts: readonly (string | readonly string[])[]): string {
  return parts
    .flat()
    .map((line) => `${line}\n`)
    .join("");
}

/** A number and its noun. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A time of the wall clock, in ms since 1970. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms since 1970` : date.toISOString();
}
