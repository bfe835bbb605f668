/**
 * Which records the caller may see (REQUIREMENTS: with roots, those whose real path lies below
 * them; others are not even counted), and how a record is found by its id. Reads only.
 */
import type { KeptRecord, ListedRecord, OpenRecord, RecordPhase } from "@fe/journal";
import { FeError } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import type { ListedReport } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import { judgeByProbe, reportOf, reportUnreadable } from "./catalogue.ts";
import { mayTellOf } from "./conceal.ts";
import { type FrontRecord, Looks } from "./look.ts";

/**
 * Whether the roots allow a record to be seen. One that cannot be read names no path that counts.
 */
function isVisible(context: EngineContext, record: ListedRecord): boolean {
  return mayTellOf(context, record.metadata?.realPath);
}

/** Says nothing of whether there is one. */
function hintFor({ options }: EngineContext): string {
  const shows = "`recovery.list` shows the ids";
  if (options.roots === undefined) return shows;
  return `${shows}; records of files outside of \`roots\`, and unreadable ones, are not looked at`;
}

/** What its header says, and what is known of its owner. */
async function report(context: EngineContext, record: ListedRecord): Promise<ListedReport> {
  const { id, path, metadata, phase } = record;
  if (metadata === undefined || phase === undefined) {
    return reportUnreadable(id, path, record.why ?? "it cannot be read");
  }
  const owner = await judgeByProbe(context.os, metadata);
  return reportOf({ id, path, metadata, phase }, owner, whyLeft[phase]);
}

/** Why a record is there, as far as a list can tell. */
const whyLeft: Readonly<Record<RecordPhase, string>> = {
  prepared: "the edit did not say that it was complete",
  committed: "the edit was complete and its record was not removed",
  doubtful:
    "a sync of the file failed; what it shows may not be on its disk, " +
    "unless the machine was started again since",
};

async function visibleRecords(context: EngineContext): Promise<readonly ListedRecord[]> {
  try {
    return (await context.journal.list()).filter((record) => isVisible(context, record));
  } catch (error) {
    throw fromOs(error, { action: "list the recovery records" });
  }
}

/** Reports of all records that may be seen, oldest first. */
export async function listRecords(context: EngineContext): Promise<readonly ListedReport[]> {
  return oldestFirst(await reportAll(context, await visibleRecords(context)));
}

/** The same, with what each file holds now, as far as one look tells. */
export async function listLooked(context: EngineContext): Promise<readonly ListedReport[]> {
  const records = new Map((await visibleRecords(context)).map((each) => [each.path, each]));
  const looks = new Looks(context);
  const reports: ListedReport[] = [];
  // One after the other, the oldest first: together they may read no more than a bound.
  for (const listed of oldestFirst(await reportAll(context, [...records.values()]))) {
    const record = records.get(listed.recordPath);
    const isNamed = listed.path !== undefined && record?.metadata !== undefined;
    reports.push(isNamed ? await looks.added(listed, record as FrontRecord) : listed);
  }
  return reports;
}

function reportAll(
  context: EngineContext,
  records: readonly ListedRecord[],
): Promise<ListedReport[]> {
  return Promise.all(records.map((record) => report(context, record)));
}

function oldestFirst(reports: readonly ListedReport[]): readonly ListedReport[] {
  return reports.toSorted((left, right) => (left.createdMs ?? 0) - (right.createdMs ?? 0));
}

/** A record that stands, or one that was resolved and is kept. */
export interface FoundRecord {
  readonly record: ListedReport;
  readonly isKept: boolean;
  /** Errors: `RecordNotFoundError`, `RecordUnsafeError`. */
  open(): Promise<OpenRecord>;
}

/**
 * For a look: the record that stands, else the newest one that was resolved under this id. Errors:
 * as {@link findById}.
 */
export async function findToShow(context: EngineContext, id: string): Promise<FoundRecord> {
  const { journal } = context;
  try {
    const record = await findById(context, id);
    return { record, isKept: false, open: () => journal.open(record.id) };
  } catch (error) {
    if (!(error instanceof FeError) || error.code !== "FE_NOT_FOUND") throw error;
    const kept = (await visibleKept(context)).filter((one) => one.id.startsWith(id.toLowerCase()));
    const [newest] = kept;
    if (newest === undefined) throw error;
    if (kept.some((one) => one.id !== newest.id)) throw ambiguous(id, kept.length);
    const record = await keptReport(context, newest);
    return { record, isKept: true, open: () => journal.openKept(newest.path) };
  }
}

/**
 * Records that were resolved and are kept, newest first, as far as they may be seen. Errors:
 * `FE_STORE_NOT_PRIVATE`, `FE_IO`.
 */
export async function visibleKept(context: EngineContext): Promise<readonly KeptRecord[]> {
  try {
    return (await context.journal.listKept()).filter((record) => isVisible(context, record));
  } catch (error) {
    throw fromOs(error, { action: "list what was resolved" });
  }
}

/** As a record in a list; it stands in no edit's way any more. */
export async function keptReport(
  context: EngineContext,
  record: KeptRecord,
): Promise<ListedReport> {
  const told = await report(context, record);
  if (told.phase === "unreadable") return told;
  const when = new Date(record.savedMs).toISOString();
  return { ...told, why: `it was resolved, and is kept in "saved" since ${when}` };
}

/**
 * The one visible record with this id or unique prefix. Errors: `FE_INVALID_REQUEST`,
 * `FE_NOT_FOUND`.
 */
export async function findById(context: EngineContext, id: string): Promise<ListedReport> {
  if (typeof id !== "string" || !/^[0-9a-f]{8,64}$/i.test(id)) {
    throw new FeError(
      "FE_INVALID_REQUEST",
      `Cannot find record "${id}": an id is 8 to 64 hexadecimal digits`,
      { hint: "`recovery.list` shows the ids" },
    );
  }
  const prefix = id.toLowerCase();
  const found = (await visibleRecords(context)).filter((record) => record.id.startsWith(prefix));
  const [first, second] = found;
  if (first === undefined) {
    throw new FeError("FE_NOT_FOUND", `Cannot find record "${id}": there is none`, {
      hint: hintFor(context),
    });
  }
  // A record and a tombstone of its key have one id, and one resolution deals with what is first.
  if (second !== undefined && found.some((record) => record.id !== first.id)) {
    throw ambiguous(id, found.length);
  }
  return report(context, found.find((record) => record.metadata === undefined) ?? first);
}

function ambiguous(id: string, count: number): FeError {
  return new FeError("FE_INVALID_REQUEST", `Cannot find record "${id}": ${count} begin so`, {
    hint: "Give more characters of the id",
  });
}
