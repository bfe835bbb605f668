// Method: every combination of facts (450) is given to decide(). An oracle written as plain ifs
// from the protocol's prose, which shares no code and no data with the table, says what must come
// out; the safety properties are checked apart from it, so that an error in the prose shows as
// well. Each check is then run against tables with one row or pattern missing, changed or doubled,
// and must fail.
import { describe, expect, it } from "vitest";
import { decide, decideBy } from "./decide.ts";
import type { Decision, Row } from "./decision.ts";
import { type DecisionRow, decisionTable } from "./decision-table.ts";
import { factValues, type OrphanFacts } from "./facts.ts";

const all: readonly OrphanFacts[] = factValues.record.flatMap((record) =>
  factValues.owner.flatMap((owner) =>
    factValues.identity.flatMap((identity) =>
      factValues.bytes.flatMap((bytes) =>
        factValues.storeHasLocks.map((storeHasLocks) => ({
          record,
          owner,
          identity,
          bytes,
          storeHasLocks,
        })),
      ),
    ),
  ),
);

const readable = all.filter(({ record }) => record !== "none" && record !== "unsafe");
/** Those whose target can be believed. */
const believed = readable.filter(({ record }) => record !== "doubtful");

/**
 * The decision table as prose says it, row by row, and the paragraph on stores without locks.
 */
function oracle(facts: OrphanFacts): { row: Row; action: string; syncTargetFirst: boolean } {
  const { record, owner, identity, bytes, storeHasLocks } = facts;
  const answer = (row: Row, action: string, syncTargetFirst = false) => ({
    row,
    action,
    syncTargetFirst,
  });
  if (record === "none") return answer("A", "proceed");
  if (record === "unsafe") return answer("B", "recovery-required");

  // "of an owner that is gone every row is recovery_required, of any other busy, row C included".
  if (!storeHasLocks) {
    const isGone = owner === "gone";
    const isRowC = record === "committed" && identity === "same" && bytes === "after";
    if (!isGone) return answer(isRowC ? "C" : "D", "busy");
    if (isRowC) return answer("C", "recovery-required");
    if (identity !== "same") return answer("E", "recovery-required");
    if (record === "doubtful") return answer("J", "recovery-required");
    if (bytes === "before") return answer("F", "recovery-required");
    if (bytes === "after") return answer("G", "recovery-required");
    return answer(record === "prepared" ? "H" : "I", "recovery-required");
  }

  // C: "locks obtained; for a record without locks: any, even alive".
  if (record === "committed" && identity === "same" && bytes === "after" && owner !== "lock-held") {
    return answer("C", "reclaim");
  }
  // D: "a lock is held; for a record without locks: alive or unknown".
  if (owner === "lock-held" || owner === "alive" || owner === "unknown") return answer("D", "busy");
  // From here on the owner is gone.
  if (identity === "changed" || identity === "missing") return answer("E", "recovery-required");
  // J: "doubtful: whole bytes prove nothing".
  if (record === "doubtful") return answer("J", "recovery-required");
  if (bytes === "before") return answer("F", "reclaim", true);
  if (record === "prepared" && bytes === "after") return answer("G", "reclaim", true);
  if (record === "prepared") return answer("H", "recovery-required");
  return answer("I", "recovery-required");
}

type Decide = (facts: OrphanFacts) => Decision;
const describeFacts = (facts: OrphanFacts) => JSON.stringify(facts);

/** Fails unless `decideThem` is total, disjoint, and says what the prose says. */
function checkAgainstProse(decideThem: Decide): void {
  for (const facts of all) {
    expect(decideThem(facts), describeFacts(facts)).toEqual(oracle(facts));
  }
}

const withoutEach = decisionTable.flatMap((row, index) =>
  row.when.map((_pattern, patternIndex) => ({
    name: `row ${row.row}, entry ${index + 1}, pattern ${patternIndex + 1}`,
    table: decisionTable.map((other, at) =>
      at === index ? { ...other, when: other.when.filter((_p, p) => p !== patternIndex) } : other,
    ),
  })),
);

const otherActions = ["proceed", "reclaim", "busy", "recovery-required"] as const;

