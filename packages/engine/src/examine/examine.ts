/**
 * What this system, the store and a file's filesystem can do, with advice.
 *
 * E1  Nothing is made that stays: a store that is not there is not made, and what is tried in one
 *     that is there is a lock file that is removed again and a file that never had a name. Of a
 *     file it is tried whether others can be kept out.
 */
import { NamesNotDurableError } from "@fe/journal";
import { addonPath, hasCode, OsError, type ProcessIdentity, type StoreDirectory } from "@fe/native";
import { FeError } from "../errors.ts";
import { fromOs, fromStore } from "../os-failure.ts";
import type { EngineContext } from "../transaction/context.ts";
import { engineVersion } from "../version.ts";
import { adviceFor } from "./advice.ts";
import { type ExclusionReport, exclusionOf } from "./exclusion.ts";
import { type IdentityReport, identifyPath } from "./identify.ts";
import { type Refusal, refusalAdvice, refusalsOf } from "./refusals.ts";
import type { StoreFinding, StoreReport } from "./store-report.ts";

/** What `engine.examine` found. */
export interface Examination {
  readonly engineVersion: string;
  /** The file of the addon; absent where it cannot be told. */
  readonly addonPath?: string;
  /** This process, as records name their owner. */
  readonly process: ProcessIdentity;
  readonly store: StoreReport;
  /** If a file was named. */
  readonly target?: IdentityReport;
  /** Whether an edit of it could keep everybody else out; if it is a regular file. */
  readonly exclusion?: ExclusionReport;
  /** What would refuse an edit of the file now, whatever its text. */
  readonly refusals: readonly Refusal[];
  /** What a person might want to know or change, a sentence each. */
  readonly advice: readonly string[];
}

/** Errors: those of {@link identifyPath}, if a file is named. */
export async function examineSystem(
  context: EngineContext,
  path: string | undefined,
  countRecords: () => Promise<number>,
): Promise<Examination> {
  const self = await context.os.self();
  const addon = addonPath();
  const target = path === undefined ? undefined : await identifyPath(context, path);
  const exclusion = path === undefined ? undefined : await exclusionOf(context, path);
  const finding = await examineStore(context, countRecords);
  const { report: store } = finding;
  const refusals = path === undefined ? [] : await refusalsOf(context, path, finding);
  return {
    engineVersion,
    ...(addon === undefined ? {} : { addonPath: addon }),
    process: self,
    store,
    ...(target === undefined ? {} : { target }),
    ...(exclusion === undefined ? {} : { exclusion }),
    refusals,
    advice: [...refusals.map(refusalAdvice), ...adviceFor(self, store, target)],
  };
}

async function examineStore(
  context: EngineContext,
  countRecords: () => Promise<number>,
): Promise<StoreFinding> {
  const { os, journal } = context;
  const base = { path: journal.directoryPath };
  let directory: StoreDirectory;
  try {
    directory = await os.openStoreDirectory(journal.directoryPath);
  } catch (error) {
    // With ENOTDIR one above it is no directory, of which an edit has more to say.
    if (hasCode(error, "ENOENT", "ENOTDIR")) return examineAbsent(context, countRecords);
    return unusable(base, error);
  }
  try {
    const { filesystem } = await directory.status();
    // Listing checks owner and mode of the directory first.
    const records = await countRecords();
    const locks = await tryLocks(context);
    const unnamedFiles = await works(async () =>
      (await directory.createUnnamedFile(0o600)).close(),
    );
    const cause = await answerOf(() => directory.sync());
    const directorySync = cause === undefined;
    return {
      report: { ...base, state: "usable", filesystem, records, locks, unnamedFiles, directorySync },
      ...(directorySync ? {} : { failure: new NamesNotDurableError({ cause }) }),
    };
  } catch (error) {
    return unusable(base, error);
  } finally {
    await directory.close();
  }
}

function unusable(base: { readonly path: string }, failure: unknown): StoreFinding {
  return { report: { ...base, state: "unusable", why: whyNot(failure) }, failure };
}

/** The store is not there: whether the first edit could make it. */
async function examineAbsent(
  { journal }: EngineContext,
  countRecords: () => Promise<number>,
): Promise<StoreFinding> {
  const base = { path: journal.directoryPath };
  try {
    // Looks at the user-data directory, which may be there and be open to others.
    await countRecords();
    const { refusal, ...place } = await journal.storePlace();
    if (refusal === undefined) return { report: { ...base, state: "absent", place } };
    const why = whyNotMade(refusal, journal.directoryPath);
    return { report: { ...base, state: "unusable", why, place }, failure: refusal };
  } catch (error) {
    return unusable(base, error);
  }
}

/** As the first edit would say it. */
function whyNotMade(error: unknown, store: string): string {
  return fromStore(error, { action: "make the recovery store" }, store).message;
}

/** The journal tries it with the first lock that it takes; this one is of no file. */
async function tryLocks({ os, journal }: EngineContext): Promise<boolean> {
  if (journal.storeHasLocks === undefined) {
    const [one, other] = [await os.randomId(), await os.randomId()];
    const lock = await journal.tryLockKey(`${one}${other}`.replaceAll("-", ""));
    await lock?.release();
  }
  return journal.storeHasLocks === true;
}

async function works(attempt: () => Promise<void>): Promise<boolean> {
  return (await answerOf(attempt)) === undefined;
}

/** What the system answered if it did not do it. */
async function answerOf(attempt: () => Promise<void>): Promise<OsError | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (error instanceof OsError) return error;
    throw error;
  }
}

function whyNot(error: unknown): string {
  const failure = fromOs(error, { action: "use the recovery store" });
  return failure instanceof FeError ? failure.message : String(failure);
}
