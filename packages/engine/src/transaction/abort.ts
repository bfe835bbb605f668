/** The caller's abort signal: honoured up to the moment before the first byte changes. */
import { FeError } from "../errors.ts";

/** What `AbortController.abort()` gives by itself, which says no more than that it was called. */
const saysNothing = "AbortError";

/**
 * The error of an aborted call; `reason` is what the signal gave: an error of its own is told.
 * `work`: what was going on.
 */
export function aborted(path: string, reason: unknown, work = "editing"): FeError {
  const isTold = reason instanceof Error && reason.name !== saysNothing && reason.message !== "";
  const why = isTold ? reason.message : "the caller aborted it";
  return new FeError("FE_ABORTED", `Stopped ${work} "${path}": ${why}`, {
    path,
    hint: "Nothing was changed",
    cause: reason,
  });
}

/** Throws if the signal has aborted. */
export function checkAborted(path: string, signal: AbortSignal | undefined, work?: string): void {
  if (signal?.aborted) throw aborted(path, signal.reason, work);
}
