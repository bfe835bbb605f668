/** Tables in Markdown. Pure. */
import { type Summary, threeDigits } from "../statistics.ts";

/** Text columns stand left, those that begin with a number or a dash right. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  rightFrom: number = 1,
): string {
  const rules = heads.map((_, index) => (index < rightFrom ? "---" : "--:"));
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(" | ")} |`;
  return [line(heads), line(rules), ...rows.map(line)].join("\n");
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** `1.23 (1.1–1.4)`: median and middle half. */
export function spread({ median, low, high }: Summary): string {
  return `${threeDigits(median)} (${threeDigits(low)}–${threeDigits(high)})`;
}

export function mebibytes(bytes: number): string {
  return threeDigits(bytes / 2 ** 20);
}
