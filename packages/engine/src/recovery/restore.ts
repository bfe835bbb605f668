/**
 * The chosen version put into the file, and the orphan put into `saved/` after it, so that whoever
 * chose wrongly can have the other versions yet.
 *
 * I5  Bytes that are neither before nor after are overwritten here only, at a person's word, and
 *     only after they were saved durably.
 * I6  The orphan goes only when the target is durable.
 * A4  Of a doubtful record equal bytes prove nothing: whatever is kept is written anew, all of it,
 *     so that the sync after it has something to write.
 */
import { createHash } from "node:crypto";
import {
  type ByteSource,
  bytesSource,
  type HeldRecord,
  type KeepReport,
  type SavedNote,
} from "@fe/journal";
import { OsError, type PinnedFile, type ReadableFile, type TargetFile } from "@fe/native";
import { fileSource, hashOf } from "../bytes.ts";
import { FeError } from "../errors.ts";
import type { ResolveOptions } from "../options.ts";
import type { RecordReport, VersionReport } from "../record-report.ts";
import type { ResolveResult } from "../result.ts";
import { checkAborted } from "../transaction/abort.ts";
import { restorePermission } from "../transaction/baseline.ts";
import type { EngineContext } from "../transaction/context.ts";
import { NoRoomError, reserveRoom, writeWhole } from "../transaction/mutate.ts";
import { dropCopy, replaceCopied, saveInStore } from "./copy.ts";
import { markDoubtful, syncForRecord } from "./doubt.ts";
import { isRecordedFile } from "./observe.ts";
import { otherThanShown, outcomeUnknown } from "./refusals.ts";

/** Whose record, what stands there, and what was asked for. */
export interface Restoration {
  readonly record: RecordReport;
  readonly held: HeldRecord;
  readonly pinned: PinnedFile;
  /** A sync of the file failed since the machine was started. */
  readonly isDoubtful: boolean;
  readonly options: ResolveOptions;
}

/** Carries the choice out on the file that the record was made for; both its locks are ours. */
export function restore(context: EngineContext, restoration: Restoration): Promise<ResolveResult> {
  const { held, isDoubtful, options } = restoration;
  const { keep, content } = options;
  if (content !== undefined) {
    const sha256 = createHash("sha256").update(content).digest("hex");
    const version = { sizeBytes: content.length, sha256 };
    return putVersion(context, restoration, {
      kept: "given",
      version,
      bytes: bytesSource(content),
    });
  }
  if (keep === "before" || keep === "after") {
    const version = held.metadata[keep];
    return putVersion(context, restoration, { kept: keep, version, bytes: held[keep] });
  }
  return isDoubtful ? putVersion(context, restoration, "current") : keepCurrent(restoration);
}

/** What is to be put into the file. */
interface Chosen {
  readonly kept: ResolveResult["kept"];
  readonly version: VersionReport;
  readonly bytes: ByteSource;
}

/** Writes nothing, so it needs no permission to write but on Windows, for the sync. */
async function keepCurrent({ record, held, pinned, options }: Restoration): Promise<ResolveResult> {
  const file = await pinned.openForReading();
  try {
    const present = await presentVersion(held, file, options);
    const path = held.metadata.realPath;
    checkNotAborted(path, options);
    await syncForRecord(file, path, held, record, pinned);
    const kept = await keepOrphan(held, false, noteOf(held, present));
    const same = { before: present, after: present };
    return { status: "unchanged", record, kept: "current", path, ...same, ...kept };
  } finally {
    await file.close();
  }
}

async function putVersion(
  context: EngineContext,
  { record, held, pinned, isDoubtful, options }: Restoration,
  choice: Chosen | "current",
): Promise<ResolveResult> {
  const { realPath } = held.metadata;
  const file = await pinned.openForWriting();
  try {
    const present = await presentVersion(held, file, options);
    checkNotAborted(realPath, options);
    const bytes = fileSource(file, present.sizeBytes);
    const chosen = choice === "current" ? { kept: choice, version: present, bytes } : choice;
    const { kept, version } = chosen;
    const base = { record, kept, path: realPath, before: present, after: version };
    const note = noteOf(held, version);
    const isThere = isSameVersion(version, present);
    if (isThere && !isDoubtful) {
      await syncForRecord(file, realPath, held, record);
      return { ...base, status: "unchanged", ...(await keepOrphan(held, false, note)) };
    }
    // Of what the record holds there is a durable copy already.
    const { before, after } = held.metadata;
    const isInRecord = [before, after].some((image) => isSameVersion(image, present));
    const savedPath =
      isThere && isInRecord ? undefined : await savePresent(context, held, file, present, note);
    const changes = await replaceCopied(context.journal, savedPath, async () => {
      checkNotAborted(realPath, options);
      return writeVersion(context, record, held, file, { chosen, isDoubtful, savedPath });
    });
    const orphan = await keepOrphan(held, isDoubtful, savedPath ?? note);
    const warnings = [...changes, ...orphan.warnings];
    const moved = { ...base, ...orphan };
    if (!isThere) return { ...moved, status: "applied", ...(savedPath && { savedPath }), warnings };
    const copy = savedPath === undefined ? "" : `; a copy of it is at "${savedPath}"`;
    const anew = `All of the file was written anew, since a sync of it had failed${copy}`;
    return { ...moved, status: "unchanged", warnings: [anew, ...warnings] };
  } finally {
    await file.close();
  }
}

/** Up to the first byte that is written, as an edit. */
export function checkNotAborted(path: string, { signal }: ResolveOptions): void {
  checkAborted(path, signal, "resolving the record of");
}