describe("decide() over every combination of facts", () => {
  it("covers 450 different combinations", () => {
    expect(all).toHaveLength(5 * 5 * 3 * 3 * 2);
    expect(new Set(all.map(describeFacts)).size).toBe(all.length);
  });

  it("matches exactly one row each, and the one that the protocol's prose says", () => {
    checkAgainstProse(decide);
  });

  it("uses every row", () => {
    expect(new Set(all.map((facts) => decide(facts).row))).toEqual(new Set("ABCDEFGHIJ"));
  });

  it("S16 reclaims an orphan whose target holds exactly before or after, synced first", () => {
    const orphans = believed.filter(
      ({ owner, identity, bytes, storeHasLocks }) =>
        (owner === "gone" || owner === "locks-obtained") &&
        identity === "same" &&
        bytes !== "other" &&
        storeHasLocks,
    );
    expect(orphans).toHaveLength(2 * 2 * 2);
    for (const facts of orphans) {
      const decision = decide(facts);
      expect(decision.action, describeFacts(facts)).toBe("reclaim");
      // Row C alone needs no sync: the mark came after the owner's own.
      expect(decision.syncTargetFirst).toBe(decision.row !== "C");
    }
  });

  it("A4 never reclaims a doubtful record, whatever the file shows", () => {
    const doubtful = readable.filter(({ record }) => record === "doubtful");
    expect(doubtful).toHaveLength(5 * 3 * 3 * 2);
    for (const facts of doubtful) {
      const { action, row } = decide(facts);
      expect(["busy", "recovery-required"], describeFacts(facts)).toContain(action);
      // A message must not say of a doubtful file that it is whole.
      expect(["D", "E", "J"]).toContain(row);
    }
  });

  it("S17 never lets an edit go on over bytes that are neither version", () => {
    for (const facts of readable.filter(({ bytes }) => bytes === "other")) {
      expect(["busy", "recovery-required"], describeFacts(facts)).toContain(decide(facts).action);
    }
  });

  it("S19 asks a person about a changed or missing file of a gone owner", () => {
    const orphans = readable.filter(
      ({ owner, identity }) => owner === "gone" && identity !== "same",
    );
    for (const facts of orphans) expect(decide(facts).action).toBe("recovery-required");
  });

  it("S19 asks a person about an unsafe record, whatever else is observed", () => {
    for (const facts of all.filter(({ record }) => record === "unsafe")) {
      expect(decide(facts)).toEqual({
        row: "B",
        action: "recovery-required",
        syncTargetFirst: false,
      });
    }
  });

  it("S15 S24 answers busy to a prepared or doubtful record of an owner that may live", () => {
    for (const facts of all) {
      if (facts.record !== "prepared" && facts.record !== "doubtful") continue;
      if (facts.owner === "gone") continue;
      // Locks that could be had prove that the owner is gone only where locks work.
      if (facts.owner === "locks-obtained" && facts.storeHasLocks) continue;
      expect(decide(facts).action, describeFacts(facts)).toBe("busy");
    }
  });

  it("S24 reclaims a committed record of a live owner if the target holds its after-bytes", () => {
    for (const owner of ["locks-obtained", "gone", "alive", "unknown"] as const) {
      const facts: OrphanFacts = {
        record: "committed",
        owner,
        identity: "same",
        bytes: "after",
        storeHasLocks: true,
      };
      expect(decide(facts)).toEqual({ row: "C", action: "reclaim", syncTargetFirst: false });
    }
  });

  it("never reclaims while a lock is held, nor in a store without locks", () => {
    for (const facts of all) {
      if (facts.owner !== "lock-held" && facts.storeHasLocks) continue;
      expect(decide(facts).action, describeFacts(facts)).not.toBe("reclaim");
    }
  });

  it("never removes a prepared record before the target is synced", () => {
    for (const facts of all.filter(({ record }) => record === "prepared")) {
      const decision = decide(facts);
      if (decision.action === "reclaim") expect(decision.syncTargetFirst).toBe(true);
    }
  });

  it("goes on at once only if there is no record", () => {
    for (const facts of all) {
      expect(decide(facts).action === "proceed").toBe(facts.record === "none");
    }
  });

  it("becomes no bolder when the owner is known less well, or the store loses its locks", () => {
    const boldness = { "recovery-required": 0, busy: 0, reclaim: 1, proceed: 1 };
    for (const facts of all) {
      const bold = boldness[decide(facts).action];
      const careful: OrphanFacts[] = [
        { ...facts, storeHasLocks: false },
        { ...facts, owner: "lock-held" },
        { ...facts, bytes: "other" },
        { ...facts, identity: "changed" },
      ];
      if (believed.includes(facts)) careful.push({ ...facts, record: "doubtful" });
      if (facts.owner === "gone") careful.push({ ...facts, owner: "unknown" });
      for (const less of careful) {
        expect(boldness[decide(less).action], describeFacts(less)).toBeLessThanOrEqual(bold);
      }
    }
  });
});

describe("the check over every combination", () => {
  it.each(withoutEach)("fails without $name", ({ table }) => {
    expect(() => checkAgainstProse((facts) => decideBy(table, facts))).toThrow(
      /0 patterns of the decision table match/,
    );
  });

  it("fails if any pattern stands there twice", () => {
    for (const row of decisionTable) {
      const doubled: DecisionRow[] = [...decisionTable, row];
      expect(() => checkAgainstProse((facts) => decideBy(doubled, facts))).toThrow(
        /2 patterns of the decision table match/,
      );
    }
  });

  it("fails if any row has another action, or syncs otherwise", () => {
    for (const [index, row] of decisionTable.entries()) {
      const others = otherActions.filter((action) => action !== row.action);
      const changes = [
        ...others.map((action) => ({ ...row, action })),
        { ...row, syncTargetFirst: !row.syncTargetFirst },
      ];
      for (const changed of changes) {
        const table = decisionTable.with(index, changed);
        expect(() => checkAgainstProse((facts) => decideBy(table, facts))).toThrow();
      }
    }
  });
});
