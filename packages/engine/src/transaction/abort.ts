/** The caller's abort signal: honoured up to the moment before the first byte changes. */
import { FeError } from "../errors.ts";

/** What `AbortController.abort()` gives by itself, which says no more than that it was called. */
const saysNothing = "AbortError";

/** The error of an aborted edit; `reason` is what the signal gave: an error of its own is told. */
export function aborted(path: string, reason: unknown): FeError {
  const isTold = reason instanceof Error && reason.name !== saysNothing && reason.message !== "";
  const why = isTold ? reason.message : "the caller aborted it";
  return new FeError("FE_ABORTED", `Stopped editing "${path}": ${why}`, {
    path,
    hint: "Nothing was changed",
    cause: reason,
  });
}

/** Throws if the signal has aborted. */
export function checkAborted(path: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(path, signal.reason);
}
