/**
 * The decision table as data.
 *
 * T1  Total: every combination of facts matches a row.
 * T2  Disjoint: no combination matches two patterns, of one row or of two.
 * T3  A row removes a record only if its owner can have nothing left to do but that.
 * T4  No row writes to the target.
 *
 * C, F and G stand here twice, because they say something else in a store without locks
 * (docs/protocol.md 2). The order of the rows is that of the documents; by T2 it decides nothing.
 *
 * Sources: docs/protocol.md section 8, and 5.4 for the store without locks.
 */
// decide.exhaustive.test.ts goes through all combinations, with an oracle that knows only the
// protocol's prose.
import type { Action, Row } from "./decision.ts";
import type { OrphanFacts } from "./facts.ts";

/** Which facts are meant: of every fact the values that it may have. One left out may have any. */
export type Pattern = {
  readonly [Fact in keyof OrphanFacts]?: readonly OrphanFacts[Fact][];
};

/** A row matches if one of its patterns does. */
export interface DecisionRow {
  readonly row: Row;
  readonly when: readonly Pattern[];
  readonly action: Action;
  /** As in `Decision`. */
  readonly syncTargetFirst: boolean;
  /** What the action comes to, in the words of the documents' table. */
  readonly meaning: string;
}

/** The owner is gone. Without locks, a lock that could be had proves nothing. */
const ownerIsGone: readonly Pattern[] = [
  { owner: ["locks-obtained", "gone"], storeHasLocks: [true] },
  { owner: ["gone"], storeHasLocks: [false] },
];

/** Somebody is at work, or may be. */
const ownerMayLive: readonly Pattern[] = [
  { owner: ["lock-held", "alive", "unknown"], storeHasLocks: [true] },
  { owner: ["lock-held", "locks-obtained", "alive", "unknown"], storeHasLocks: [false] },
];

function both(owners: readonly Pattern[], rest: Pattern): readonly Pattern[] {
  return owners.map((owner) => ({ ...owner, ...rest }));
}

const withLocks: Pattern = { storeHasLocks: [true] };
const withoutLocks: Pattern = { storeHasLocks: [false] };

