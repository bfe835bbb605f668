/**
 * The real path of a path that a person wrote, on Windows: what the system says of the object that
 * it leads to (`GetFinalPathNameByHandleW`, which Node asks), so that short names (8.3), links,
 * junctions and `subst` are resolved, and every name is in the case that is on disk.
 *
 * Differences from POSIX: `..` is taken off before any link is looked at, as everywhere on Windows;
 * and a path that leads to another meaning than a file's (a device, a stream) is refused by its
 * text, before the system is asked (path-refusal.ts).
 */
import fs from "node:fs";
import { win32 } from "node:path";
import { attempt } from "../native-call.ts";
import { hasCode, OsError } from "../os-error.ts";
import { pathToBytes } from "../path-text.ts";
import { checkWindowsPath } from "./path-refusal.ts";
import { fromFinalPath, windowsPaths } from "./windows-paths.ts";

const operation = "resolveRealPath";
/** What NTFS, and every other filesystem of Windows, allows in one name, in UTF-16 units. */
const maxNameLength = 255;
/** A component that is empty, `.` or `..`, behind the first. */
const oddComponent = /[\\/]\.{0,2}(?=[\\/]|$)/g;

/** See `Os.resolveRealPath`, and real-path.ts for the meaning of `followLast`. */
export function resolveWindowsRealPath(path: string, followLast: boolean): string {
  if (path === "" || path.includes("\0")) {
    throw refused("EINVAL", path, "a path is not empty and has no NUL");
  }
  checkWindowsPath(operation, path);
  // Refuses what is no Unicode.
  pathToBytes(path);
  if (path.split(/[\\/]/).some((name) => name.length > maxNameLength)) {
    throw refused("ENAMETOOLONG", path, `a name has at most ${maxNameLength} characters`);
  }
  const name = windowsPaths.nameOf(path);
  if (followLast || name === "" || name === "." || name === "..") return follow(path, path);
  const parent = path.slice(0, path.length - name.length) || ".\\";
  return windowsPaths.join(follow(parent, path), name);
}

function follow(path: string, asked: string): string {
  checkOddComponents(path, asked);
  try {
    return attempt(operation, asked, () => fromFinalPath(fs.realpathSync.native(path)));
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    checkAbove(path, asked);
    throw error;
  }
}

/** Windows takes `file\.` and `file\..` off by their text; a file is no directory all the same. */
function checkOddComponents(path: string, asked: string): void {
  for (const { index } of path.matchAll(oddComponent)) {
    const before = path.slice(0, index);
    if (before !== "" && isFile(before, asked)) throw notADirectory(asked);
  }
}

/** Windows does not say whether a name is missing or a file stands where a directory must. */
function checkAbove(path: string, asked: string): void {
  let above = win32.resolve(path);
  for (;;) {
    const parent = win32.dirname(above);
    if (parent === above) return;
    above = parent;
    if (isFile(above, asked)) throw notADirectory(asked);
    if (fs.existsSync(above)) return;
  }
}

/** Also what the system does not let this user ask, or a circle of links, is an `OsError`. */
function isFile(path: string, asked: string): boolean {
  const status = attempt(operation, asked, () => fs.statSync(path, { throwIfNoEntry: false }));
  return status?.isDirectory() === false;
}

function notADirectory(path: string): OsError {
  return refused("ENOTDIR", path, "a part of it is a file");
}

function refused(code: string, path: string, why: string): OsError {
  return new OsError(code, operation, { path, message: `${code}, ${why}` });
}
