/**
 * Every way out that is not success. Each returns the error to throw; what fails on the way out is
 * added to it as `suppressed` and never takes its place.
 *
 *   refuse    no record was made: only the key lock is let go
 *   withdraw  record removed, target never touched by us
 *   drop      the record's name was lost: nothing is unlinked by name, both locks are let go
 *   settleFailedMutation
 *             after the first byte: withdraw if the target provably still holds the before-image,
 *             or if it can be put back while the kernel keeps everyone out; else strand
 *   strand    record kept, both locks let go, and the error says where it is
 *
 * A4  A failed sync is final: no later one can turn the edit into a success, so it is stranded, and
 *     its record is marked, so that no later edit takes the file for what it shows.
 */
import type { KeyLock } from "@fe/journal";
import { fileSource, sameBytes } from "../bytes.ts";
import { FeError } from "../errors.ts";
import type { RecordReport } from "../record-report.ts";
import { type Doubt, markDoubtful } from "../recovery/doubt.ts";
import { outcomeUnknown } from "../recovery/refusals.ts";
import { NoRoomError, rollBackTarget } from "./mutate.ts";
import type { ArmedEdit, PreparedEdit } from "./states.ts";

/** Runs a way out; its failure is kept beside the first error. */
async function after(first: Error, wayOut: () => Promise<void>): Promise<Error> {
  try {
    await wayOut();
  } catch (error) {
    if (first instanceof FeError) first.suppressed.push(error);
  }
  return first;
}

/** Lets go of the key lock of an edit that made no record. */
export function refuse(keyLock: KeyLock, first: Error): Promise<Error> {
  return after(first, () => keyLock.release());
}

/** Removes the record (safe by name: its lock was never let go) and lets go of both locks. */
export function withdraw({ record }: PreparedEdit, first: Error): Promise<Error> {
  return after(first, () => record.withdraw());
}

/** Lets go of both locks and leaves every name alone: it may be another's by now. */
export function drop({ record }: PreparedEdit, first: Error): Promise<Error> {
  return after(first, () => record.drop());
}

function reportOwn({ matched, record }: PreparedEdit, doubt: Doubt): RecordReport {
  return {
    id: record.id,
    recordPath: record.path,
    ...doubt,
    path: matched.settled.queued.identified.open.resolved.realPath,
    transactionId: record.transactionId,
    identity: matched.baseline.target,
    before: record.beforeImage,
    after: record.afterImage,
  };
}

const begun: Doubt = {
  phase: "prepared",
  why: "the edit that made it failed after it began to write",
};

/** Keeps the record and says so: from here a person decides. */
export function strand(
  prepared: PreparedEdit,
  cause: unknown,
  doubt: Doubt = begun,
): Promise<Error> {
  const { path } = prepared.matched.settled.queued.identified.open.resolved;
  const first = outcomeUnknown(path, reportOwn(prepared, doubt), cause);
  return after(first, () => prepared.record.keep());
}

/** The same after a failed sync: the record says so before its locks are let go. */
async function strandInDoubt(prepared: PreparedEdit, cause: unknown): Promise<Error> {
  return strand(prepared, cause, await markDoubtful(prepared.record, "prepared"));
}

function isSyncFailure(error: unknown): boolean {
  return error instanceof FeError && error.code === "FE_SYNC_FAILED";
}

/**
 * What to answer when the mutation or the check after it failed. If it was the writing that failed
 * and no sync of the target has failed, the record is withdrawn when the target is, by every byte,
 * the before-image (effect `none`), or when it could be put back while nobody else could have
 * opened the file (effect `rolled_back`); then the failure is the cause's own. In any other case it
 * is kept.
 */
export async function settleFailedMutation(armed: ArmedEdit, cause: unknown): Promise<Error> {
  const { prepared } = armed;
  if (cause instanceof NoRoomError && cause.cause instanceof FeError) {
    return withdraw(prepared, cause.cause);
  }
  if (isSyncFailure(cause)) return strandInDoubt(prepared, cause);
  const isWriteFailure = cause instanceof FeError && cause.status !== "conflict";
  if (!isWriteFailure) return strand(prepared, cause);
  const found = await proveBeforeImage(prepared);
  if (found === "proved") return withdraw(prepared, cause);
  if (found === "sync-failed") return strandInDoubt(prepared, cause);
  const back = await rollBack(armed);
  if (back === "proved") return withdraw(prepared, rolledBack(cause));
  return back === "sync-failed" ? strandInDoubt(prepared, cause) : strand(prepared, cause);
}

/** Whether the target is the before-image, durably. Anything that cannot be proved is a no. */
type Proof = "proved" | "not-proved" | "sync-failed";

/** Puts the before-image back and proves it. Only while the kernel keeps everyone else out. */
async function rollBack(armed: ArmedEdit): Promise<Proof> {
  const { prepared } = armed;
  const { exclusion } = prepared.matched;
  if (exclusion.why !== undefined || !(await exclusion.holds())) return "not-proved";
  try {
    await rollBackTarget(armed);
    const proof = await proveBeforeImage(prepared);
    return proof === "proved" && !(await exclusion.holds()) ? "not-proved" : proof;
  } catch (error) {
    if (!(error instanceof FeError)) throw error;
    return isSyncFailure(error) ? "sync-failed" : "not-proved"; // The record is kept instead.
  }
}

function rolledBack({ code, message, path, operation, hint, cause }: FeError): FeError {
  return new FeError(code, `${message}; what was written was taken back`, {
    effect: "rolled_back",
    cause,
    ...(path === undefined ? {} : { path }),
    ...(operation === undefined ? {} : { operation }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The record is kept if not, and the first error stays the one that is told. */
async function proveBeforeImage(prepared: PreparedEdit): Promise<Proof> {
  const { file } = prepared.matched;
  try {
    const { sizeBytes } = await file.status();
    if (!(await sameBytes(fileSource(file, sizeBytes), prepared.before))) return "not-proved";
  } catch {
    return "not-proved";
  }
  try {
    await file.sync();
    return "proved";
  } catch {
    return "sync-failed";
  }
}
