/**
 * What the records in an edit's way would do to it, for a preview: the same findings and the same
 * table as in step 5, with nothing settled (I9). A record is asked for its lock, to know whether
 * its owner is gone, and let go of at once; the lock of the key is not taken.
 */
import type { Os } from "@fe/native";
import { decide, explainDecision } from "@fe/reconcile";
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import type { EngineContext } from "../transaction/context.ts";
import type { OpenTarget, ResolvedTarget } from "../transaction/states.ts";
import { reportOf } from "./catalogue.ts";
import { observeRecord } from "./observe.ts";
import { recoveryRequired, reportLocked } from "./refusals.ts";
import { refuseHeldOfPath } from "./settle.ts";
import { decisionNeeded } from "./stranger.ts";
import { reportUnsafe } from "./unsafe.ts";

/** What may not be written is refused as in step 6, where the system says so without opening it. */
export async function checkPermitted(os: Os, { path, realPath }: ResolvedTarget): Promise<void> {
  try {
    await os.checkWritable(realPath);
  } catch (error) {
    throw fromOs(error, { path, action: "write to" });
  }
}

/**
 * Warnings about edits that are, or may be, at work: they are over soon, as a rule, and a preview
 * is no reason to wait. Errors: `FE_RECOVERY_REQUIRED`, `FE_RECORD_UNSAFE`, where an edit would end
 * so; `FE_STORE_NOT_PRIVATE`.
 */
export async function foreseeRecords(
  context: EngineContext,
  open: OpenTarget,
  key: string,
): Promise<readonly string[]> {
  const { journal } = context;
  const legacyIdentity = open.targetStatus.identity;
  const own = await journal.peekRecord(key, { legacyIdentity });
  const warnings: (string | undefined)[] = [await foresee(context, open, own)];
  for (const otherKey of await journal.recordsNaming(open.resolved.realPath, key)) {
    const found = await journal.peekRecord(otherKey);
    if (found.kind === "locked") warnings.push(atWork(reportLocked(found).why));
    if (found.kind === "held") {
      const { id } = found.record;
      // A record of the older form is named by its file, not by its key, and was judged above.
      const isOwn = own.kind === "held" && own.record.id === id;
      if (isOwn) await found.record.release();
      else warnings.push(await orWarning(refuseHeldOfPath(context, open, found.record)));
    }
  }
  return warnings.filter((warning) => warning !== undefined);
}

type Found = Awaited<ReturnType<EngineContext["journal"]["peekRecord"]>>;

async function foresee(
  context: EngineContext,
  open: OpenTarget,
  found: Found,
): Promise<string | undefined> {
  const { os, journal } = context;
  const { path } = open.resolved;
  switch (found.kind) {
    case "none":
      return undefined;
    case "unsafe":
      throw recoveryRequired("FE_RECORD_UNSAFE", path, await reportUnsafe({ os, journal }, found));
    case "locked":
      return atWork(reportLocked(found).why);
    case "held": {
      const { record } = found;
      try {
        const hasLocks = journal.storeHasLocks !== false;
        const { facts, owner } = await observeRecord(os, hasLocks, record, open.target);
        const decision = decide(facts);
        if (decision.action === "busy") return atWork(owner.why);
        // An edit settles it, and goes on.
        if (decision.action !== "recovery-required") return undefined;
        const report = reportOf(record, owner, explainDecision(decision, facts));
        throw await decisionNeeded(context, open, report, facts.identity);
      } finally {
        await record.release();
      }
    }
  }
}

function atWork(why: string): string {
  return `Another edit of this file is, or may be, at work: ${why}; until it ends, an edit is busy`;
}

async function orWarning(judged: Promise<void>): Promise<string | undefined> {
  try {
    await judged;
    return undefined;
  } catch (error) {
    if (!(error instanceof FeError) || error.code !== "FE_BUSY") throw error;
    return atWork(error.record?.owner?.why ?? error.message);
  }
}
