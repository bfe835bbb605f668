/**
 * What an engine with roots tells of a record that is not of a file below them.
 *
 * Such a record can stand in an edit's way all the same: a file below a root may have a second name
 * outside, or the inode number of a file that was outside, and a record that cannot be read says of
 * no file that it is below. So it is named by its id, for whoever may look at it, and nothing that
 * stands in it is told. Every error leaves the engine through here.
 */
import { FeError, withRecord } from "../errors.ts";
import { type RecordReport, shortId } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";

type Rooted = Pick<EngineContext, "os" | "options">;

/** Whether the roots allow to tell of a file; `undefined`: it is not known which. */
export function mayTellOf({ os, options }: Rooted, realPath: string | undefined): boolean {
  const { roots } = options;
  if (roots === undefined) return true;
  return realPath !== undefined && roots.some((root) => os.paths.isWithin(root, realPath));
}

/** The error as the caller may see it. */
export function concealRecord(context: Rooted, error: unknown): unknown {
  if (!(error instanceof FeError) || error.record === undefined) return error;
  if (mayTellOf(context, error.record.path)) return error;
  const { id, recordPath, phase, why, choices } = error.record;
  const record: RecordReport = { id, recordPath, phase, why, ...(choices && { choices }) };
  const whose =
    phase === "unreadable"
      ? "cannot be read, so nobody knows whether its file is below the roots"
      : "is not of a file below the roots";
  const reach =
    `Record ${shortId(id)} ${whose}: it can be neither shown nor resolved, as all outside of ` +
    "`roots`";
  return withRecord(error, record, error.hint === undefined ? reach : `${reach}. ${error.hint}`);
}
