/**
 * No undo while a record of its id stands. Ids are of files, so the record is of a later edit, or
 * of a resolution that was cut short: to bring back what an earlier resolution replaced would be to
 * undo something else than was asked for, and the next edit would settle the record by it.
 *
 * It is looked for before anything is saved; one that comes after that is refused in step 5 of the
 * undo's own edit (`settle.ts`).
 */
import { fromOs } from "../os-failure.ts";
import type { RecordReport } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import { listRecords } from "./lookup.ts";
import { lockRecord } from "./record-locks.ts";
import { standsInTheWay } from "./refusals.ts";

/** Errors: `FE_RECOVERY_REQUIRED`, `FE_RECORD_UNSAFE`. */
export async function refuseWhileStanding(context: EngineContext, id: string): Promise<void> {
  const prefix = id.toLowerCase();
  for (const record of await listRecords(context)) {
    if (!record.id.startsWith(prefix)) continue;
    const path = record.path ?? record.recordPath;
    try {
      if (await isLeft(context, record)) throw standsInTheWay(path, record);
    } catch (error) {
      throw fromOs(error, { path, action: "undo the resolution of" });
    }
  }
}

/** Not while somebody is at work on it: then the undo waits, or is refused, as an edit is. */
async function isLeft(context: EngineContext, record: RecordReport): Promise<boolean> {
  const locks = await lockRecord(context, record);
  if (locks === undefined) return false;
  try {
    const found = await context.journal.findRecord(locks.keyLock);
    if (found.kind === "held") await found.record.release();
    return found.kind === "held" || found.kind === "unsafe";
  } finally {
    await locks.release();
  }
}
