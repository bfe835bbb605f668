/** Facts to decision: a look into the table, and the proof that the table is one. */
import type { Decision } from "./decision.ts";
import { type DecisionRow, decisionTable, type Pattern } from "./decision-table.ts";
import type { OrphanFacts } from "./facts.ts";

/**
 * What to do about a record, from what was observed of it. Pure: nothing is read or changed.
 *
 * Errors: an `Error` if not exactly one pattern of the table matches, which a test over all
 * combinations rules out; the caller then leaves everything as it is.
 */
export function decide(facts: OrphanFacts): Decision {
  return decideBy(decisionTable, facts);
}

/** {@link decide} by another table, for the test that shows what a wrong table leads to. */
export function decideBy(table: readonly DecisionRow[], facts: OrphanFacts): Decision {
  const matching = table.flatMap((row) =>
    row.when.filter((pattern) => matches(pattern, facts)).map(() => row),
  );
  const [found] = matching;
  // Not by `node:assert`, which takes longer to load than all of this package.
  if (found === undefined || matching.length > 1) {
    const count = `${matching.length} patterns of the decision table`;
    throw new Error(`Broken invariant: ${count} match ${JSON.stringify(facts)}`);
  }
  return { row: found.row, action: found.action, syncTargetFirst: found.syncTargetFirst };
}

/** Whether every fact has one of the values that `pattern` permits. */
export function matches(pattern: Pattern, facts: OrphanFacts): boolean {
  return (
    permits(pattern.record, facts.record) &&
    permits(pattern.owner, facts.owner) &&
    permits(pattern.identity, facts.identity) &&
    permits(pattern.bytes, facts.bytes) &&
    permits(pattern.storeHasLocks, facts.storeHasLocks)
  );
}

function permits<Value>(values: readonly Value[] | undefined, value: Value): boolean {
  return values === undefined || values.includes(value);
}
