/**
 * What was observed of a record that stands in an edit's way.
 *
 * Observing is not done here (`@fe/engine` does it), nor is deciding (`decide`).
 *
 * The order of observing is part of a fact's meaning: record, identity and bytes are read only
 * after both locks were tried, for otherwise the owner could change them between two looks.
 *
 * Sources: docs/protocol.md sections 5.3 and 8.
 */

/**
 * The record.
 *
 * - `none`: there is none.
 * - `unsafe`: it cannot be opened safely, has a wrong owner or mode, is malformed, has a wrong
 *   checksum, or a version that this program does not know.
 * - `prepared`, `committed`: it is readable, and in this phase.
 * - `doubtful`: it is readable, and a sync of its target failed since this machine was started. The
 *   system may show bytes that it could not write, and will not report that again, so what the
 *   target holds is no proof of what its disk holds. One of an earlier boot is `prepared`: what is
 *   read since then comes from the disk.
 */
export type RecordFact = "none" | "unsafe" | "prepared" | "committed" | "doubtful";

/**
 * The record's owner.
 *
 * - `lock-held`: another process holds the key lock or the record lock.
 * - `locks-obtained`: the owner's locks count (rule 2), and both are ours now: it is gone or has
 *   finished.
 * - `gone`, `alive`, `unknown`: a record without locks, judged by rules 1 and 3 to 8
 *   (`judgeOwner`). The locks that the store has are ours all the same.
 */
export type OwnerFact = "lock-held" | "locks-obtained" | "gone" | "alive" | "unknown";

/** The file at the record's place against the identity in the record. */
export type IdentityFact = "same" | "changed" | "missing";

/**
 * The target's bytes, by length and SHA-256. `other` is everything that is neither image: empty, a
 * prefix, torn, somebody's edit, and bytes that cannot be read.
 */
export type BytesFact = "before" | "after" | "other";

/**
 * All that a decision may rest on. Of a record that is `none` or `unsafe` the rest says nothing.
 */
export interface OrphanFacts {
  readonly record: RecordFact;
  readonly owner: OwnerFact;
  readonly identity: IdentityFact;
  readonly bytes: BytesFact;
  /**
   * `false`: one file of this store can be locked twice (network and some FUSE filesystems). A lock
   * proves nothing there, so `lock-held` and `locks-obtained` prove nothing either.
   */
  readonly storeHasLocks: boolean;
}

/** Every value of every fact, in the order in which tables and messages name them. */
export const factValues: {
  readonly [Fact in keyof OrphanFacts]: readonly OrphanFacts[Fact][];
} = {
  record: ["none", "unsafe", "prepared", "committed", "doubtful"],
  owner: ["lock-held", "locks-obtained", "gone", "alive", "unknown"],
  identity: ["same", "changed", "missing"],
  bytes: ["before", "after", "other"],
  storeHasLocks: [true, false],
};
