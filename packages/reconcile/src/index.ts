/** What to do with a record whose owner is gone: public names. */
export { decide } from "./decide.ts";
export type { Action, Decision, Row } from "./decision.ts";
export { type DecisionRow, decisionTable, type Pattern } from "./decision-table.ts";
export { explainDecision, explainFinding } from "./explain.ts";
export type { BytesFact, IdentityFact, OrphanFacts, OwnerFact, RecordFact } from "./facts.ts";
export {
  bootTimeToleranceMs,
  judgeByLocks,
  judgeOwner,
  type OwnerEvidence,
  type OwnerQuestion,
} from "./liveness.ts";
export { decisionTableHeader, renderDecisionTable } from "./render.ts";
