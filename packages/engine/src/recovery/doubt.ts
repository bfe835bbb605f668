/**
 * What is done when a sync of a target fails.
 *
 * A4  The system may have given up what it could not write, and shows it as if it were on the disk;
 *     a later sync then succeeds and proves nothing. So the record is marked as doubtful before its
 *     locks are let go, and as long as the machine runs only a person decides about it.
 *
 * What this cannot cover is in docs/protocol.md section 9: a process that is killed between the
 * failed sync and the mark, and a mark that cannot be written.
 */
import type { HeldRecord, LiveRecord } from "@fe/journal";
import { hasCode, OsError, type PinnedFile, type ReadableFile } from "@fe/native";
import { FeError } from "../errors.ts";
import { type RecordReport, shortId } from "../record-report.ts";

/** What a report says of a record after a sync failed. */
export type Doubt = Pick<RecordReport, "phase" | "why">;

const whyDoubtful = "a sync of the file failed, so what it shows may not be on its disk";

/** Marks the record; a failure to do so is told, since the next edit then will not know. */
export async function markDoubtful(
  record: HeldRecord | LiveRecord,
  phase: RecordReport["phase"],
): Promise<Doubt> {
  let reason = "a record of the older form has no place for it";
  try {
    if ((await record.markDoubtful()) !== false) return { phase: "doubtful", why: whyDoubtful };
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    reason = error.message;
  }
  return {
    phase,
    why:
      `${whyDoubtful}; the record could not be marked so (${reason}), and the next edit may take ` +
      "the file for whole: resolve it, or start the machine again, before the file is edited",
  };
}

/**
 * Makes a target durable for whose record both locks are ours; a failure marks the record. Error:
 * `FE_SYNC_FAILED`.
 *
 * `pinned`: the file of a handle that can only read. Windows flushes only by one that may write;
 * if the port may not open that for itself, nothing was tried, and no sync has failed. So it is
 * made by the file opened for writing. Errors then also: those of opening it.
 */
export async function syncForRecord(
  file: ReadableFile,
  path: string,
  held: HeldRecord,
  report: RecordReport,
  pinned?: PinnedFile,
): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    if (pinned !== undefined && hasCode(error, "EPERM", "EACCES")) {
      const writer = await pinned.openForWriting();
      try {
        return await syncForRecord(writer, path, held, report);
      } finally {
        await writer.close();
      }
    }
    const record = { ...report, ...(await markDoubtful(held, held.phase)) };
    throw new FeError("FE_SYNC_FAILED", `Cannot make "${path}" durable: ${record.why}`, {
      path,
      operation: "sync",
      record,
      cause: error,
      hint:
        "Look at the disk and at the system's log; a person must decide about record " +
        `${shortId(held.id)}, which is kept (\`recovery.show\`, \`recovery.resolve\`)`,
    });
  }
}
