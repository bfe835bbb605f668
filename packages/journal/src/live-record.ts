/**
 * The record of a transaction that this process runs: made durable (step 9), and the four ways in
 * which it ends. Its lock is never let go between, so its name may be unlinked without another
 * look.
 */
import {
  type EntryStatus,
  type FinishReport,
  hasCode,
  OsError,
  pathToBytes,
  type StoreFile,
} from "@fe/native";
import { writeAll, writeDurably } from "./durable-write.ts";
import { RecordExistsError, withSuppressed } from "./errors.ts";
import { legacyRecordName, recordName, unpublishedName } from "./file-names.ts";
import { isSameEntry } from "./journal-directory.ts";
import type { LiveRecord, RecordDraft } from "./journal-types.ts";
import type { HeldKeyLock } from "./key-lock.ts";
import { maxPathBytes } from "./limits.ts";
import { encodePhaseBlock, phasePositionBytes } from "./record-codec.ts";
import { planImages, type WrittenRecord, writeRecord } from "./record-writer.ts";

/**
 * Step 9: the record is durable, by content and by name, when this returns.
 *
 * Errors: `RecordExistsError`; `ImageTooLargeError`, `TooManyPlacesError`, `SourceChangedError`;
 * `OsError`. After any of them nothing is left of the record, and the key lock is still the
 * caller's.
 */
export async function prepareRecord(
  lock: HeldKeyLock,
  draft: RecordDraft,
  engineVersion: string,
): Promise<LiveRecord> {
  if (!lock.isHeld) throw new Error("The key lock was let go");
  const { store, key } = lock;
  const { os } = store;
  if (pathToBytes(draft.realPath).length > maxPathBytes) {
    throw new RangeError(`The path is longer than ${maxPathBytes} bytes`);
  }
  const images = planImages(draft.before, draft.splices, draft.inMemory);
  const transactionId = await os.randomId();
  const createdMs = Math.floor(await os.now());
  const owner = await os.self();
  const fill = async (
    file: StoreFile,
  ): Promise<{ written: WrittenRecord; status: EntryStatus }> => {
    const status = await file.entryStatus();
    const metadata = {
      engineVersion,
      transactionId,
      createdMs,
      realPath: draft.realPath,
      target: draft.target,
      parent: draft.parent,
      permission: draft.permission,
      owner,
      ownerLocks: store.hasLocks ? ("flock" as const) : ("none" as const),
      recordFile: { device: status.device, file: status.file },
    };
    const written = await writeRecord(file, images, metadata, () => os.sleep(0));
    return { written, status };
  };
  try {
    const { file, content } = await writeDurably({
      os: store.os,
      directory: store.directory,
      name: recordName(key),
      temporaryName: unpublishedName(key, transactionId),
      lock: store.hasLocks,
      fill,
      confirm: () => refuseBesideLegacy(lock),
    });
    return liveRecord(lock, transactionId, { file, ...content });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    throw new RecordExistsError(store.names.pathOf(recordName(key)), { cause: error });
  }
}

/**
 * A program of the older form takes no locks of ours and does not see our record: if its own is
 * there by now, it was first.
 */
async function refuseBesideLegacy({ store, legacyStem }: HeldKeyLock): Promise<void> {
  if (legacyStem === undefined) return;
  const name = legacyRecordName(legacyStem);
  if ((await store.directory.entryStatus(name)) === undefined) return;
  throw new RecordExistsError(store.names.pathOf(name));
}

interface DurableRecord {
  readonly file: StoreFile;
  readonly written: WrittenRecord;
  readonly status: EntryStatus;
}

function liveRecord(lock: HeldKeyLock, transactionId: string, durable: DurableRecord): LiveRecord {
  const { store, key } = lock;
  const { file, written, status } = durable;
  const name = recordName(key);
  let hasEnded = false;
  /** Only the first end counts: a later one must not touch what may be somebody else's by then. */
  const end = async (...steps: readonly (() => Promise<unknown>)[]): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    let failure: unknown;
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failure = withSuppressed(failure, error);
      }
    }
    if (failure !== undefined) throw failure;
  };
  const isAtItsName = async (): Promise<boolean> => {
    const atName = await store.directory.entryStatus(name);
    return atName !== undefined && isSameEntry(atName, status);
  };
  const unlink = async (): Promise<void> => {
    // Without a lock the name is no proof: somebody may have put another record there.
    if (!store.hasLocks && !(await isAtItsName())) return;
    try {
      await store.directory.unlink(name);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
    store.noteRemoval();
  };
  return {
    id: key,
    path: store.names.pathOf(name),
    transactionId,
    ...written,
    isAtItsName,
    finish: async (): Promise<FinishReport> => {
      if (hasEnded) throw new Error("The record has ended already");
      hasEnded = true;
      return finishRecord(lock, file, transactionId, isAtItsName);
    },
    markDoubtful: async () => {
      if (hasEnded) throw new Error("The record has ended already");
      const { bootId } = await store.os.self();
      await writeAll(file, encodePhaseBlock("doubtful", transactionId, bootId), phasePositionBytes);
    },
    withdraw: () =>
      end(
        unlink,
        () => file.close(),
        () => lock.release(),
      ),
    keep: () =>
      end(
        () => file.close(),
        () => lock.release(),
      ),
    drop: () =>
      end(
        () => file.close(),
        () => lock.close(),
      ),
  };
}

/** Steps 13 and 14. */
async function finishRecord(
  lock: HeldKeyLock,
  file: StoreFile,
  transactionId: string,
  isAtItsName: () => Promise<boolean>,
): Promise<FinishReport> {
  const { store, key } = lock;
  const held = lock.isHeld ? lock.fileAndName : undefined;
  lock.markReleased();
  const phaseBlock = encodePhaseBlock("committed", transactionId);
  if (!store.hasLocks) {
    const left = await markOnlyIfLost(file, phaseBlock, isAtItsName);
    if (left !== undefined) return left;
  }
  store.noteRemoval();
  return store.directory.finishRecord({
    record: file,
    recordName: recordName(key),
    phaseBlock,
    phasePositionBytes,
    lock: held,
  });
}

/**
 * A store without locks: a person may have removed our record, and another may stand at its name by
 * now. Then only the mark is made. `undefined`: the name is ours.
 */
async function markOnlyIfLost(
  file: StoreFile,
  phaseBlock: Uint8Array,
  isAtItsName: () => Promise<boolean>,
): Promise<FinishReport | undefined> {
  let record: FinishReport["record"] = "absent";
  try {
    if (await isAtItsName()) return undefined;
  } catch (error) {
    // Not to know is no licence to unlink.
    if (!(error instanceof OsError)) throw error;
    record = error;
  }
  let markError: Error | undefined;
  try {
    await writeAll(file, phaseBlock, phasePositionBytes);
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    markError = error;
  }
  await file.close();
  return { markError, record, lock: "absent" };
}
