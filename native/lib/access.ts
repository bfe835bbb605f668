/** Whether what stands at a path may be read and written, asked without opening it. */
import { accessSync, constants, type Stats, statSync } from "node:fs";
import { OsError } from "./os-error.ts";
import { pathToBytes } from "./path-text.ts";

/** The owner's bit, which Windows' read-only attribute takes away. */
const ownerWrites = 0o200;

/** See `Os.checkWritable`. Error: that of Node, or `OsError`. */
export function checkAccess(path: string): void {
  if (process.platform === "win32") {
    // As text, which Node gives the form of a path that may be long.
    checkReadOnlyAttribute(statSync(path), path);
    return;
  }
  const bytes = Buffer.from(pathToBytes(path));
  const also = statSync(bytes).isDirectory() ? constants.X_OK : constants.R_OK;
  // `access(2)` asks for the real user, and what is opened is opened by the effective one.
  const isOneUser =
    process.getuid?.() === process.geteuid?.() && process.getgid?.() === process.getegid?.();
  if (isOneUser) accessSync(bytes, constants.W_OK | also);
}

/** Nobody opens such a file for writing: [MS-FSA] 2.1.5.1.2.1. Of a directory it is a hint. */
function checkReadOnlyAttribute(status: Stats, path: string): void {
  if (status.isDirectory() || (status.mode & ownerWrites) !== 0) return;
  const message = "EACCES, it has the read-only attribute";
  throw new OsError("EACCES", "checkWritable", { path, message });
}
