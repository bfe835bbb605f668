/**
 * A person's decision carried out (docs/protocol.md section 5.5). It takes the orphan over and
 * makes no second record: killed at any point, the orphan stands at its name and the decision table
 * gives F, G, H or I.
 *
 * What is written to the file is in `restore.ts`.
 */
import type { HeldRecord, KeyLock } from "@fe/journal";
import { OsError } from "@fe/native";
import { byteCount } from "../bytes.ts";
import { FeError } from "../errors.ts";
import type { ResolveOptions } from "../options.ts";
import { fromOs, fromStore, isOfStore } from "../os-failure.ts";
import { type ListedReport, shortId } from "../record-report.ts";
import type { ResolveResult } from "../result.ts";
import { checkResolve } from "../settle-recovery.ts";
import { answerOf } from "../transaction/answer.ts";
import type { EngineContext } from "../transaction/context.ts";
import { versionLimit } from "../transaction/identify.ts";
import { refuse } from "../transaction/unwind.ts";
import { withoutVersions } from "./catalogue.ts";
import { checkPresent, type Pinned, pinTarget } from "./expectation.ts";
import { findById } from "./lookup.ts";
import { observeRecord } from "./observe.ts";
import { lockRecord, type RecordLocks } from "./record-locks.ts";
import { busyRecord, otherThanShown, reportLocked } from "./refusals.ts";
import { pathOf, resolvedRecords } from "./resolved.ts";
import { checkNotAborted, restore } from "./restore.ts";
import { displacedWarnings } from "./settle.ts";

/**
 * Errors: `FE_BUSY`, `FE_CONTENT_CHANGED`, `FE_TARGET_REPLACED`, `FE_OUTCOME_UNKNOWN` and those of
 * I/O.
 */
export async function resolveRecord(
  context: EngineContext,
  id: string,
  options: ResolveOptions,
): Promise<ResolveResult> {
  checkResolve(id, options);
  checkSize(options, versionLimit(context.options).maxBytes);
  const record = await findStanding(context, id);
  const path = record.path ?? record.recordPath;
  const failed = { path, action: "resolve the record of" };
  try {
    await askAuthorize(context, record, options.signal);
    checkNotAborted(path, options);
    const locks = await lockRecord(context, record);
    if (locks === undefined) {
      throw busyRecord(path, "somebody else is at work on it and holds its lock", record);
    }
    let result: ResolveResult;
    try {
      result = await resolveLocked(context, record, locks.keyLock, options);
    } catch (error) {
      throw await refuse(locks, fromOs(error, failed));
    }
    const left = await letGo(locks);
    return { ...result, warnings: [...result.warnings, ...left] };
  } catch (error) {
    // Nothing was asked to change the file so far; what failed with it is an `FeError` already.
    if (!isOfStore(error)) throw fromOs(error, failed);
    throw fromStore(error, { ...failed, record: "needed" }, context.journal.directoryPath);
  }
}

/** Of a record that was resolved already, it says so. Errors: as `findById`. */
async function findStanding(context: EngineContext, id: string): Promise<ListedReport> {
  try {
    return await findById(context, id);
  } catch (error) {
    if (!(error instanceof FeError) || error.code !== "FE_NOT_FOUND") throw error;
    const prefix = id.toLowerCase();
    const done = (await resolvedRecords(context)).filter((one) => one.id.startsWith(prefix));
    const [only] = done;
    if (only === undefined || done.length > 1) throw error;
    const path = pathOf(only);
    const what = `record ${shortId(only.id)} of "${path}"`;
    const how = only.saved.length > 0 ? "" : " with `keep`";
    const shows = "`recovery.listResolved` shows what can be";
    const hint = `\`recovery.undo\`${how} takes that back; ${shows}`;
    throw new FeError("FE_NOT_FOUND", `Cannot resolve ${what}: it was resolved already`, {
      path,
      hint,
      cause: error,
    });
  }
}

/** The file is as the person wanted it; a lock file that stays is worth no more than a word. */
async function letGo(locks: RecordLocks): Promise<string[]> {
  try {
    await locks.release();
    return [];
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    return [`A lock file of the store could not be removed (${error.message}); it is harmless`];
  }
}

/**
 * The embedder's decision, asked while no lock is held: it may take minutes. Not about a file that
 * is gone, or that the record does not name: nothing is written to it. Errors: `FE_POLICY_DENIED`,
 * `FE_CLOSED`.
 */
async function askAuthorize(
  context: EngineContext,
  { path }: ListedReport,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { authorize } = context.options;
  if (authorize === undefined || path === undefined) return;
  const pinned = await pinTarget(context, path);
  if (pinned === undefined) return;
  try {
    const { identity, permission } = await pinned.target.status();
    const question = { path, realPath: path, identity, permission };
    const asking = { path, name: "authorize", signal, limitMs: undefined, denied };
    await answerOf(context, asking, async () => authorize(question));
  } finally {
    await pinned.close();
  }
}

function denied(path: string, why: string, cause?: unknown): FeError {
  return new FeError("FE_POLICY_DENIED", `Cannot resolve the record of "${path}": ${why}`, {
    path,
    hint: "The program that embeds the engine decides this",
    cause,
  });
}

