/**
 * The spine of an edit: every step in order, every branch between them (docs/protocol.md
 * section 5).
 *
 *   1 resolve  2 open  3 identify  4 queue (with the hook `authorize`: ask it)
 *     5 reconcile  6 hold  7 match  8 ask (only with `beforeCommit`: let go, ask, then from 5)
 *       9 prepare  10 verify before  11 mutate  12 verify after  13 commit  14 discard
 *
 * Steps 5 to 9 are one attempt: while somebody else is at work it lets go of everything but the
 * pinned target, pauses, and starts over, as long as the caller allowed. From 6 on others are kept
 * out, where the kernel can do that.
 *
 * I8  A failure in 1 to 10 leaves no trace.
 */
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import { resolveRecorded } from "../recovery/missing.ts";
import type { EditResult } from "../result.ts";
import { checkAborted } from "./abort.ts";
import { authorizeAgain, authorizeFirst, prepareQuestion, type Question } from "./ask.ts";
import { commitEdit } from "./commit.ts";
import type { RunningContext, TransactionContext } from "./context.ts";
import { discardRecord } from "./discard.ts";
import { boundExclusion } from "./exclude.ts";
import { holdTarget } from "./hold.ts";
import { identifyTarget } from "./identify.ts";
import { type EarlierReading, matchEdit } from "./match.ts";
import { mutateTarget } from "./mutate.ts";
import { closeTarget, openTarget } from "./open.ts";
import { resultOf } from "./outcome.ts";
import { prepareEdit } from "./prepare.ts";
import { queueTarget } from "./queue.ts";
import { reconcileTarget } from "./reconcile.ts";
import type {
  Baseline,
  IdentifiedTarget,
  MatchedEdit,
  PreparedEdit,
  QueuedTarget,
  SettledTarget,
} from "./states.ts";
import { refuse, settleFailedMutation } from "./unwind.ts";
import { verifyAfter, verifyBefore } from "./verify.ts";
import { WaitBudget } from "./wait.ts";
import { afterWait } from "./waited.ts";

/**
 * How often a target may get another identity by being opened for writing. A copy-up happens once;
 * more would be a filesystem that is not to be trusted.
 */
const maxMoves = 3;

/**
 * Runs one edit from its path to its answer. Every failure is an `FeError`, or a broken invariant.
 */
export async function runTransaction(edit: TransactionContext): Promise<EditResult> {
  const context: RunningContext = { ...edit, settled: { recovered: undefined } };
  const { os, options, request, settled } = context;
  const { path } = request;
  try {
    checkAborted(path, context.edit.signal);
    const resolved = await resolveRecorded(context, path);
    const open = await openTarget(os, resolved, options);
    try {
      const result = await runIdentified(context, identifyTarget(open, options));
      const warnings = [...result.warnings, ...(await context.progress.warnings(os))];
      const { recovered } = settled;
      return { ...result, ...(recovered && { recovered }), warnings };
    } finally {
      await closeTarget(open);
    }
  } catch (error) {
    const failure = fromOs(error, { path, action: "edit" });
    if (failure instanceof FeError) failure.recovered = settled.recovered;
    throw failure;
  }
}

async function runIdentified(
  context: RunningContext,
  identified: IdentifiedTarget,
): Promise<EditResult> {
  let { key } = identified;
  for (let moves = 0; moves <= maxMoves; moves++) {
    const queued = await queueTarget(context.queue, identified, key, context.edit.signal);
    try {
      const outcome = await runQueued(context, queued);
      if (outcome.kind === "done") return outcome.result;
      key = outcome.key;
    } finally {
      queued.leaveQueue();
    }
  }
  const { path } = identified.open.resolved;
  throw new FeError("FE_UNSUPPORTED", `Cannot edit "${path}": its identity changes at every look`, {
    path,
    hint: "Its filesystem gives a file another identity each time it is opened",
  });
}

/** What an attempt came to. */
type Attempt =
  | { readonly kind: "prepared"; readonly prepared: PreparedEdit }
  | { readonly kind: "unchanged"; readonly result: EditResult }
  | { readonly kind: "moved"; readonly key: string }
  | { readonly kind: "ask"; readonly question: Question }
  /** Somebody is in the way; the error is the answer if there is no time to wait. */
  | { readonly kind: "wait"; readonly error: FeError };

/** What this edit has learnt in earlier attempts. */
interface Progress {
  /** What `authorize` agreed to, before anything was read. */
  readonly permitted: Baseline | undefined;
  earlier: EarlierReading | undefined;
  /** Hash of the bytes that `beforeCommit` was asked about. */
  askedAbout: string | undefined;
  /** It answered just now, and nothing was waited for since: S6 decides about a difference. */
  justAsked: boolean;
}

type Outcome =
  | { readonly kind: "done"; readonly result: EditResult }
  | { readonly kind: "moved"; readonly key: string };

