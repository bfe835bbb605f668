/**
 * Step 8: the embedder's hooks. They may take minutes, so no lock and no writing handle is held
 * while they think; afterwards everything is looked at again. Neither is asked after the mutation,
 * nor while others are kept out: a hook may open the file, and would wait for us.
 */
import { afterSource } from "@fe/journal";
import { hashOf } from "../bytes.ts";
import { FeError } from "../errors.ts";
import { type UnifiedDiff, unifiedDiff } from "../matching/unified-diff.ts";
import { WorkMeter } from "../matching/work-meter.ts";
import type { AuthorizeQuestion } from "../options.ts";
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

/** Runs one hook; `false` and a throw are a refusal. */
async function ask(
  context: TransactionContext,
  key: string,
  path: string,
  name: string,
  hook: () => boolean | Promise<boolean>,
): Promise<void> {
  let answer: boolean;
  try {
    answer = await context.queue.runHook(key, async () => hook());
  } catch (error) {
    throw denied(path, `${name} failed`, error);
  }
  if (answer !== true) throw denied(path, `${name} refused`);
}

/** What the hooks have to be shown, made while the handle is open. */
export interface Questions {
  readonly key: string;
  readonly path: string;
  ask(): Promise<void>;
}

/** Prepares both questions; the caller lets go of everything before it calls `ask`. */
export async function prepareQuestions(
  context: TransactionContext,
  matched: MatchedEdit,
): Promise<Questions> {
  const { authorize, beforeCommit } = context.options;
  const { identified, key } = matched.settled.queued;
  const question = authorizeQuestion(identified.open, matched.baseline);
  const { path, realPath } = question;
  const { located, before } = matched;
  // Both are made now: once the hooks are asked, the handle is closed.
  const afterSha256 =
    beforeCommit === undefined ? "" : await hashOf(afterSource(before, located.splices));
  const diff = beforeCommit === undefined ? undefined : await diffOf(matched);
  const commitQuestion = {
    path,
    realPath,
    matches: located.matches,
    replacements: located.replacements,
    beforeSha256: located.beforeSha256,
    afterSha256,
    diff: () => diff ?? { bytes: new Uint8Array(), truncated: false },
  };
  return {
    key,
    path,
    async ask(): Promise<void> {
      if (authorize) await ask(context, key, path, "authorize", () => authorize(question));
      if (beforeCommit) {
        await ask(context, key, path, "beforeCommit", () => beforeCommit(commitQuestion));
      }
    },
  };
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
  const { path } = question;
  const answered = new AbortController();
  const late = context.os.sleep(authorizeAgainMs, answered.signal).then(() => {
    if (!answered.signal.aborted) {
      throw denied(path, `authorize gave no answer within ${authorizeAgainMs / 1000} s`);
    }
  });
  const answer = ask(context, key, path, "authorize", () => authorize(question));
  try {
    await Promise.race([answer, late]);
  } finally {
    answered.abort();
    answer.catch(() => {}); // An answer after the deadline changes nothing; its failure neither.
  }
}
