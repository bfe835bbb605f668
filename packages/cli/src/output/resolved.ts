/** What was resolved, for people: when, and how each is taken back. */
import type { ResolvedReport } from "@fe/engine";
import { escapeText } from "@fe/engine/display";
import { RecoveryCommands, shortId } from "./guidance.ts";
import { count, lines, type Row, table, timeText } from "./layout.ts";
import type { Colors } from "./text.ts";

/** What was resolved and can be taken back, a block each; empty if there is nothing. */
export function resolvedText(
  resolved: readonly ResolvedReport[],
  storeOptions: readonly string[],
  colors: Colors,
): string {
  if (resolved.length === 0) return "";
  const blocks = resolved.map((one) => {
    const id = colors.bold(escapeText(shortId(one.id, resolved)));
    return lines(
      `${id}  resolved  ${escapeText(one.path)}`,
      table(resolvedRows(one, storeOptions)),
    );
  });
  const head = lines("Resolved; each can be taken back while its file holds what was written:");
  return `\n${head}\n${blocks.join("\n")}`;
}

function resolvedRows(one: ResolvedReport, storeOptions: readonly string[]): Row[] {
  const { record, savedPath, savedBytes = 0 } = one;
  const commands = new RecoveryCommands(one, one.path, storeOptions);
  return [
    ["when", timeText(one.savedMs)],
    ...(savedPath === undefined
      ? []
      : ([
          ["held", `${count(savedBytes, "byte")} until then: ${escapeText(savedPath)}`],
          ["undo", commands.undo()],
        ] as const)),
    ...(record === undefined
      ? []
      : ([
          ["record", escapeText(record.recordPath)],
          ["or", commands.undo("before")],
          ["or", commands.undo("after")],
        ] as const)),
  ];
}
