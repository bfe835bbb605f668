/** Turns what Node and the addon throw into `OsError`, in one place. */
import { OsError } from "./os-error.ts";

/**
 * Runs a call of the system.
 *
 * @throws OsError if the system refused; anything else (a wrong type) goes on as it is, since it is
 *   a defect of the caller.
 */
export function attempt<T>(operation: string, path: string | undefined, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asOsError(error, operation, path);
  }
}

/** As {@link attempt}, for a call that ends later. */
export async function attemptLater<T>(
  operation: string,
  path: string | undefined,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asOsError(error, operation, path);
  }
}

/** The `OsError` of a failed call; an error of any other kind as it is. */
export function asOsError(error: unknown, operation: string, path: string | undefined): unknown {
  if (error instanceof OsError || !isSystemError(error)) return error;
  // Node names the number of EOPNOTSUPP by its other name.
  const code = error.code === "ENOTSUP" ? "EOPNOTSUPP" : error.code;
  return new OsError(code, operation, {
    ...(path === undefined ? {} : { path }),
    // Node gives it negative; 0 is an error that was found without asking the system.
    ...(error.errno === 0 ? {} : { nativeCode: Math.abs(error.errno) }),
    message: error.message,
    cause: error,
  });
}

function isSystemError(error: unknown): error is Error & { code: string; errno: number } {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    "errno" in error &&
    typeof error.errno === "number"
  );
}
