/** Whether the object of a handle may be read and written, asked without opening it. */
import { accessSync, constants } from "node:fs";

/** See `PinnedFile.checkWritable`. */
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

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
