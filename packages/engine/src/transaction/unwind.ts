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
 * A4  A failed sync is final: no later one can turn the edit into a success, so it is stranded.
 */
import type { KeyLock } from "@fe/journal";
import { fileSource, sameBytes } from "../bytes.ts";
import { FeError } from "../errors.ts";
import type { RecordReport } from "../record-report.ts";
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

function reportOwn({ matched, record }: PreparedEdit, why: string): RecordReport {
  return {
    id: record.id,
    recordPath: record.path,
    phase: "prepared",
    why,
    path: matched.settled.queued.identified.open.resolved.realPath,
    transactionId: record.transactionId,
    identity: matched.baseline.target,
    before: record.beforeImage,
    after: record.afterImage,
  };
}

/** Keeps the record and says so: from here a person decides. */
export function strand(prepared: PreparedEdit, cause: unknown): Promise<Error> {
  const { path } = prepared.matched.settled.queued.identified.open.resolved;
  const why = "the edit that made it failed after it began to write";
  const first = outcomeUnknown(path, reportOwn(prepared, why), cause);
  return after(first, () => prepared.record.keep());
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
  const isWriteFailure =
    cause instanceof FeError && cause.status !== "conflict" && cause.code !== "FE_SYNC_FAILED";
  if (!isWriteFailure) return strand(prepared, cause);
  if (await holdsBeforeImage(prepared)) return withdraw(prepared, cause);
  if (await rollBack(armed)) return withdraw(prepared, rolledBack(cause));
  return strand(prepared, cause);
}

/** Puts the before-image back and proves it. Only while the kernel keeps everyone else out. */
async function rollBack(armed: ArmedEdit): Promise<boolean> {
  const { exclusion, prepared } = armed;
  if (exclusion.why !== undefined || !(await exclusion.holds())) return false;
  try {
    await rollBackTarget(armed);
    return (await holdsBeforeImage(prepared)) && (await exclusion.holds());
  } catch (error) {
    if (error instanceof FeError) return false; // The record is kept instead.
    throw error;
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

/** Whether the target is the before-image, durably. Anything that cannot be proved is a no. */
async function holdsBeforeImage(prepared: PreparedEdit): Promise<boolean> {
  const { file } = prepared.matched;
  try {
    const { sizeBytes } = await file.status();
    if (!(await sameBytes(fileSource(file, sizeBytes), prepared.before))) return false;
    await file.sync();
    return true;
  } catch {
    return false; // The record is kept, and the first error stays the one that is told.
  }
}
