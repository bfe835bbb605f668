/** What an edit or a preview ends with after it waited for as long as it was allowed to. */
import { OsError } from "@fe/native";
import { FeError } from "../errors.ts";
import type { RecordReport } from "../record-report.ts";
import { orWait, reportLocked } from "../recovery/refusals.ts";
import type { EngineContext } from "./context.ts";

/**
 * The same error, with how long was waited, and for which process, if a record tells it. To allow
 * to wait is no advice any more.
 */
export async function afterWait(
  context: Pick<EngineContext, "journal">,
  error: FeError,
  key: string,
  waitMs: number,
): Promise<FeError> {
  if (waitMs === 0) return error;
  const { code, path, operation, cause, effect } = error;
  const record = error.record ?? (await recordAtWork(context, key));
  const pid = record?.owner?.pid;
  const whose = pid === undefined ? "" : `; the record at its name is of process ${pid}`;
  const hint = error.hint?.replace(orWait, code === "FE_BUSY" ? " when that has ended" : "");
  const waited = new FeError(code, `${error.message}; waited for ${waitMs} ms${whose}`, {
    ...{ effect, cause },
    ...(path === undefined ? {} : { path }),
    ...(operation === undefined ? {} : { operation }),
    ...(hint === undefined ? {} : { hint }),
    ...(record === undefined ? {} : { record }),
  });
  waited.suppressed.push(...error.suppressed);
  return waited;
}

/** Who holds the lock of a file has, as a rule, made its record by now. */
async function recordAtWork(
  { journal }: Pick<EngineContext, "journal">,
  key: string,
): Promise<RecordReport | undefined> {
  try {
    const found = await journal.peekRecord(key);
    if (found.kind === "held") await found.record.release();
    return found.kind === "locked" ? reportLocked(found) : undefined;
  } catch (error) {
    // What was met first is told.
    if (error instanceof OsError) return undefined;
    throw error;
  }
}
