/**
 * The chosen version put into the file, and the orphan removed after it.
 *
 * I5  Bytes that are neither before nor after are overwritten here only, at a person's word, and
 *     only after they were saved durably.
 * I6  The orphan goes only when the target is durable.
 */
import { createHash } from "node:crypto";
import { type ByteSource, bytesSource, type HeldRecord } from "@fe/journal";
import { OsError, type PinnedFile, type ReadableFile, type TargetFile } from "@fe/native";
import { fileSource, hashOf } from "../bytes.ts";
import type { ResolveOptions } from "../options.ts";
import type { RecordReport, VersionReport } from "../record-report.ts";
import type { ResolveResult } from "../result.ts";
import { restorePermission } from "../transaction/baseline.ts";
import type { EngineContext } from "../transaction/context.ts";
import { contentChanged } from "../transaction/miss.ts";
import { writeWhole } from "../transaction/mutate.ts";
import { isRecordedFile } from "./observe.ts";
import { outcomeUnknown } from "./refusals.ts";

/** Whose record, what stands there, and what was asked for. */
export interface Restoration {
  readonly record: RecordReport;
  readonly held: HeldRecord;
  readonly pinned: PinnedFile;
  readonly options: ResolveOptions;
}

/** Carries the choice out on the file that the record was made for; both its locks are ours. */
export function restore(context: EngineContext, restoration: Restoration): Promise<ResolveResult> {
  const { held, options } = restoration;
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
  return keepCurrent(restoration);
}

/** What is to be put into the file. */
interface Chosen {
  readonly kept: "before" | "after" | "given";
  readonly version: VersionReport;
  readonly bytes: ByteSource;
}

/** Writes nothing, so it needs no permission to write. */
async function keepCurrent({ record, held, pinned, options }: Restoration): Promise<ResolveResult> {
  const file = await pinned.openForReading();
  try {
    const present = await presentVersion(held, file, options);
    await file.sync();
    const warnings = await removeOrphan(held);
    const path = held.metadata.realPath;
    const same = { before: present, after: present };
    return { status: "unchanged", record, kept: "current", path, ...same, warnings };
  } finally {
    await file.close();
  }
}

async function putVersion(
  context: EngineContext,
  { record, held, pinned, options }: Restoration,
  { kept, version, bytes }: Chosen,
): Promise<ResolveResult> {
  const { realPath, target } = held.metadata;
  const file = await pinned.openForWriting();
  try {
    const present = await presentVersion(held, file, options);
    const base = { record, kept, path: realPath, before: present, after: version };
    if (version.sha256 === present.sha256 && version.sizeBytes === present.sizeBytes) {
      await file.sync();
      return { ...base, status: "unchanged", warnings: await removeOrphan(held) };
    }
    const note = { realPath, target, writtenSha256: version.sha256 };
    const source = fileSource(file, present.sizeBytes);
    const saved = await context.journal.saveBytes(record.id, source, note);
    if (saved.sha256 !== present.sha256) {
      throw contentChanged(realPath, "another program wrote to it while it was saved");
    }
    const written = { ...version, bytes };
    const changes = await writeVersion(context, record, held, file, written);
    const warnings = [...changes, ...(await removeOrphan(held))];
    return { ...base, status: "applied", savedPath: saved.path, warnings };
  } finally {
    await file.close();
  }
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
    throw contentChanged(held.metadata.realPath, `its SHA-256 is ${sha256}, not the one expected`);
  }
  return { sizeBytes, sha256 };
}

/**
 * Writes the chosen image, reads it back, and looks at the path again; returns what became of the
 * permission. A failure keeps the orphan.
 */
async function writeVersion(
  context: EngineContext,
  record: RecordReport,
  held: HeldRecord,
  file: TargetFile,
  { bytes, sha256 }: VersionReport & { readonly bytes: ByteSource },
): Promise<string[]> {
  const { realPath } = held.metadata;
  try {
    const { sizeBytes: presentBytes, permission: wanted } = await file.status();
    await writeWhole(realPath, file, presentBytes, bytes);
    const { sizeBytes, permission } = await file.status();
    const written = await hashOf(fileSource(file, sizeBytes));
    if (written !== sha256) {
      throw new Error("what was read back is not what was written");
    }
    const { targetStatus } = await context.os.inspectTarget(realPath);
    if (!(await isRecordedFile(context.os, held, targetStatus.identity))) {
      throw new Error("the file was replaced by another while it was written");
    }
    return await restorePermission(file, wanted, permission);
  } catch (error) {
    throw outcomeUnknown(realPath, record, error);
  }
}

/**
 * The target is whole and synced; now the orphan may go. If it stays, the decision table fits it
 * (F, G or C), so that is a warning and no failure.
 */
async function removeOrphan(held: HeldRecord): Promise<string[]> {
  try {
    const report = await held.reclaim();
    if (report.kind === "reclaimed") return [];
    if (report.kind === "displaced") {
      return [`A record of another program is kept at "${report.tombstonePath}"`];
    }
    return ["A record of another program took the orphan's place and was left there"];
  } catch (error) {
    if (!(error instanceof OsError)) throw error;
    return [`The record could not be removed (${error.message}); the next edit removes it`];
  }
}
