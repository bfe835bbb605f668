/** What an edit or a preview ends with after it waited for as long as it was allowed to. */
import { FeError } from "../errors.ts";
import type { RecordReport } from "../record-report.ts";
import { listRecords } from "../recovery/lookup.ts";
import { orWait } from "../recovery/refusals.ts";
import type { EngineContext } from "./context.ts";

/**
 * The same error, with how long was waited, and for which process, if a record tells it. To allow
 * to wait is no advice any more.
 */
export async function afterWait(
  context: EngineContext,
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

/**
 * Who holds the lock of a file has, as a rule, made its record by now. Its front is read as for a
 * list: who locked it to ask would hold the lock of a record without that of its file.
 */
async function recordAtWork(
  context: EngineContext,
  key: string,
): Promise<RecordReport | undefined> {
  try {
    const records = await listRecords(context);
    return records.find(({ id, owner }) => id === key && owner?.state === "alive");
  } catch (error) {
    // What was met first is told.
    if (error instanceof FeError) return undefined;
    throw error;
  }
}
