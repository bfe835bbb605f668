/** Step 5: the key lock, and an empty place for the record. What records mean is in `recovery/`. */
import type { Journal, KeyLock } from "@fe/journal";
import type { FileIdentity } from "@fe/native";
import { fromOs, fromStore } from "../os-failure.ts";
import { busy } from "../recovery/refusals.ts";
import { refuseRecordsOfPath, settleRecords } from "../recovery/settle.ts";
import type { RunningContext } from "./context.ts";
import type { QueuedTarget, SettledTarget } from "./states.ts";
import { refuse } from "./unwind.ts";

/**
 * Takes the key lock and settles what earlier edits left. On failure nothing is held. Errors:
 * `FE_BUSY`, `FE_RECOVERY_REQUIRED`, `FE_RECORD_UNSAFE`, `FE_STORE_NOT_PRIVATE`, `FE_NO_SPACE`,
 * `FE_PERMISSION_DENIED` (the store), `FE_IO`.
 */
export async function reconcileTarget(
  context: RunningContext,
  queued: QueuedTarget,
): Promise<SettledTarget> {
  const { open } = queued.identified;
  const { path } = open.resolved;
  const { journal } = context;
  const failed = (error: unknown): Error => fromOs(error, { path, action: "edit" });
  let legacyIdentity: FileIdentity;
  try {
    legacyIdentity = await presentIdentity(queued);
  } catch (error) {
    throw failed(error);
  }
  let keyLock: KeyLock | undefined;
  try {
    keyLock = await journal.tryLockKey(queued.key, { legacyIdentity });
  } catch (error) {
    const record = (await mayHoldRecord(journal)) ? { record: "possible" as const } : {};
    throw fromStore(error, { path, action: "edit", ...record }, journal.directoryPath);
  }
  if (keyLock === undefined) throw busy(path, "another edit of it is at work and holds its lock");
  try {
    const warnings = await settleRecords(context, open, keyLock);
    await refuseRecordsOfPath(context, open, queued.key);
    return { state: "settled", queued, keyLock, warnings };
  } catch (error) {
    throw await refuse(keyLock, failed(error));
  }
}

/** Without the lock it is not known whose a record is: any may be of this file. */
async function mayHoldRecord(journal: Journal): Promise<boolean> {
  try {
    return (await journal.list()).length > 0;
  } catch {
    return true;
  }
}

/** Records of the older form are found by the numbers of now, which a copy-up may have changed. */
async function presentIdentity({ identified, key }: QueuedTarget): Promise<FileIdentity> {
  const { target, targetStatus } = identified.open;
  return (key === identified.key ? targetStatus : await target.status()).identity;
}
