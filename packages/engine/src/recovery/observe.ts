/** Gathers what the decision table asks: owner, identity, bytes. It reads and changes nothing. */
import type { HeldRecord } from "@fe/journal";
import {
  type FileIdentity,
  type Os,
  OsError,
  type PinnedFile,
  type ReadableFile,
  sameFile,
} from "@fe/native";
import { judgeByLocks, type OrphanFacts, type OwnerEvidence } from "@fe/reconcile";
import { fileSource, hashOf } from "../bytes.ts";
import { judgeByProbe } from "./catalogue.ts";

/** Facts, with the evidence that a message can quote. */
export interface Observation {
  readonly facts: OrphanFacts;
  readonly owner: OwnerEvidence;
}

/**
 * Whether a file is the one that the record was made for. `st_dev` counts only within the boot in
 * which the record was written.
 */
export async function isRecordedFile(
  os: Os,
  record: Pick<HeldRecord, "metadata">,
  identity: FileIdentity,
): Promise<boolean> {
  const { target, owner } = record.metadata;
  const bootId = (await os.self()).bootId;
  return sameFile(target, identity, { sameBoot: bootId !== undefined && bootId === owner.bootId });
}

/**
 * What the record's phase means here and now. After another boot nothing of the doubt is left: what
 * can be read was read from the disk. An id that is not known is no proof of another boot.
 */
async function recordFactOf(os: Os, record: HeldRecord): Promise<OrphanFacts["record"]> {
  if (record.phase !== "doubtful") return record.phase;
  const { bootId } = await os.self();
  const { doubtBootId } = record;
  const isOtherBoot = bootId !== undefined && doubtBootId !== undefined && bootId !== doubtBootId;
  return isOtherBoot ? "prepared" : "doubtful";
}

/** Which image a file holds; its size decides most. */
async function imageIn(record: HeldRecord, file: ReadableFile): Promise<OrphanFacts["bytes"]> {
  const { before, after } = record.metadata;
  const { sizeBytes } = await file.status();
  if (sizeBytes !== before.sizeBytes && sizeBytes !== after.sizeBytes) return "other";
  const sha256 = await hashOf(fileSource(file, sizeBytes));
  if (sizeBytes === before.sizeBytes && sha256 === before.sha256) return "before";
  return sizeBytes === after.sizeBytes && sha256 === after.sha256 ? "after" : "other";
}

/**
 * Whether it is the recorded file, and what it holds; what cannot be read counts as neither image.
 */
async function observeTarget(
  os: Os,
  record: HeldRecord,
  pinned: PinnedFile | undefined,
): Promise<Pick<OrphanFacts, "identity" | "bytes">> {
  if (pinned === undefined) return { identity: "missing", bytes: "other" };
  const changed = { identity: "changed", bytes: "other" } as const;
  if (!(await isRecordedFile(os, record, (await pinned.status()).identity))) return changed;
  try {
    const file = await pinned.openForReading();
    try {
      // Asked again: a handle that can read knows the generation too.
      const { identity } = await file.status();
      if (!(await isRecordedFile(os, record, identity))) return changed;
      return { identity: "same", bytes: await imageIn(record, file) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof OsError) return { identity: "same", bytes: "other" };
    throw error;
  }
}

/**
 * Observes a record whose lock is ours. `pinned`: what stands at the target's path, if anything.
 */
export async function observeRecord(
  os: Os,
  storeHasLocks: boolean,
  record: HeldRecord,
  pinned: PinnedFile | undefined,
): Promise<Observation> {
  const owner = record.ownerIsProvenByLocks
    ? judgeByLocks(true)
    : await judgeByProbe(os, record.metadata);
  const ownerFact = record.ownerIsProvenByLocks ? "locks-obtained" : owner.verdict;
  const target = await observeTarget(os, record, pinned);
  const phase = await recordFactOf(os, record);
  return { owner, facts: { record: phase, owner: ownerFact, ...target, storeHasLocks } };
}
