/**
 * Whether the kernel would keep others out of a file during an edit, and why not. It is tried,
 * since only the kernel knows: by a handle that only reads, and ended in the same call. So nothing
 * changes, and whoever opens the file in just that moment waits for some microseconds.
 */
import {
  type ExclusionAnswer,
  type ExclusionRefusal,
  type FilesystemFacts,
  hasCode,
  OsError,
  type PinnedFile,
} from "@fe/native";
import type { EngineContext } from "../transaction/context.ts";
import { mayTakeTooLong, tooLong, whyRefused } from "../transaction/exclude.ts";
import { withTarget } from "./identify.ts";

/** What an edit of a file could have, as one look found it. */
export interface ExclusionReport {
  /** What the result of an edit would say, with `exclusive: "prefer"`. */
  readonly offers: "kernel" | "cooperative";
  /**
   * With `kernel`: how long others may have to wait, in ms, whatever becomes of the edit. Left out
   * where they are refused at once instead (Windows).
   */
  readonly othersWaitMs?: number;
  /**
   * With `cooperative`: the reason. `open-elsewhere` holds for this moment only. `too-large`:
   * others might have to wait for too long. `not-told`: the file may not be opened.
   */
  readonly reason?: ExclusionRefusal | "too-large" | "not-told";
  /** The same as a clause for people. */
  readonly why?: string;
}

/** `undefined`: no regular file. Errors: as `identifyPath`. */
export function exclusionOf(
  context: EngineContext,
  path: string,
): Promise<ExclusionReport | undefined> {
  return withTarget(context, path, async ({ target, targetStatus }) => {
    const { kind, sizeBytes, filesystem } = targetStatus;
    if (kind !== "regular" || filesystem.class === "pseudo") return undefined;
    const answer = await probe(target);
    if (answer instanceof OsError) {
      return { offers: "cooperative", reason: "not-told", why: answer.message };
    }
    if (!answer.granted) {
      const { reason } = answer;
      return { offers: "cooperative", reason, why: whyNot(reason, filesystem) };
    }
    if (mayTakeTooLong(sizeBytes)) {
      return { offers: "cooperative", reason: "too-large", why: tooLong };
    }
    const { holdsMs } = answer;
    return Number.isFinite(holdsMs)
      ? { offers: "kernel", othersWaitMs: holdsMs }
      : { offers: "kernel" };
  });
}

async function probe(target: PinnedFile): Promise<ExclusionAnswer | OsError> {
  try {
    const file = await target.openForReading();
    try {
      return await file.probeExclusion();
    } finally {
      await file.close();
    }
  } catch (error) {
    // Somebody else keeps others out.
    if (hasCode(error, "EAGAIN", "EBUSY")) return { granted: false, reason: "open-elsewhere" };
    if (error instanceof OsError) return error;
    throw error;
  }
}

function whyNot(reason: ExclusionRefusal, { type, class: kind }: FilesystemFacts): string {
  if (reason === "open-elsewhere") return `just now ${whyRefused(reason)}`;
  if (reason !== "unsupported") return whyRefused(reason);
  if (type === "overlay") return "on overlay, who has the file mapped could still write to it";
  if (kind === "network") return `on ${type}, other hosts are behind another kernel`;
  if (kind === "fuse") return `on ${type}, a program decides who can open the file`;
  return whyRefused(reason);
}
