/** Decisions in words. What a person can do about them is the caller's to say. */
import type { Decision, Row } from "./decision.ts";
import type { BytesFact, OrphanFacts } from "./facts.ts";

/**
 * One sentence for people: what was found, and what follows. Without full stop, path and record
 * name, which the caller knows. It fits after a colon.
 */
export function explainDecision(decision: Decision, facts: OrphanFacts): string {
  return `${explainFinding(decision, facts)}, ${consequence(decision, facts)}`;
}

/** The first half of {@link explainDecision}: what was found. */
export function explainFinding({ row }: Pick<Decision, "row">, facts: OrphanFacts): string {
  return findings[row](facts);
}

const findings: Readonly<Record<Row, (facts: OrphanFacts) => string>> = {
  A: () => "there is no record of an earlier edit",
  B: () => "the record of an earlier edit cannot be opened safely or cannot be read",
  C: () => "an earlier edit is complete and only its record was left",
  D: ownerAtWork,
  E: ({ identity }) =>
    identity === "missing"
      ? "an earlier edit was interrupted and its file is no longer there"
      : "an earlier edit was interrupted and another file stands in the place of its file",
  F: ({ record }) =>
    record === "committed"
      ? "an earlier edit was complete and the file holds its bytes from before that edit again"
      : "an earlier edit was interrupted before it changed the file",
  G: () => "an earlier edit was interrupted after it had written everything",
  H: () => "an earlier edit was interrupted and the file holds neither of its two versions",
  I: () => "an earlier edit was complete and the file was changed since",
  J: () => "a sync of the file failed and what it shows may not be on its disk",
};

/** Row D: nothing is said of the file, which may be changing. */
function ownerAtWork({ owner, record, bytes, identity }: OrphanFacts): string {
  const work = record === "committed" ? workLeft(identity === "same" ? bytes : "other") : "at work";
  switch (owner) {
    case "lock-held":
      return `another edit of this file is ${work}`;
    case "alive":
      return `the process of an earlier edit of this file is alive and may be ${work}`;
    default:
      return "whether the process of an earlier edit is alive cannot be told from here";
  }
}

function workLeft(bytes: BytesFact): string {
  return bytes === "after" ? "about to finish" : "at work";
}

function consequence({ action, row, syncTargetFirst }: Decision, facts: OrphanFacts): string {
  switch (action) {
    case "proceed":
      return "so the edit goes on";
    case "reclaim":
      return syncTargetFirst
        ? "so the file is made durable and the record is removed"
        : "so the record is removed";
    case "busy":
      return row === "C" ? "so its process must remove the record" : "so this edit has to wait";
    case "recovery-required":
      return facts.storeHasLocks || row === "B"
        ? "so a person must decide"
        : "and in a store without locks a person must decide";
  }
}
