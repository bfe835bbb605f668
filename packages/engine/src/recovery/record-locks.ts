/**
 * The locks under which a person's decision is carried out.
 *
 * A record of the older form is known by its stem, while edits of its file meet at the file's own
 * key. So both are taken if the file at its path is the one that the stem was made from; if it is
 * another, nothing is written to it and the stem alone will do.
 */
import { type KeyLock, legacyStem, recordKey } from "@fe/journal";
import { type FileIdentity, hasCode } from "@fe/native";
import type { RecordReport } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";

/** Locks that are let go together, whatever fails. */
export interface RecordLocks extends KeyLock {
  /** The one under whose key the record is found. */
  readonly keyLock: KeyLock;
}

/** Takes the locks of a record; `undefined` if another has one. Never waits. */
export async function lockRecord(
  { os, journal }: EngineContext,
  { id, path }: RecordReport,
): Promise<RecordLocks | undefined> {
  const identity = path === undefined ? undefined : await identityAt(os, path);
  if (path === undefined || identity === undefined || legacyStem(identity) !== id) {
    const keyLock = await journal.tryLockKey(id);
    return keyLock && { key: id, keyLock, release: () => keyLock.release() };
  }
  const ofFile = await journal.tryLockKey(recordKey(identity, path));
  if (ofFile === undefined) return undefined;
  let keyLock: KeyLock | undefined;
  try {
    keyLock = await journal.tryLockKey(id, { legacyIdentity: identity });
  } finally {
    if (keyLock === undefined) await ofFile.release();
  }
  return keyLock && { key: id, keyLock, release: () => releaseBoth(keyLock, ofFile) };
}

async function releaseBoth(first: KeyLock, second: KeyLock): Promise<void> {
  try {
    await first.release();
  } finally {
    await second.release();
  }
}

async function identityAt(
  os: EngineContext["os"],
  path: string,
): Promise<FileIdentity | undefined> {
  try {
    return (await os.inspectTarget(path)).targetStatus.identity;
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
    throw error;
  }
}