/** All rows, A to J. The document's table is made of them by `renderDecisionTable`. */
export const decisionTable: readonly DecisionRow[] = [
  // Nobody was at work on this file, or whoever was has finished. The usual case.
  {
    row: "A",
    when: [{ record: ["none"] }],
    action: "proceed",
    syncTargetFirst: false,
    meaning: "go on",
  },

  // Something has the record's name, and we cannot tell what it says. It may be a record of a newer
  // version with the only good copy of the file in it. Whoever its owner is, only a person can
  // look.
  {
    row: "B",
    when: [{ record: ["unsafe"] }],
    action: "recovery-required",
    syncTargetFirst: false,
    meaning: "keep the record; a person decides",
  },

  // The edit is complete, verified and durable, and its owner died before it could remove the
  // record. Nothing in the record is needed any more. An owner without locks may even be alive: it
  // has only the removal left, and takes "already gone" as success.
  {
    row: "C",
    when: [
      {
        record: ["committed"],
        owner: ["locks-obtained", "gone", "alive", "unknown"],
        identity: ["same"],
        bytes: ["after"],
        ...withLocks,
      },
    ],
    action: "reclaim",
    syncTargetFirst: false,
    meaning: "reclaim: its owner has only the removal left",
  },
  // The same where no lock works. Two processes that both reclaim cannot see each other there: the
  // slower one can remove the record of an edit that began between its look and its removal.
  {
    row: "C",
    when: [
      {
        record: ["committed"],
        owner: ["gone"],
        identity: ["same"],
        bytes: ["after"],
        ...withoutLocks,
      },
    ],
    action: "recovery-required",
    syncTargetFirst: false,
    meaning: "keep the record; without locks no automatic reclaim is safe; a person decides",
  },
  {
    row: "C",
    when: [
      {
        record: ["committed"],
        owner: ["lock-held", "locks-obtained", "alive", "unknown"],
        identity: ["same"],
        bytes: ["after"],
        ...withoutLocks,
      },
    ],
    action: "busy",
    syncTargetFirst: false,
    meaning: "conflict, retry is safe; its owner removes the record",
  },

  // Somebody is at work, or may be: a lock is held, a pid answers, or the owner lives where we
  // cannot look (another host, another pid namespace). What identity and bytes say may change at
  // any moment. Waiting is always safe; to take a record from a live owner never is. Committed with
  // the lock held: the owner is between its mark and its removal. Committed, the owner may live,
  // and the file is not as that owner left it: row C would destroy the versions that a person may
  // need.
  {
    row: "D",
    when: [
      ...both(ownerMayLive, { record: ["prepared", "doubtful"] }),
      ...both(ownerMayLive, { record: ["committed"], identity: ["changed", "missing"] }),
      ...both(ownerMayLive, {
        record: ["committed"],
        identity: ["same"],
        bytes: ["before", "other"],
      }),
      {
        record: ["committed"],
        owner: ["lock-held"],
        identity: ["same"],
        bytes: ["after"],
        ...withLocks,
      },
    ],
    action: "busy",
    syncTargetFirst: false,
    meaning: "conflict, retry is safe; keep the record",
  },

  // The owner is gone, and the file that it was editing is not the one that stands here: replaced,
  // removed, restored from a backup, or on a copied disk. Equal bytes would prove nothing, and the
  // file that the record is about may still exist elsewhere, torn.
  {
    row: "E",
    when: both(ownerIsGone, {
      record: ["prepared", "committed", "doubtful"],
      identity: ["changed", "missing"],
    }),
    action: "recovery-required",
    syncTargetFirst: false,
    meaning: "keep the record; a person decides",
  },

  // The owner died before its first byte reached the file. The file is what it was, though perhaps
  // only in memory, hence the sync. Committed: a power cut took the file's bytes back and not the
  // mark.
  {
    row: "F",
    when: [
      {
        record: ["prepared", "committed"],
        owner: ["locks-obtained", "gone"],
        identity: ["same"],
        bytes: ["before"],
        ...withLocks,
      },
    ],
    action: "reclaim",
    syncTargetFirst: true,
    meaning: "sync the target, then reclaim; the file is unchanged; go on",
  },
  {
    row: "F",
    when: [
      {
        record: ["prepared", "committed"],
        owner: ["gone"],
        identity: ["same"],
        bytes: ["before"],
        ...withoutLocks,
      },
    ],
    action: "recovery-required",
    syncTargetFirst: false,
    meaning: "keep the record; without locks no automatic reclaim is safe; a person decides",
  },

  // The owner died after its last byte and before its mark. The edit is complete, though perhaps
  // only in memory, hence the sync.
  {
    row: "G",
    when: [
      {
        record: ["prepared"],
        owner: ["locks-obtained", "gone"],
        identity: ["same"],
        bytes: ["after"],
        ...withLocks,
      },
    ],
    action: "reclaim",
    syncTargetFirst: true,
    meaning: "sync the target, then reclaim; the edit is complete; go on",
  },
  {
    row: "G",
    when: [
      {
        record: ["prepared"],
        owner: ["gone"],
        identity: ["same"],
        bytes: ["after"],
        ...withoutLocks,
      },
    ],
    action: "recovery-required",
    syncTargetFirst: false,
    meaning: "keep the record; without locks no automatic reclaim is safe; a person decides",
  },

  // The owner died while it wrote, or somebody edited the file since: empty, a prefix, torn, or a
  // person's work. The bytes cannot tell these apart, so nothing is put back on a guess (I5).
  {
    row: "H",
    when: both(ownerIsGone, { record: ["prepared"], identity: ["same"], bytes: ["other"] }),
    action: "recovery-required",
    syncTargetFirst: false,
    meaning: "keep the record; never overwritten automatically; a person decides",
  },

  // The edit was complete, and the file was changed since. Most likely nothing is wrong; but a
  // power cut can leave a file like this too, and then the record holds what is missing.
  {
    row: "I",
    when: both(ownerIsGone, { record: ["committed"], identity: ["same"], bytes: ["other"] }),
    action: "recovery-required",
    syncTargetFirst: false,
    meaning: "keep the record; the edit was complete and the file was changed since",
  },

  // A sync of the file failed, of that edit or of one that looked at its record. The system may
  // have given up the bytes that it could not write, shows them all the same, and answers the next
  // sync with success (A4). So whole bytes prove nothing, and the record may hold the only copy.
  {
    row: "J",
    when: both(ownerIsGone, { record: ["doubtful"], identity: ["same"] }),
    action: "recovery-required",
    syncTargetFirst: false,
    meaning: "keep the record; a sync failed, so the bytes prove nothing; a person decides",
  },
];
