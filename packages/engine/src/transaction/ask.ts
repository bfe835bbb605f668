/**
 * The embedder's hooks: `authorize` at the head of the queue, before anything is read, so that no
 * answer tells a refused caller what is in the file; `beforeCommit` in step 8. They may take
 * minutes, so no lock and no writing handle is held while they think; afterwards everything is
 * looked at again. Neither is asked after the mutation, nor while others are kept out: a hook may
 * open the file, and would wait for us.
 */
import { hashOf } from "../bytes.ts";
import { FeError } from "../errors.ts";
import { type UnifiedDiff, unifiedDiff } from "../matching/unified-diff.ts";
import { WorkMeter } from "../matching/work-meter.ts";
import type { AuthorizeQuestion } from "../options.ts";
import { type Asking, answerOf } from "./answer.ts";
import type { TransactionContext } from "./context.ts";
import type { Baseline, MatchedEdit, OpenTarget, QueuedTarget } from "./states.ts";

/** How long the second `authorize` may take: it holds the key lock, on which others wait. */
const authorizeAgainMs = 5_000;

function denied(path: string, why: string, cause?: unknown): FeError {
  return new FeError("FE_POLICY_DENIED", `Cannot edit "${path}": ${why}`, {
    path,
    hint: "The program that embeds the engine decides this",
    ...(cause === undefined ? {} : { cause }),
  });
}

function authorizeQuestion({ resolved }: OpenTarget, baseline: Baseline): AuthorizeQuestion {
  const { path, realPath } = resolved;
  const { target, permission } = baseline;
  return { path, realPath, identity: target, permission };
}

/** Runs one hook; `false` and a throw are a refusal, and so is no answer within `limitMs`. */
async function ask(
  context: TransactionContext,
  key: string,
  { path, name, limitMs }: Pick<Asking, "path" | "name" | "limitMs">,
  hook: () => boolean | Promise<boolean>,
): Promise<void> {
  const { signal } = context.edit;
  const asking = { path, name, signal, limitMs, denied };
  await answerOf(context, asking, () => context.queue.runHook(key, async () => hook()));
}

/**
 * `authorize`, before anything is read; its time does not count. Returns what it agreed to, as it
 * was then; `undefined` if there is no such hook.
 */
export async function authorizeFirst(
  context: TransactionContext,
  open: OpenTarget,
  key: string,
): Promise<Baseline | undefined> {
  const { authorize } = context.options;
  if (authorize === undefined) return undefined;
  const { identity: target, permission } = await open.target.status();
  const baseline = { target, permission, parent: (await open.parent.status()).identity };
  const question = authorizeQuestion(open, baseline);
  const asking = { path: question.path, name: "authorize", limitMs: undefined };
  await ask(context, key, asking, () => authorize(question));
  return baseline;
}

/** What `beforeCommit` has to be shown, made while the handle is open. */
export interface Question {
  ask(): Promise<void>;
}

/** Prepares it; the caller lets go of everything before it calls `ask`. */
export async function prepareQuestion(
  context: TransactionContext,
  matched: MatchedEdit,
  beforeCommit: NonNullable<TransactionContext["options"]["beforeCommit"]>,
): Promise<Question> {
  const { identified, key } = matched.settled.queued;
  const { path, realPath } = identified.open.resolved;
  const { located } = matched;
  // Both are made now: once the hook is asked, the handle is closed.
  const afterSha256 = located.after?.sha256 ?? (await hashOf(matched.after));
  const diff = await diffOf(matched);
  const question = {
    path,
    realPath,
    matches: located.matches,
    replacements: located.replacements,
    beforeSha256: located.beforeSum,
    afterSha256,
    diff: () => diff,
  };
  const asking = { path, name: "beforeCommit", limitMs: undefined };
  return { ask: () => ask(context, key, asking, () => beforeCommit(question)) };
}

async function diffOf(matched: MatchedEdit): Promise<UnifiedDiff> {
  const { located, before } = matched;
  const { path } = matched.settled.queued.identified.open.resolved;
  // As the hash above, it is not cut short by a signal: that is looked at right after.
  const meter = new WorkMeter(undefined);
  const { byteOrder, splices } = located;
  return located.diff ?? unifiedDiff(before, splices, { path, byteOrder }, meter);
}

/**
 * `authorize` once more, with the key lock held (S4) and the target not open yet: what is opened
 * then is compared with the same baseline. No answer in time is a refusal.
 */
export async function authorizeAgain(
  context: TransactionContext,
  { identified, key }: QueuedTarget,
  baseline: Baseline,
): Promise<void> {
  const { authorize } = context.options;
  if (authorize === undefined) return;
  const question = authorizeQuestion(identified.open, baseline);
  const asking = { path: question.path, name: "authorize", limitMs: authorizeAgainMs };
  await ask(context, key, asking, () => authorize(question));
}
