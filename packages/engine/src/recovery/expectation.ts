/** What stands at a record's path now, and whether it is what a person was shown. Reads only. */
import { hasCode, type PinnedFile } from "@fe/native";
import { fileSource, hashOf } from "../bytes.ts";
import type { RecordReport } from "../record-report.ts";
import type { EngineContext } from "../transaction/context.ts";
import { otherThanShown } from "./refusals.ts";

/** The object at a path, held. */
export interface Pinned {
  readonly target: PinnedFile;
  close(): Promise<void>;
}

/** What stands at the record's path, or nothing. */
export async function pinTarget(
  context: Pick<EngineContext, "os">,
  realPath: string,
): Promise<Pinned | undefined> {
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

/**
 * Refuses where a resolution writes nothing, and so would not look: an expectation that is given
 * counts all the same. It is about whatever stands at the record's path, which may be another
 * file than the record's. Errors: `FE_CONTENT_CHANGED`; those of reading (`OsError`).
 */
export async function checkPresent(
  context: Pick<EngineContext, "os">,
  { path, recordPath }: RecordReport,
  expectSha256: string,
): Promise<void> {
  if (path === undefined) {
    throw otherThanShown(
      recordPath,
      "it does not say which file it is of, so nothing can have the SHA-256 expected",
      leaveOut,
    );
  }
  const pinned = await pinTarget(context, path);
  if (pinned === undefined) {
    const why = "no file is there, so nothing has the SHA-256 expected";
    throw otherThanShown(path, why, leaveOut);
  }
  try {
    if ((await pinned.target.status()).kind !== "regular") {
      throw otherThanShown(path, "no regular file is there, so nothing has that SHA-256", leaveOut);
    }
    const file = await pinned.target.openForReading();
    try {
      const { sizeBytes } = await file.status();
      const sha256 = await hashOf(fileSource(file, sizeBytes));
      if (sha256 === expectSha256.toLowerCase()) return;
      const why = `the SHA-256 of what is there is ${sha256}, not the one expected`;
      throw otherThanShown(path, why);
    } finally {
      await file.close();
    }
  } finally {
    await pinned.close();
  }
}

const leaveOut =
  'Expect no SHA-256 (`expectSha256`): `keep: "current"` then moves the record aside, and ' +
  "nothing is written";
