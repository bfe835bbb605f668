/** Records as people and programs see them. It reads, and decides and changes nothing (S20, I9). */
import type { RecordMetadata, RecordPhase } from "@fe/journal";
import { type Os, sameBoot } from "@fe/native";
import { judgeOwner, type OwnerEvidence } from "@fe/reconcile";
import type { ListedReport, NamedRecord, UnreadableRecord } from "../record-report.ts";

/** What is known of a record that could be read. */
export interface ReadableRecord {
  readonly id: string;
  readonly path: string;
  readonly phase: RecordPhase;
  readonly metadata: RecordMetadata;
}

/** What the rules without locks say of a record's owner; listing takes no lock. */
export async function judgeByProbe(os: Os, metadata: RecordMetadata): Promise<OwnerEvidence> {
  const { owner, ownerLocks } = metadata;
  const self = await os.self();
  return judgeOwner({
    owner,
    self,
    probe: await os.probeProcess(owner.pid),
    runsHere: false,
    sharesBoot: sameBoot(owner, self),
    heldLocks: ownerLocks === "flock",
  });
}

/** The report of a record that could be read. */
export function reportOf(record: ReadableRecord, owner: OwnerEvidence, why: string): NamedRecord {
  const { metadata } = record;
  const { transactionId } = metadata;
  return {
    id: record.id,
    recordPath: record.path,
    phase: record.phase,
    why,
    path: metadata.realPath,
    // Not every record of the older form has one.
    ...(transactionId === "" ? {} : { transactionId }),
    identity: metadata.target,
    owner: { pid: metadata.owner.pid, state: owner.verdict, why: owner.why },
    createdMs: metadata.createdMs,
    before: metadata.before,
    after: metadata.after,
  };
}

/** The report of a record that could not be read; nothing in it is believed. */
export function reportUnreadable(id: string, recordPath: string, why: string): UnreadableRecord {
  return { id, recordPath, phase: "unreadable", why: `the record ${why}`, choices: ["current"] };
}

/**
 * The same record, of which no version can be had. What its front says holds: that part has a sum
 * of its own, and a list believes it too.
 */
export function withoutVersions<T extends ListedReport>(record: T, why: string): T {
  return { ...record, phase: "unreadable", why, choices: ["current"] };
}
