/**
 * A person's decision carried out (PROTOCOL 5, by hand). It takes the orphan over and makes no
 * second record: killed at any point, the orphan stands at its name and the decision table gives F,
 * G, H or I.
 *
 * I5  Bytes that are neither before nor after are overwritten here only, at a person's word, and
 *     only after they were saved durably.
 */
import type { HeldRecord, KeyLock } from "@fe/journal";
import { hasCode, type PinnedFile, type TargetFile } from "@fe/native";
import { fileSource, hashOf } from "../bytes.ts";
import { FeError } from "../errors.ts";
import { isSha256, type ResolveOptions } from "../options.ts";
import { fromOs } from "../os-failure.ts";
import type { RecordReport, VersionReport } from "../record-report.ts";
import type { ResolveResult } from "../result.ts";
import type { EngineContext } from "../transaction/context.ts";
import { contentChanged } from "../transaction/miss.ts";
import { writeWhole } from "../transaction/mutate.ts";
import { findById } from "./lookup.ts";
import { isRecordedFile, observeRecord } from "./observe.ts";
import { busy, outcomeUnknown, reportLocked } from "./refusals.ts";

/**
 * Errors: `FE_BUSY`, `FE_CONTENT_CHANGED`, `FE_TARGET_REPLACED`, `FE_OUTCOME_UNKNOWN` and those of
 * I/O.
 */
export async function resolveRecord(
  context: EngineContext,
  id: string,
  options: ResolveOptions,
): Promise<ResolveResult> {
  checkOptions(options);
  const record = await findById(context, id);
  const path = record.path ?? record.recordPath;
  try {
    const keyLock = await context.journal.tryLockKey(record.id);
    if (keyLock === undefined) throw busy(path, "another process is at work on it", { record });
    try {
      return await resolveLocked(context, record, keyLock, options);
    } finally {
      await keyLock.release();
    }
  } catch (error) {
    throw fromOs(error, { path, action: "resolve the record of" });
  }
}

async function resolveLocked(
  context: EngineContext,
  record: RecordReport,
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
    throw busy(path, "its edit is still at work", { record: reportLocked(found) });
  }
  if (found.kind === "held") return resolveHeld(context, record, found.record, options);
  const move = (): Promise<string> => journal.moveUnsafeToSaved(keyLock, found.id);
  return setAside(record, options, found.why, move);
}

function checkOptions({ keep, expectSha256 }: ResolveOptions): void {
  if (!["before", "after", "current"].includes(keep)) {
    throw new FeError("FE_INVALID_REQUEST", `Cannot keep "${keep}": there is no such version`, {
      hint: "Keep before, after or current",
    });
  }
  if (expectSha256 !== undefined && !isSha256(expectSha256)) {
    throw new FeError("FE_INVALID_REQUEST", "expectSha256 must be 64 hexadecimal digits");
  }
}

/** Without a file to write to, only the record can be put out of the way; nothing is deleted. */
async function setAside(
  record: RecordReport,
  { keep }: ResolveOptions,
  why: string,
  move: () => Promise<string>,
): Promise<ResolveResult> {
  if (keep !== "current") {
    throw new FeError(
      "FE_TARGET_REPLACED",
      `Cannot write version "${keep}" of record ${record.id}: ${why}`,
      {
        record,
        hint: "Take the version out with `recovery show`, then resolve with `--keep current`",
      },
    );
  }
  const movedRecordTo = await move();
  const { path } = record;
  return { status: "unchanged", record, kept: "current", path, movedRecordTo, warnings: [] };
}

async function resolveHeld(
  context: EngineContext,
  record: RecordReport,
  held: HeldRecord,
  options: ResolveOptions,
): Promise<ResolveResult> {
  const { os, journal } = context;
  const { realPath } = held.metadata;
  const pinned = await pinTarget(context, realPath);
  try {
    const observed = await observeRecord(os, journal.storeHasLocks === true, held, pinned?.target);
    if (observed.owner.verdict !== "gone") throw busy(realPath, observed.owner.why, { record });
    if (pinned === undefined || observed.facts.identity !== "same") {
      const why = `"${realPath}" is not the file that it was made for any more`;
      return await setAside(record, options, why, () => held.moveToSaved());
    }
    await askAuthorize(context, realPath, pinned.target);
    return await resolveInPlace(context, record, held, pinned.target, options);
  } finally {
    await held.release();
    await pinned?.close();
  }
}