async function resolveLocked(
  context: EngineContext,
  record: ListedReport,
  keyLock: KeyLock,
  options: ResolveOptions,
): Promise<ResolveResult> {
  const { journal } = context;
  const found = await journal.findRecord(keyLock);
  if (found.kind === "none") {
    throw new FeError("FE_NOT_FOUND", `Record ${record.id} was removed meanwhile`, { record });
  }
  if (found.kind === "locked") {
    const path = record.path ?? record.recordPath;
    const report = reportLocked(found);
    throw busyRecord(path, `its edit is still at work, ${report.why}`, report);
  }
  const result =
    found.kind === "held"
      ? await resolveHeld(context, record, found.record, options)
      : await setAside(context, withoutVersions(record, `the record ${found.why}`), options, {
          code: "FE_RECORD_UNSAFE",
          why: `the record ${found.why}`,
          hint: 'Resolve with `keep: "current"`, which moves the record aside unread',
          move: () => journal.moveUnsafeToSaved(keyLock, found.id),
        });
  return { ...result, warnings: [...displacedWarnings(found), ...result.warnings] };
}

function checkSize({ content }: ResolveOptions, maxBytes: number): void {
  if (content === undefined || content.length <= maxBytes) return;
  const size = byteCount(content.length);
  const message = `Cannot resolve with ${size}, more than ${byteCount(maxBytes)}`;
  throw new FeError("FE_FILE_TOO_LARGE", message, { hint: "No edit makes a file so large" });
}

/** A record of which no version can be put into a file. */
interface Unusable {
  readonly code: "FE_RECORD_UNSAFE" | "FE_TARGET_REPLACED";
  readonly why: string;
  readonly hint: string;
  /** Puts the record out of the way, and says where. */
  move(): Promise<string>;
}

/** Only the record can be put out of the way; nothing is deleted. */
async function setAside(
  context: EngineContext,
  record: ListedReport,
  { keep, expectSha256 }: ResolveOptions,
  { code, why, hint, move }: Unusable,
): Promise<ResolveResult> {
  if (keep !== "current") {
    const what = keep === undefined ? "the bytes that were given" : `version "${keep}"`;
    const message = `Cannot write ${what} for record ${shortId(record.id)}: ${why}`;
    throw new FeError(code, message, { record, hint });
  }
  if (expectSha256 !== undefined) await checkPresent(context, record, expectSha256);
  const movedRecordTo = await move();
  const { path } = record;
  return { status: "unchanged", record, kept: "current", path, movedRecordTo, warnings: [] };
}

function fileGone(path: string): Pick<Unusable, "why" | "hint"> {
  return {
    why: `there is no file "${path}"`,
    hint:
      "If it was moved, move it back and try again; if it is gone, take the version out by " +
      '`recovery.show`, then resolve with `keep: "current"`, which puts the record aside',
  };
}

function otherFile(path: string): Pick<Unusable, "why" | "hint"> {
  return {
    why: `"${path}" is not the file that it was made for any more`,
    hint:
      "If that file was only moved, move it back and try again; if not, take the version out " +
      'by `recovery.show`, then resolve with `keep: "current"`',
  };
}

/**
 * Whether an edit has left another record at the name since it was looked up, which may be long
 * ago: ids are of files, and of its versions nobody has chosen any.
 */
function isOther(record: ListedReport, { path, metadata }: HeldRecord): boolean {
  if (record.phase === "unreadable" || record.recordPath !== path) return false;
  const { transactionId, before, after } = metadata;
  // Not every record of the older form has an id of its transaction; each has its images.
  return (
    (record.transactionId ?? "") !== transactionId ||
    record.before.sha256 !== before.sha256 ||
    record.after.sha256 !== after.sha256
  );
}

async function resolveHeld(
  context: EngineContext,
  record: ListedReport,
  held: HeldRecord,
  options: ResolveOptions,
): Promise<ResolveResult> {
  const { os, journal } = context;
  const { realPath } = held.metadata;
  let pinned: Pinned | undefined;
  try {
    if (isOther(record, held)) {
      const hint = "Look at the record that stands there now (`recovery.show`), and decide again";
      throw otherThanShown(realPath, "another record took the place of the one looked up", hint);
    }
    pinned = await pinTarget(context, realPath);
    const { owner, facts } = await observeRecord(
      os,
      journal.storeHasLocks === true,
      held,
      pinned?.target,
    );
    if (pinned === undefined || facts.identity !== "same") {
      return await setAside(context, { ...record, choices: ["current"] }, options, {
        code: "FE_TARGET_REPLACED",
        ...(pinned === undefined ? fileGone(realPath) : otherFile(realPath)),
        move: () => held.moveToSaved(),
      });
    }
    const isDoubtful = facts.record === "doubtful";
    const target = { pinned: pinned.target, isDoubtful };
    const result = await restore(context, { record, held, ...target, options });
    // Nobody holds a lock, so a person's word decides; but the person should know what was not
    // known.
    const doubt = `Nobody could tell that the owner of the record is gone: ${owner.why}`;
    return owner.verdict === "gone" ? result : { ...result, warnings: [...result.warnings, doubt] };
  } finally {
    await held.release();
    await pinned?.close();
  }
}
