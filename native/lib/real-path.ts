/**
 * The real path of a path that a person wrote.
 *
 * `realpath(3)` does the work, on bytes; but C libraries differ in how much they look at `file/`,
 * `file/.` and `file/..`, which must be `ENOTDIR`. So the kernel is asked about such a path first.
 */
import fs from "node:fs";
import { attempt } from "./native-call.ts";
import { OsError } from "./os-error.ts";
import { bytesToPath, pathToBytes } from "./path-text.ts";
import { posixPaths } from "./posix-paths.ts";

const operation = "resolveRealPath";
/** A component that is empty, `.` or `..`, behind the first. */
const oddComponent = /\/\.{0,2}(?:\/|$)/;

/**
 * See `Os.resolveRealPath`.
 *
 * With `followLast: false` the last component need not exist. A path whose last component is not a
 * name (`/`, `.`, `..`, a trailing slash) leads to a directory, so there the last link is followed
 * all the same, as the kernel does.
 */
export function resolveRealPath(path: string, followLast: boolean): string {
  if (path === "" || path.includes("\0")) {
    const message = "EINVAL, a path is not empty and has no NUL";
    throw new OsError("EINVAL", operation, { path, message });
  }
  const name = posixPaths.nameOf(path);
  if (followLast || name === "" || name === "." || name === "..") return follow(path, path);
  const parent = path.slice(0, path.length - name.length) || "./";
  // Also refuses a name that has no bytes.
  return posixPaths.join(follow(parent, path), bytesToPath(pathToBytes(name)));
}

function follow(path: string, asked: string): string {
  const bytes = pathToBytes(path);
  return attempt(operation, asked, () => {
    if (oddComponent.test(path)) fs.statSync(bytes);
    return bytesToPath(fs.realpathSync.native(bytes, "buffer"));
  });
}