interface Pinned {
  readonly target: PinnedFile;
  close(): Promise<void>;
}

/** What stands at the record's path, or nothing. */
async function pinTarget(context: EngineContext, realPath: string): Promise<Pinned | undefined> {
  try {
    const { target, parent } = await context.os.openTarget(realPath);
    return {
      target,
      async close(): Promise<void> {
        await target.close();
        await parent.close();
      },
    };
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
    throw error;
  }
}

async function askAuthorize(
  context: EngineContext,
  realPath: string,
  pinned: PinnedFile,
): Promise<void> {
  const { authorize } = context.options;
  if (authorize === undefined) return;
  const { identity, permission } = await pinned.status();
  const question = { path: realPath, realPath, identity, permission };
  if ((await authorize(question)) !== true) {
    throw new FeError("FE_POLICY_DENIED", `Cannot resolve the record of "${realPath}": refused`, {
      path: realPath,
    });
  }
}

async function resolveInPlace(
  context: EngineContext,
  record: RecordReport,
  held: HeldRecord,
  pinned: PinnedFile,
  { keep, expectSha256 }: ResolveOptions,
): Promise<ResolveResult> {
  const { realPath } = held.metadata;
  const file = await pinned.openForWriting();
  try {
    const { sizeBytes } = await file.status();
    const source = fileSource(file, sizeBytes);
    const present: VersionReport = { sizeBytes, sha256: await hashOf(source) };
    if (expectSha256 !== undefined && present.sha256 !== expectSha256.toLowerCase()) {
      throw contentChanged(realPath, `its SHA-256 is ${present.sha256}, not the one expected`);
    }
    const chosen = keep === "current" ? present : held.metadata[keep];
    const base = { record, kept: keep, path: realPath, before: present, after: chosen };
    if (chosen.sha256 === present.sha256 && chosen.sizeBytes === present.sizeBytes) {
      await file.sync();
      return { ...base, status: "unchanged", warnings: await removeOrphan(held) };
    }
    const { target } = held.metadata;
    const note = { realPath, target, writtenSha256: chosen.sha256 };
    const saved = await context.journal.saveBytes(record.id, source, note);
    if (saved.sha256 !== present.sha256) {
      throw contentChanged(realPath, "another program wrote to it while it was saved");
    }
    await restoreVersion(context, record, held, file, sizeBytes, keep as "before" | "after");
    const warnings = await removeOrphan(held);
    return { ...base, status: "applied", savedPath: saved.path, warnings };
  } finally {
    await file.close();
  }
}

/**
 * Writes the chosen image, reads it back, and looks at the path again. A failure keeps the orphan.
 */
async function restoreVersion(
  context: EngineContext,
  record: RecordReport,
  held: HeldRecord,
  file: TargetFile,
  presentBytes: number,
  keep: "before" | "after",
): Promise<void> {
  const { realPath } = held.metadata;
  try {
    await writeWhole(realPath, file, presentBytes, held[keep]);
    const { sizeBytes } = await file.status();
    const wanted = held.metadata[keep];
    const written = await hashOf(fileSource(file, sizeBytes));
    if (written !== wanted.sha256) throw new Error("what was read back is not what was written");
    const { targetStatus } = await context.os.inspectTarget(realPath);
    if (!(await isRecordedFile(context.os, held, targetStatus.identity))) {
      throw new Error("the file was replaced by another while it was written");
    }
  } catch (error) {
    throw outcomeUnknown(realPath, record, error);
  }
}

/** The target is whole and synced; now the orphan may go. What is left of it is a warning. */
async function removeOrphan(held: HeldRecord): Promise<string[]> {
  const report = await held.reclaim();
  if (report.kind === "reclaimed") return [];
  if (report.kind === "put-back") {
    return ["A record of another program took the orphan's place and was left there"];
  }
  return [`A record of another program is kept at "${report.tombstonePath}"`];
}
