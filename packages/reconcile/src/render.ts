/** The decision table as a Markdown table, so that no document can say anything else. */
import { type DecisionRow, decisionTable, type Pattern } from "./decision-table.ts";
import { factValues, type OrphanFacts } from "./facts.ts";

/** Header of the table. A document's table is found by it. */
export const decisionTableHeader = "| Row | Record | Owner | Identity | Bytes | Store | Decision |";

/**
 * {@link decisionTable} as Markdown: header, rule, and one line for each pattern of each row. Ends
 * without a line break.
 */
export function renderDecisionTable(): string {
  const lines = decisionTable.flatMap((row) => row.when.map((pattern) => renderLine(row, pattern)));
  return [decisionTableHeader, "| --- | --- | --- | --- | --- | --- | --- |", ...lines].join("\n");
}

function renderLine(row: DecisionRow, pattern: Pattern): string {
  const cells = [
    row.row,
    values("record", pattern.record),
    values("owner", pattern.owner),
    values("identity", pattern.identity),
    values("bytes", pattern.bytes),
    store(pattern.storeHasLocks),
    `\`${row.action}\`: ${row.meaning}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function values<Fact extends keyof OrphanFacts>(
  fact: Fact,
  permitted: readonly OrphanFacts[Fact][] | undefined,
): string {
  if (permitted === undefined || permitted.length === factValues[fact].length) return "any";
  return permitted.map((value) => `\`${String(value)}\``).join(", ");
}

function store(permitted: readonly boolean[] | undefined): string {
  if (permitted === undefined || permitted.length > 1) return "any";
  return permitted[0] ? "with locks" : "without locks";
}