/** What is written, how, and where the bytes are saved that it replaces. */
interface Write {
  readonly chosen: Chosen;
  readonly isDoubtful: boolean;
  readonly savedPath: string | undefined;
}

function isSameVersion(one: VersionReport, other: VersionReport): boolean {
  return one.sha256 === other.sha256 && one.sizeBytes === other.sizeBytes;
}

/** What has to be known to put another version into the file instead of `version`. */
function noteOf(held: HeldRecord, version: VersionReport): SavedNote {
  const { realPath, target } = held.metadata;
  return { realPath, target, writtenSha256: version.sha256 };
}

/** Keeps what is about to be overwritten, durably; returns where. Error: `FE_CONTENT_CHANGED`. */
async function savePresent(
  context: EngineContext,
  held: HeldRecord,
  file: ReadableFile,
  present: VersionReport,
  note: SavedNote,
): Promise<string> {
  const { realPath } = note;
  const source = fileSource(file, present.sizeBytes);
  const saved = await saveInStore(context.journal, held.id, source, note);
  if (saved.sha256 === present.sha256) return saved.path;
  await dropCopy(context.journal, saved.path);
  throw otherThanShown(realPath, "somebody else wrote to it while it was saved");
}

/** What the file holds now. Error: `FE_CONTENT_CHANGED`, if it is not what the person was shown. */
async function presentVersion(
  held: HeldRecord,
  file: ReadableFile,
  { expectSha256 }: ResolveOptions,
): Promise<VersionReport> {
  const { sizeBytes } = await file.status();
  const sha256 = await hashOf(fileSource(file, sizeBytes));
  if (expectSha256 !== undefined && sha256 !== expectSha256.toLowerCase()) {
    throw otherThanShown(held.metadata.realPath, `its SHA-256 is ${sha256}, not the one expected`);
  }
  return { sizeBytes, sha256 };
}

/**
 * Writes the chosen image, reads it back, and looks at the path again; returns what became of the
 * permission. A failure keeps the orphan. A full disk is found before a byte is written, where the
 * system can reserve room: then nothing is changed (`FE_NO_SPACE`).
 */
async function writeVersion(
  context: EngineContext,
  record: RecordReport,
  held: HeldRecord,
  file: TargetFile,
  { chosen, isDoubtful, savedPath }: Write,
): Promise<string[]> {
  const { realPath } = held.metadata;
  try {
    const { sizeBytes: presentBytes, permission: wanted } = await file.status();
    // In doubt, the length may not have reached the disk either, so it is set whatever it is.
    const lengthBytes = isDoubtful ? Number.POSITIVE_INFINITY : presentBytes;
    const { sizeBytes: wantedBytes } = chosen.version;
    if (wantedBytes > presentBytes) await reserveRoom(realPath, file, wantedBytes);
    await writeWhole(realPath, file, lengthBytes, chosen.bytes);
    const { sizeBytes, permission } = await file.status();
    const written = await hashOf(fileSource(file, sizeBytes));
    if (written !== chosen.version.sha256) {
      throw new Error("what was read back is not what was written");
    }
    const { targetStatus } = await context.os.inspectTarget(realPath);
    if (!(await isRecordedFile(context.os, held, targetStatus.identity))) {
      throw new Error("the file was replaced by another while it was written");
    }
    return await restorePermission(file, wanted, permission);
  } catch (error) {
    if (error instanceof NoRoomError && error.cause instanceof FeError) throw error.cause;
    const isSync = error instanceof FeError && error.code === "FE_SYNC_FAILED";
    const doubt = isSync ? await markDoubtful(held, held.phase) : {};
    throw outcomeUnknown(realPath, { ...record, ...doubt }, error, savedPath);
  }
}

type OrphanFate = Pick<ResolveResult, "movedRecordTo" | "recordStands" | "warnings">;

/**
 * The target is whole and synced; now the orphan may go from its name. If it stays, the decision
 * table fits it (F, G or C; J, if it is in doubt), so that is a warning and no failure.
 */
async function keepOrphan(
  held: HeldRecord,
  isDoubtful: boolean,
  belongs: string | SavedNote,
): Promise<OrphanFate> {
  const next = isDoubtful ? "resolve it once more" : "the next edit judges it";
  try {
    return fateOf(await held.keep(belongs), next);
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    const warning = `The record could not be put into "saved" (${error.message}); if it stands yet`;
    return { recordStands: true, warnings: [`${warning}, ${next}`] };
  }
}

function fateOf(report: KeepReport, next: string): OrphanFate {
  switch (report.kind) {
    case "kept": {
      const { path, unsettled } = report;
      if (unsettled === undefined) return { movedRecordTo: path, warnings: [] };
      const loss = "after a power loss the record may stand at its name again";
      const warning = `A sync of "saved" or of the store failed (${unsettled.message}): ${loss}`;
      return { movedRecordTo: path, warnings: [warning] };
    }
    case "stands": {
      const why = `The record could not be put into "saved" (${report.error.message})`;
      return { recordStands: true, warnings: [`${why} and stands at its name; ${next}`] };
    }
    case "displaced":
      return { warnings: [`A record of another program is kept at "${report.tombstonePath}"`] };
    case "put-back": {
      const warning = "A record of another program took the orphan's place and was left there";
      return { warnings: [warning] };
    }
    case "reclaimed": {
      const { noRoom } = report;
      if (noRoom === undefined) return { warnings: [] };
      const lost = "it was removed, and with it each version that was not chosen";
      return { warnings: [`There was no room to keep the record (${noRoom.message}): ${lost}`] };
    }
  }
}
