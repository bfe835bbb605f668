/**
 * The record of a file that is not there any more. Whoever asks for that file, and hears only that
 * there is none, would not look for what is kept of it.
 */
import { FeError, withRecord } from "../errors.ts";
import { fromOs } from "../os-failure.ts";
import { type RecordReport, shortId } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import { resolveTarget } from "../transaction/resolve.ts";
import type { ResolvedTarget } from "../transaction/states.ts";
import { listRecords } from "./lookup.ts";

/** Step 1. Its `FE_NOT_FOUND` names the record that stands for just this path, if there is one. */
export async function resolveRecorded(
  context: EngineContext,
  path: string,
): Promise<ResolvedTarget> {
  const { os, journal, options } = context;
  try {
    return await resolveTarget(os, journal.directoryPath, path, options);
  } catch (failure) {
    if (!(failure instanceof FeError) || failure.code !== "FE_NOT_FOUND") throw failure;
    const record = await recordOf(context, path);
    throw record === undefined ? failure : withRecord(failure, record, hintFor(record));
  }
}

function hintFor({ id }: RecordReport): string {
  return (
    `Record ${shortId(id)} of an interrupted edit is of the file that was here: if it was moved, ` +
    "move it back; if it is gone, `recovery.show` gives its bytes before and after"
  );
}

/** What fails meanwhile counts for nothing: that the file is not there was the first to be said. */
async function recordOf(context: EngineContext, path: string): Promise<RecordReport | undefined> {
  const { os, journal } = context;
  const { paths } = os;
  try {
    const start = await os.resolveRealPath(".", { followLast: true });
    const asked = paths.isAbsolute(path) ? path : paths.join(start, path);
    const directory = await os.resolveRealPath(paths.parentOf(asked), { followLast: true });
    const realPath = paths.join(directory, paths.nameOf(asked));
    const [key] = await journal.recordsNaming(realPath, "");
    if (key === undefined) return undefined;
    return (await listRecords(context)).find((record) => record.path === realPath);
  } catch (error) {
    if (fromOs(error, { path, action: "look for a record of" }) instanceof FeError)
      return undefined;
    throw error;
  }
}