async function runQueued(context: RunningContext, queued: QueuedTarget): Promise<Outcome> {
  const { signal, waitMs = 0 } = context.edit;
  const onWait = (): void => context.progress.begin("wait", 0);
  const budget = await WaitBudget.start(context.os, waitMs, onWait);
  const { open } = queued.identified;
  const progress: Progress = {
    permitted:
      context.options.authorize &&
      (await budget.exclude(() => authorizeFirst(context, open, queued.key))),
    ...{ earlier: undefined, askedAbout: undefined, justAsked: false },
  };
  for (;;) {
    checkAborted(queued.identified.open.resolved.path, signal);
    const attempt = await attemptOrWait(context, queued, progress);
    if (attempt.kind === "wait") {
      if (!(await budget.pause(signal)))
        throw await afterWait(context, attempt.error, queued.key, waitMs);
      progress.justAsked = false;
      continue;
    }
    if (attempt.kind === "moved") return attempt;
    if (attempt.kind === "unchanged") return { kind: "done", result: attempt.result };
    if (attempt.kind === "ask") {
      const { question } = attempt;
      await budget.exclude(() => question.ask());
      progress.justAsked = true;
      continue;
    }
    return { kind: "done", result: await carryOut(context, attempt.prepared) };
  }
}

/** One attempt, and whether what stood in its way is worth another. */
async function attemptOrWait(
  context: RunningContext,
  queued: QueuedTarget,
  progress: Progress,
): Promise<Attempt> {
  try {
    return await attemptEdit(context, queued, progress);
  } catch (error) {
    if (!(error instanceof FeError) || error.code !== "FE_BUSY") throw error;
    return { kind: "wait", error };
  }
}

/** Steps 5 to 9. Holds nothing when it ends, unless it ends prepared. */
async function attemptEdit(
  context: RunningContext,
  queued: QueuedTarget,
  progress: Progress,
): Promise<Attempt> {
  const settled = await reconcileTarget(context, queued);
  const { keyLock } = settled;
  let attempt: Attempt;
  try {
    attempt = await attemptSettled(context, settled, progress);
  } catch (error) {
    const { path } = context.request;
    throw await refuse(keyLock, fromOs(error, { path, action: "edit" }));
  }
  if (attempt.kind !== "prepared") await keyLock.release();
  return attempt;
}

/** Steps 6 to 9. */
async function attemptSettled(
  context: RunningContext,
  settled: SettledTarget,
  progress: Progress,
): Promise<Attempt> {
  const { earlier, permitted } = progress;
  const baseline = earlier?.baseline;
  const mayWrite = context.options.beforeCommit === undefined || progress.askedAbout !== undefined;
  const agreed = baseline ?? permitted;
  if (mayWrite && agreed !== undefined) await authorizeAgain(context, settled.queued, agreed);
  const held = await holdTarget(context, settled, { baseline, permitted, mayWrite });
  if (held.state === "moved") return { kind: "moved", key: held.key };
  if (held.state === "open-elsewhere") return { kind: "wait", error: held.error };
  let attempt: Attempt | undefined;
  try {
    attempt = await askOrPrepare(context, await matchEdit(context, held, earlier), progress);
    return attempt;
  } finally {
    if (attempt?.kind !== "prepared") await held.file.close();
  }
}

async function askOrPrepare(
  context: RunningContext,
  matched: MatchedEdit,
  progress: Progress,
): Promise<Attempt> {
  const { located, baseline, before } = matched;
  const { path } = matched.settled.queued.identified.open.resolved;
  progress.earlier ??= { baseline, matchCounts: located.matchCounts };
  if (located.splices.length === 0) {
    const same = { sizeBytes: before.sizeBytes, sha256: located.beforeSum };
    return { kind: "unchanged", result: resultOf(matched, same, same) };
  }
  const answered = progress.justAsked || progress.askedAbout === located.beforeSum;
  const { beforeCommit } = context.options;
  if (beforeCommit !== undefined && !answered) {
    progress.askedAbout = located.beforeSum;
    await matched.exclusion.end();
    return { kind: "ask", question: await prepareQuestion(context, matched, beforeCommit) };
  }
  checkAborted(path, context.edit.signal);
  const bounded = await boundExclusion(context, matched);
  return { kind: "prepared", prepared: await prepareEdit(context, bounded) };
}

/**
 * Steps 10 to 14. The record exists; whatever happens, its locks are let go and the handle is
 * closed.
 */
async function carryOut(context: RunningContext, prepared: PreparedEdit): Promise<EditResult> {
  try {
    const armed = await verifyBefore(context, prepared);
    try {
      const confirmed = await verifyAfter(context, await mutateTarget(context, armed));
      return discardRecord(await commitEdit(confirmed));
    } catch (error) {
      throw await settleFailedMutation(armed, error);
    }
  } finally {
    await prepared.matched.file.close();
  }
}
