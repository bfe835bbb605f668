import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { decisionTable } from "./decision-table.ts";
import { decisionTableHeader, renderDecisionTable } from "./render.ts";

const page = path.join(import.meta.dirname, "..", "..", "..", "docs", "protocol.md");

/** The lines of the table that begins with `header`, each cell trimmed. */
function tableIn(text: string): string[] {
  const cells = (line: string) => line.split("|").map((cell) => cell.trim());
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex(
    (line) => cells(line).join("|") === cells(decisionTableHeader).join("|"),
  );
  if (start < 0) return [];
  const end = lines.findIndex((line, index) => index > start && !line.trimStart().startsWith("|"));
  return lines
    .slice(start, end < 0 ? undefined : end)
    .map((line) => cells(line).join("|").replace(/-+/g, "---"));
}

describe("renderDecisionTable()", () => {
  it("gives one line for each pattern of each row, in the order of the rows", () => {
    const [header, rule, ...lines] = renderDecisionTable().split("\n");
    expect(header).toBe(decisionTableHeader);
    expect(rule).toMatch(/^(?:\| --- ){7}\|$/);
    expect(lines).toHaveLength(decisionTable.reduce((sum, { when }) => sum + when.length, 0));
    expect([...new Set(lines.map((line) => line[2]))].join("")).toBe("ABCDEFGHIJ");
    for (const line of lines) expect(line.split("|")).toHaveLength(9);
  });

  it("finds its own table in a page", () => {
    const text = `# Page\n\n${renderDecisionTable()}\n\n| other | table |\n`;
    expect(tableIn(text)).toEqual(tableIn(renderDecisionTable()));
    expect(tableIn(text).length).toBeGreaterThan(9);
  });

  it.skipIf(!existsSync(page))(
    "is the table in docs/protocol.md (skipped while there is none)",
    () => {
      expect(tableIn(readFileSync(page, "utf8"))).toEqual(tableIn(renderDecisionTable()));
    },
  );
});
