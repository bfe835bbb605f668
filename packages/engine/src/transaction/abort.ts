/** The caller's abort signal: honoured up to the moment before the first byte changes. */
import { FeError } from "../errors.ts";

/** The error of an aborted edit; `reason` is what the signal gave. */
export function aborted(path: string, reason: unknown): FeError {
  return new FeError("FE_ABORTED", `Stopped editing "${path}": the caller aborted it`, {
    path,
    hint: "Nothing was changed",
    cause: reason,
  });
}

/** Throws if the signal has aborted. */
export function checkAborted(path: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(path, signal.reason);
}
