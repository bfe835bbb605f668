/**
 * Step 14: judges what became of the record and makes the answer. A clean-up that failed never
 * turns a done edit into a failure: the next edit reclaims the record (row C, or G if the mark
 * failed as well).
 */
import type { FinishReport } from "@fe/native";
import type { EditResult } from "../result.ts";
import { resultOf } from "./outcome.ts";
import type { CommittedEdit, ConfirmedEdit } from "./states.ts";

function warningsOf(report: FinishReport, recordPath: string): string[] {
  const warnings: string[] = [];
  if (report.record instanceof Error) {
    warnings.push(
      `The edit is done, but its record "${recordPath}" could not be removed ` +
        `(${report.record.message}); the next edit of this file removes it`,
    );
  }
  if (report.lock instanceof Error) {
    warnings.push(
      `The edit is done, but a lock file of the store could not be removed ` +
        `(${report.lock.message}); it is harmless`,
    );
  }
  return warnings;
}

function exclusionOf({
  cooperativeWhy,
}: ConfirmedEdit): Pick<EditResult, "exclusion" | "exclusionReason"> {
  if (cooperativeWhy === undefined) return { exclusion: "kernel" };
  return { exclusion: "cooperative", exclusionReason: cooperativeWhy };
}

/** The answer of an applied edit. */
export function discardRecord(committed: CommittedEdit): EditResult {
  const { confirmed, report } = committed;
  const { matched, record } = confirmed.mutated.armed.prepared;
  const result = resultOf(matched, record.beforeImage, record.afterImage);
  return {
    ...result,
    status: "applied",
    durability: "synced",
    metadataChanges: confirmed.metadataChanges,
    ...exclusionOf(confirmed),
    warnings: [...result.warnings, ...warningsOf(report, record.path)],
  };
}
