/** Paths of the simulated disk: the kernel's walk, with links followed or refused. */
import { pathToBytes } from "../lib/path-text.ts";
import { posixPaths } from "../lib/posix-paths.ts";
import {
  type Credentials,
  checkAccess,
  checkName,
  fail,
  type SimulatedDisk,
} from "./simulated-disk.ts";
import type { DirectoryInode, SimulatedInode } from "./simulated-inode.ts";

/** As in Linux. */
const maxLinks = 40;
const maxNameBytes = 255;
const maxPathBytes = 4095;

interface Place {
  readonly inode: SimulatedInode;
  /** Real names from the root; empty for the root itself. */
  readonly names: readonly string[];
}

/** Where a path leads, every link followed. Errors as `Os.resolveRealPath`. */
function walk(disk: SimulatedDisk, who: Credentials, path: string, operation: string): Place {
  if (pathToBytes(path).length > maxPathBytes) throw fail("ENAMETOOLONG", operation, path);
  const todo = path.split("/").reverse();
  if (path.startsWith("/")) todo.pop();
  let at: Place = { inode: disk.root, names: [] };
  let way: DirectoryInode[] = [];
  let links = 0;
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    const { inode, names } = at;
    if (inode.kind !== "directory") throw fail("ENOTDIR", operation, path);
    checkAccess(inode, who, 1, operation, path);
    if (part === "" || part === ".") continue;
    if (part === "..") {
      at = { inode: way.pop() ?? disk.root, names: names.slice(0, -1) };
      continue;
    }
    if (pathToBytes(part).length > maxNameBytes) throw fail("ENAMETOOLONG", operation, path);
    const found = inode.entries.get(part);
    if (found === undefined) throw fail("ENOENT", operation, path);
    if (found.kind === "symlink") {
      links += 1;
      if (links > maxLinks) throw fail("ELOOP", operation, path);
      todo.push(...found.target.split("/").reverse());
      if (found.target.startsWith("/")) {
        todo.pop();
        at = { inode: disk.root, names: [] };
        way = [];
      }
      continue;
    }
    way.push(inode);
    at = { inode: found, names: [...names, part] };
  }
  return at;
}

export function realPathOf(
  disk: SimulatedDisk,
  who: Credentials,
  path: string,
  followLast: boolean,
): string {
  const operation = "resolveRealPath";
  if (path === "" || path.includes("\0")) throw fail("EINVAL", operation, path);
  const follow = (asked: string): string => `/${walk(disk, who, asked, operation).names.join("/")}`;
  const name = posixPaths.nameOf(path);
  if (followLast || name === "" || name === "." || name === "..") return follow(path);
  const parent = follow(path.slice(0, path.length - name.length) || "./");
  pathToBytes(name);
  return posixPaths.join(parent, name);
}

/** A directory by its path, links followed. */
export function directoryAt(disk: SimulatedDisk, who: Credentials, path: string): DirectoryInode {
  const operation = "openStoreDirectory";
  if (path === "" || path.includes("\0")) throw fail("EINVAL", operation, path);
  const { inode } = walk(disk, who, path, operation);
  if (inode.kind !== "directory") throw fail("ENOTDIR", operation, path);
  checkAccess(inode, who, 4, operation, path);
  return inode;
}

/** The parent of a real path, walked without following a link. */
export function parentOfReal(
  disk: SimulatedDisk,
  who: Credentials,
  realPath: string,
  operation: string,
): DirectoryInode {
  checkReal(realPath, operation);
  let at = disk.root;
  for (const name of realPath.split("/").slice(1, -1)) {
    checkAccess(at, who, 1, operation, realPath);
    const next = at.entries.get(name);
    if (next === undefined) throw fail("ENOENT", operation, realPath);
    if (next.kind === "symlink") throw fail("ELOOP", operation, realPath);
    if (next.kind !== "directory") throw fail("ENOTDIR", operation, realPath);
    at = next;
  }
  return at;
}

/** The object at a real path, below the parent that was found. */
export function objectOfReal(
  parent: DirectoryInode,
  who: Credentials,
  realPath: string,
  operation: string,
): SimulatedInode {
  if (realPath === "/") return parent;
  checkAccess(parent, who, 1, operation, realPath);
  const found = parent.entries.get(posixPaths.nameOf(realPath));
  if (found === undefined) throw fail("ENOENT", operation, realPath);
  if (found.kind === "symlink") throw fail("ELOOP", operation, realPath);
  return found;
}

function checkReal(realPath: string, operation: string): void {
  if (realPath === "/") return;
  if (!realPath.startsWith("/")) throw fail("EINVAL", operation, realPath);
  for (const name of realPath.split("/").slice(1)) {
    if (name === "") throw fail("EINVAL", operation, realPath);
    checkName(name, operation);
  }
}
