/**
 * A record of somebody else, under both locks: what it says, and the four ways to be done with it.
 */
import {
  type EntryStatus,
  OsError,
  type ProcessIdentity,
  type StoreFile,
  sameBoot,
} from "@fe/native";
import { writeAll } from "./durable-write.ts";
import { isSameEntry } from "./journal-directory.ts";
import type { HeldRecord, ReclaimReport } from "./journal-types.ts";
import { keepAside } from "./kept-record.ts";
import { type JudgedRecord, reclaim } from "./reclaim.ts";
import type { RecordMetadata } from "./record.ts";
import { encodePhaseBlock, phasePositionBytes } from "./record-codec.ts";
import type { RecordForm } from "./record-form.ts";
import type { VerifiedRecord } from "./record-reader.ts";
import { moveAside } from "./saved-bytes.ts";
import type { Store } from "./store.ts";

/** A record file, open and locked, with what was read from it. */
export interface OpenedRecord {
  readonly file: StoreFile;
  readonly status: EntryStatus;
  readonly verified: VerifiedRecord;
}

/** The record `stem` of a form. Its file is closed by whichever of the four ways is taken. */
export async function heldRecord(
  store: Store,
  form: RecordForm,
  stem: string,
  opened: OpenedRecord,
): Promise<HeldRecord> {
  const { file, verified, status } = opened;
  const name = form.nameOf(stem);
  const judged: JudgedRecord = { form, stem, madeFor: verified.madeFor, status };
  let isDone = false;
  /** Runs `end` at most once; the record lock is let go whatever becomes of it. */
  const endOnce = async <Result>(end: () => Promise<Result>): Promise<Result> => {
    if (isDone) throw new Error("The record was let go already");
    isDone = true;
    try {
      return await end();
    } finally {
      await file.close();
    }
  };
  return {
    id: stem,
    path: store.names.pathOf(name),
    form: form.form,
    metadata: verified.metadata,
    phase: verified.phase,
    doubtBootId: verified.doubtBootId,
    ownerIsProvenByLocks: await isProvenByLocks(store, verified.metadata, status),
    before: verified.before,
    after: verified.after,
    markDoubtful: async (): Promise<boolean> => {
      if (isDone) throw new Error("The record was let go already");
      if (form.form === "json") return false;
      await markDoubtful(store, name, opened);
      return true;
    },
    reclaim: (): Promise<ReclaimReport> => endOnce(() => reclaim(store, judged)),
    keep: (belongs) => endOnce(() => keepAside(store, judged, belongs)),
    moveToSaved: () =>
      endOnce(() => moveAside(store, name, stem, form.form === "json" ? "json" : "fer")),
    release: async () => {
      if (!isDone) await endOnce(async () => undefined);
    },
  };
}

/** By a handle of its own, since the one that was judged can only read. */
async function markDoubtful(
  store: Store,
  name: string,
  { status, verified }: OpenedRecord,
): Promise<void> {
  const file = await store.directory.openFile(name, "read-write");
  try {
    // In a store without locks another may have taken the name meanwhile.
    if (!isSameEntry(await file.entryStatus(), status)) {
      throw new OsError("ENOENT", "openFile", { path: name, message: "another record is there" });
    }
    const { bootId } = await store.os.self();
    const { transactionId } = verified.metadata;
    await writeAll(file, encodePhaseBlock("doubtful", transactionId, bootId), phasePositionBytes);
  } finally {
    await file.close();
  }
}

/**
 * Whether the two locks prove that the owner is gone: it held them, on this host, in this very
 * file. A copy or a restored backup has no lock of the owner's.
 */
async function isProvenByLocks(
  store: Store,
  metadata: RecordMetadata,
  status: EntryStatus,
): Promise<boolean> {
  if (!store.hasLocks || metadata.ownerLocks !== "flock") return false;
  const { device, file } = metadata.recordFile;
  if (device !== status.device || file !== status.file) return false;
  return mayShareLocks(metadata.owner, await store.os.self());
}

/**
 * Whether nothing speaks against it that both processes saw each other's locks. One boot id is one
 * kernel, and it keeps the locks. Of two boots the host ids must agree: only one of them told is
 * another host as much as two that differ. None told is the usual container, started again; there
 * the file is the very one of the record, on a local filesystem, and the locks decide (A6).
 */
function mayShareLocks(owner: ProcessIdentity, self: ProcessIdentity): boolean {
  return sameBoot(owner, self) || owner.hostId === self.hostId;
}
