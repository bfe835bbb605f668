/**
 * Carries out what the decision table says about the records in an edit's way, until none is left
 * or one of them ends the edit (docs/protocol.md section 8). The caller holds the key lock.
 *
 * I3, I4  Only `reclaim` of the journal removes a record, with both locks held.
 * I5      Nothing here writes to a target.
 * I6      A prepared record of another transaction is removed only after the target was synced.
 */
import type { HeldRecord, KeyLock, RecordFinding } from "@fe/journal";
import { decide, explainDecision, type OrphanFacts } from "@fe/reconcile";
import { fromOs } from "../os-failure.ts";
import type { RecordReport } from "../record-report.ts";
import type { RecoveredRecord } from "../result.ts";
import type { EngineContext, RunningContext } from "../transaction/context.ts";
import type { OpenTarget } from "../transaction/states.ts";
import { reportOf } from "./catalogue.ts";
import { syncForRecord } from "./doubt.ts";
import { observeRecord } from "./observe.ts";
import { busy, recoveryRequired, reportLocked, standsInTheWay } from "./refusals.ts";
import { choicesFor, decisionNeeded } from "./stranger.ts";
import { reportUnsafe } from "./unsafe.ts";

/**
 * How many records may be reclaimed one after the other. One is the rule; a second appears only if
 * a program without locks puts one there meanwhile.
 */
const maxReclaims = 8;

const noLocks =
  "The recovery directory's filesystem has no locks that can be relied on, " +
  "so an interrupted edit always needs a person";

/**
 * Settles every record of this key, and returns what a caller should know of the store; throws the
 * error that ends the edit if one must stay. What it reclaimed it notes at once: the edit may fail
 * right after it, and the record is gone all the same.
 */
export async function settleRecords(
  context: RunningContext,
  open: OpenTarget,
  keyLock: KeyLock,
): Promise<readonly string[]> {
  const { path } = open.resolved;
  const { journal } = context;
  const warnings: string[] = [];
  for (let round = 0; round < maxReclaims; round++) {
    const found = await journal.findRecord(keyLock);
    const displaced = displacedWarnings(found);
    warnings.push(...displaced);
    switch (found.kind) {
      case "none":
        if (journal.storeHasLocks !== true) warnings.push(noLocks);
        return warnings;
      case "unsafe": {
        const report = await reportUnsafe(context, found);
        throw recoveryRequired("FE_RECORD_UNSAFE", path, naming(displaced, report));
      }
      case "locked": {
        const report = naming(displaced, reportLocked(found));
        throw busy(path, `another edit of it is at work, ${report.why}`, { record: report });
      }
      case "held":
        context.settled.recovered = await settleHeld(context, open, found.record, displaced);
    }
  }
  throw busy(path, "records of other programs keep appearing in its place");
}

/** Records that no name leads to, since a newer one has it: a person must know where they are. */
export function displacedWarnings(found: RecordFinding): string[] {
  const tombstones = found.displaced ?? [];
  return tombstones.map(
    (tombstone) => `A record of another program is kept at "${tombstone}"; look at it`,
  );
}

/** An error has no warnings, so its record's report says it. */
function naming(displaced: readonly string[], report: RecordReport): RecordReport {
  return { ...report, why: [report.why, ...displaced].join(". ") };
}

/** Decides about one record whose lock is ours, and lets go of it in every case. */
async function settleHeld(
  context: RunningContext,
  open: OpenTarget,
  record: HeldRecord,
  displaced: readonly string[],
): Promise<RecoveredRecord> {
  const { path } = open.resolved;
  const { os, journal } = context;
  try {
    const observed = await observeRecord(os, journal.storeHasLocks === true, record, open.target);
    const decision = decide(observed.facts);
    const why = explainDecision(decision, observed.facts);
    const report = naming(displaced, reportOf(record, observed.owner, why));
    if (decision.action === "busy") {
      throw busy(path, observed.owner.why, { record: report });
    }
    if (decision.action !== "reclaim") {
      throw await decisionNeeded(context, open, report, observed.facts.identity);
    }
    // It came after the resolution that is to be taken back, and a person may want its versions.
    if (context.request.whole !== undefined) throw standsInTheWay(path, report);
    if (decision.syncTargetFirst) await syncTarget(open, record, report);
    const reclaimed = await record.reclaim();
    if (reclaimed.kind === "put-back") {
      throw busy(path, "a record of another program took the orphan's place");
    }
    if (reclaimed.kind === "displaced") {
      const kept = `a live record and a newer one met; one is kept at "${reclaimed.tombstonePath}"`;
      throw recoveryRequired("FE_RECOVERY_REQUIRED", path, { ...report, why: kept });
    }
    return { recordId: record.id, decision: why };
  } finally {
    await record.release();
  }
}

/**
 * The dead owner may not have got to its sync; without it the record would be the only safe copy.
 */
async function syncTarget(
  open: OpenTarget,
  record: HeldRecord,
  report: RecordReport,
): Promise<void> {
  const { path } = open.resolved;
  try {
    const file = await open.target.openForReading();
    try {
      await syncForRecord(file, path, record, report, open.target);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fromOs(error, { path, action: "sync" });
  }
}

/**
 * Records of other identities that name this very path: somebody's edit of the file that stood here
 * before. They are judged under their own key lock, and never reclaimed here.
 */
export async function refuseRecordsOfPath(
  context: EngineContext,
  open: OpenTarget,
  key: string,
): Promise<void> {
  const { path, realPath } = open.resolved;
  const { journal } = context;
  for (const otherKey of await journal.recordsNaming(realPath, key)) {
    const lock = await journal.tryLockKey(otherKey);
    if (lock === undefined) throw busy(path, `${otherAtWork} and holds its lock`);
    try {
      const found = await journal.findRecord(lock);
      if (found.kind === "locked") {
        const record = reportLocked(found);
        throw busy(path, `${otherAtWork}, ${record.why}`, { record });
      }
      // Gone meanwhile, or unreadable: then it is not known to name this path.
      if (found.kind === "held") await refuseHeldOfPath(context, open, found.record);
    } finally {
      await lock.release();
    }
  }
}

const otherAtWork = "an edit of the file that stood here before is at work";

/** Lets go of the record in every case. */
export async function refuseHeldOfPath(
  context: EngineContext,
  open: OpenTarget,
  record: HeldRecord,
): Promise<void> {
  const { path, realPath } = open.resolved;
  const { os, journal } = context;
  try {
    // Only its header was read so far, or not even that was verified.
    if (record.metadata.realPath !== realPath) return;
    // Known once a key was locked; a preview locks none, and takes those of the record for good.
    const hasLocks = journal.storeHasLocks !== false;
    const { facts, owner } = await observeRecord(os, hasLocks, record, open.target);
    const changed: OrphanFacts = { ...facts, identity: "changed", bytes: "other" };
    const decision = decide(changed);
    const report = reportOf(record, owner, explainDecision(decision, changed));
    if (decision.action === "busy") throw busy(path, owner.why, { record: report });
    const choices = choicesFor("changed");
    throw recoveryRequired("FE_RECOVERY_REQUIRED", path, { ...report, choices });
  } finally {
    await record.release();
  }
}
