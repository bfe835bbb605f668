/**
 * What is told of a record that cannot be trusted. If its front can be read, it is the same that a
 * list tells: which file it is of decides whether roots let it be seen, and resolved.
 */
import { OsError } from "@fe/native";
import type { RecordReport } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import { judgeByProbe, reportOf, reportUnreadable, withoutVersions } from "./catalogue.ts";

/** The report of a record that the journal found unsafe. Never throws for what it cannot read. */
export async function reportUnsafe(
  { journal, os }: Pick<EngineContext, "journal" | "os">,
  found: { readonly id: string; readonly path: string; readonly why: string },
): Promise<RecordReport> {
  const { id, path, why } = found;
  const unreadable = reportUnreadable(id, path, why);
  try {
    const listed = (await journal.list()).find((each) => each.id === id && each.path === path);
    const { metadata, phase } = listed ?? {};
    if (metadata === undefined || phase === undefined) return unreadable;
    const owner = await judgeByProbe(os, metadata);
    return withoutVersions(reportOf({ id, path, metadata, phase }, owner, why), unreadable.why);
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    return unreadable;
  }
}
