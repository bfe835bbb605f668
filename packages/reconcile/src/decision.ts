/** What to do about a record that stands in an edit's way. */
// decide.ts makes decisions.

/** A row of the decision table, as messages and documents name it. */
export type Row = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I" | "J";

/**
 * - `proceed`: nothing stands in the way.
 * - `reclaim`: remove the record by way of a tombstone, locks held, and go on.
 * - `busy`: a conflict; keep the record. Trying again is safe.
 * - `recovery-required`: a person must decide; keep the record and write nothing.
 */
export type Action = "proceed" | "reclaim" | "busy" | "recovery-required";

/** The answer of the table. */
export interface Decision {
  readonly row: Row;
  readonly action: Action;
  /**
   * The target must be durable before the record is removed: its owner may have died before its own
   * sync, and until then the record is the only copy that a power cut leaves (I6).
   */
  readonly syncTargetFirst: boolean;
}
