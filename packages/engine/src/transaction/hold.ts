/**
 * Step 6: open the object once for reading and writing, keep others out, and take the baseline from
 * that handle, which is kept to the end. Nothing is read before that.
 */
import { recordKey } from "@fe/journal";
import { type FileIdentity, hasCode, sameFile, type TargetFile } from "@fe/native";
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import { busy } from "../recovery/refusals.ts";
import { checkHandle, checkPath } from "./baseline.ts";
import type { TransactionContext } from "./context.ts";
import { excludeOthers, noExclusion } from "./exclude.ts";
import { refuseUnsuitable } from "./identify.ts";
import type { Baseline, Exclusion, HeldTarget, OpenTarget, SettledTarget } from "./states.ts";

/** How an attempt holds the target. */
export interface Holding {
  /** What an earlier reading of this edit fixed. */
  readonly baseline: Baseline | undefined;
  /** What `authorize` agreed to, before anything was read. */
  readonly permitted: Baseline | undefined;
  /** Whether this attempt may write; else it only finds out what `beforeCommit` is to be shown. */
  readonly mayWrite: boolean;
}

/**
 * The step's answer. `moved`: opening for writing gave the file another identity. `open-elsewhere`:
 * others cannot be kept out just now, and that is required; the error is for when there is no time
 * to wait.
 */
export type HoldOutcome =
  | HeldTarget
  | { readonly state: "moved"; readonly key: string }
  | { readonly state: "open-elsewhere"; readonly error: FeError };

/**
 * Errors: `FE_BUSY` (a lease, a running program), `FE_PERMISSION_DENIED`, `FE_FILE_TOO_LARGE`,
 * `FE_EXCLUSION_UNAVAILABLE`, and what the baseline says. The handle is open only if the answer is
 * `held`; the key lock stays with the caller.
 */
export async function holdTarget(
  context: TransactionContext,
  settled: SettledTarget,
  holding: Holding,
): Promise<HoldOutcome> {
  const { open } = settled.queued.identified;
  const { path } = open.resolved;
  const file = await openForWriting(open, holding.baseline !== undefined);
  let outcome: HoldOutcome | undefined;
  try {
    outcome = await holdOpen(context, settled, file, holding);
    return outcome;
  } catch (error) {
    throw fromOs(error, { path, action: "edit" });
  } finally {
    if (outcome?.state !== "held") await file.close();
  }
}

async function holdOpen(
  context: TransactionContext,
  settled: SettledTarget,
  file: TargetFile,
  { baseline: earlier, permitted, mayWrite }: Holding,
): Promise<HoldOutcome> {
  const { open } = settled.queued.identified;
  const { path, realPath } = open.resolved;
  let exclusion: Exclusion = noExclusion;
  if (mayWrite) {
    const wish = await excludeOthers(context, file, open.targetStatus.sizeBytes);
    if (wish.kind === "open-elsewhere") return { state: wish.kind, error: wish.error };
    ({ exclusion } = wish);
  }
  // What is asked from here on cannot change any more, where others are kept out.
  const status = await file.status();
  const key = isSameNumber(status.identity, open.targetStatus.identity)
    ? settled.queued.identified.key
    : recordKey(status.identity, realPath);
  if (earlier === undefined && key !== settled.queued.key) return { state: "moved", key };
  refuseUnsuitable(path, status, context.options);
  const baseline = earlier ?? {
    target: status.identity,
    // Asked again: on overlayfs, opening for writing copied the directory up as well.
    parent: (await open.parent.status()).identity,
    permission: status.permission,
  };
  refuseOther(context, path, status.identity);
  const { permission } = earlier ?? permitted ?? {};
  if (permission !== undefined) {
    // Time has passed since then. Copy-up gives another identity, and the same permission.
    await checkPath(context.os, open.resolved, baseline);
    await checkHandle(open.resolved, { ...baseline, permission }, file, "before-mutation");
  }
  return { state: "held", settled, baseline, file, sizeBytes: status.sizeBytes, exclusion };
}

/** Whether a key is made of the same. */
function isSameNumber(one: FileIdentity, other: FileIdentity): boolean {
  return one.volume === other.volume && one.file === other.file;
}

/** A whole content belongs into the file that it was taken from, and no other. */
function refuseOther({ request }: TransactionContext, path: string, found: FileIdentity): void {
  const { whole } = request;
  // `st_dev` counts within one boot only, and the note does not say in which it was written.
  if (whole === undefined || sameFile(whole.target, found, { sameBoot: false })) return;
  const message = `Cannot edit "${path}": it is another file than the one that was resolved`;
  throw new FeError("FE_TARGET_REPLACED", message, {
    path,
    hint:
      whole.savedAt === undefined
        ? "Take the version out by `recovery.show`, and put it in place yourself"
        : `Put the saved bytes in place yourself, if you still mean it: "${whole.savedAt}"`,
  });
}

async function openForWriting(open: OpenTarget, seenBefore: boolean): Promise<TargetFile> {
  const { path } = open.resolved;
  try {
    return await open.target.openForWriting();
  } catch (error) {
    if (hasCode(error, "EAGAIN"))
      throw busy(path, "a lease on it is held elsewhere, perhaps in this program");
    if (hasCode(error, "EBUSY"))
      throw busy(path, "writers are kept out of it elsewhere, perhaps in this program");
    if (hasCode(error, "ETXTBSY")) throw busy(path, "it is a program that is running");
    const failure = fromOs(error, { path, action: "write to" });
    const denied = failure instanceof FeError && failure.code === "FE_PERMISSION_DENIED";
    if (!seenBefore || !denied) throw failure;
    throw new FeError("FE_PERMISSION_CHANGED", `${failure.message} any more`, {
      path,
      cause: error,
    });
  }
}
