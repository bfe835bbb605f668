/** Whether the object of a handle may be read and written, asked without opening it. */
import { accessSync, constants } from "node:fs";
import { OsError } from "./os-error.ts";

/** The owner's bit, which Windows' read-only attribute takes away (src/identity_windows.cc). */
const ownerWrites = 0o200;

/** See `PinnedFile.checkWritable`; on Linux. */
export function checkAccess(descriptor: number): void {
  // `access(2)` asks for the real user, and what is opened is opened by the effective one.
  const isOneUser =
    process.getuid?.() === process.geteuid?.() && process.getgid?.() === process.getegid?.();
  if (process.platform !== "linux" || !isOneUser) return;
  try {
    accessSync(`/proc/self/fd/${descriptor}`, constants.R_OK | constants.W_OK);
  } catch (error) {
    // Without `/proc` nothing can be asked; an edit says so itself.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/**
 * The same on Windows, by the mode that the handle tells. A file with the read-only attribute is
 * opened for writing by nobody: [MS-FSA] 2.1.5.1.2.1.
 */
export function checkReadOnlyAttribute(mode: number, path: string): void {
  if ((mode & ownerWrites) !== 0) return;
  const message = "EACCES, it has the read-only attribute";
  throw new OsError("EACCES", "checkWritable", { path, message });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
