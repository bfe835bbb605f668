/** One version of a record's file, to look at. Takes no lock and changes nothing (S20). */
import { type ByteSource, RecordUnsafeError } from "@fe/journal";
import { hasCode, type OpenedTarget } from "@fe/native";
import { chunksOf, fileSource } from "../bytes.ts";
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import { type ListedReport, shortId, type Version } from "../record-report.ts";
import type { ShownVersion } from "../result.ts";
import { checkShow } from "../settle-recovery.ts";
import type { EngineContext } from "../transaction/context.ts";
import { withoutVersions } from "./catalogue.ts";
import { type FoundRecord, findToShow } from "./lookup.ts";

interface OpenVersion {
  readonly source: ByteSource;
  close(): Promise<void>;
}

/** Errors: `FE_NOT_FOUND`, `FE_RECORD_UNSAFE`, `FE_NOT_REGULAR`, `FE_PERMISSION_DENIED`. */
export async function showVersion(
  context: EngineContext,
  id: string,
  version: Version,
): Promise<ShownVersion> {
  checkShow(id, version);
  const found = await findToShow(context, id);
  const { record } = found;
  let opened: OpenVersion;
  try {
    opened =
      version === "current" ? await openCurrent(context, record) : await openImage(found, version);
  } catch (error) {
    throw failureOf(error, found, version, "show");
  }
  const { source } = opened;
  return {
    record,
    version,
    sizeBytes: source.sizeBytes,
    chunks: () => ownChunksOf(source, found, version),
    close: () => opened.close(),
  };
}

function failureOf(
  error: unknown,
  found: FoundRecord,
  version: Version,
  action: "show" | "read",
): Error {
  if (error instanceof RecordUnsafeError) return unsafeRecord(error, found, version);
  const { record } = found;
  const path = record.path ?? record.recordPath;
  return fromOs(error, { path, action: `${action} version "${version}" of` });
}

/** What failed may be the record itself; then the error shows it, and names it only once. */
function unsafeRecord(
  error: RecordUnsafeError,
  { record, isKept }: FoundRecord,
  version: Version,
): FeError {
  const why = `the record ${error.why}`;
  const message = `Cannot show version "${version}" of record ${shortId(record.id)}: ${why}`;
  const at = record.path === undefined ? {} : { path: record.path };
  return new FeError("FE_RECORD_UNSAFE", message, {
    ...at,
    ...(isKept ? {} : { record: withoutVersions(record, why) }),
    cause: error,
    hint: isKept
      ? "No version of it can be had; it was resolved, and is in nobody's way"
      : 'No version of it can be had; `keep: "current"` (`recovery.resolve`) moves it aside',
  });
}

/** Copies: a caller may keep them, and those of {@link chunksOf} are used for what comes next. */
async function* ownChunksOf(
  source: ByteSource,
  found: FoundRecord,
  version: Version,
): AsyncGenerator<Uint8Array> {
  const chunks = chunksOf(source);
  try {
    for (;;) {
      const next = await nextOf(chunks, found, version);
      if (next === undefined) return;
      yield new Uint8Array(next);
    }
  } finally {
    await chunks.return(undefined);
  }
}

/** What the caller throws into the loop is the caller's; only what reading met is told anew. */
async function nextOf(
  chunks: AsyncGenerator<Uint8Array>,
  found: FoundRecord,
  version: Version,
): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await chunks.next();
    return done === true ? undefined : value;
  } catch (error) {
    if (hasCode(error, "EBADF")) {
      const path = found.record.path ?? found.record.recordPath;
      const message = `Cannot read version "${version}" of "${path}": it was closed`;
      throw new FeError("FE_CLOSED", message, { path, cause: error, hint: "Show it again" });
    }
    throw failureOf(error, found, version, "read");
  }
}

async function openImage(found: FoundRecord, version: "before" | "after"): Promise<OpenVersion> {
  const open = await found.open();
  return { source: open[version], close: () => open.close() };
}

async function openCurrent(context: EngineContext, record: ListedReport): Promise<OpenVersion> {
  if (record.path === undefined) {
    throw new FeError(
      "FE_RECORD_UNSAFE",
      `Record ${shortId(record.id)} names no file that could be shown`,
      {
        record,
        hint: "Look at the record's own file with a tool that you trust",
      },
    );
  }
  const { target, parent, targetStatus } = await openPlace(context, record.path);
  try {
    if (targetStatus.kind !== "regular") {
      throw new FeError("FE_NOT_REGULAR", `"${record.path}" is no regular file any more`, {
        record,
      });
    }
    const file = await target.openForReading();
    const { sizeBytes } = await file.status();
    return { source: fileSource(file, sizeBytes), close: () => file.close() };
  } finally {
    await target.close();
    await parent.close();
  }
}

async function openPlace({ os }: EngineContext, path: string): Promise<OpenedTarget> {
  try {
    return await os.openTarget(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    const message = `Cannot show version "current" of "${path}": there is no such file any more`;
    throw new FeError("FE_NOT_FOUND", message, {
      path,
      cause: error,
      hint: "If it was only moved, move it back; the versions before and after are in the record",
    });
  }
}
