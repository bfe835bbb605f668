/**
 * The tree of the simulated disk: making, linking, renaming and removing names, and walking paths.
 * Codes of errors are those of Linux. Nothing here knows processes or faults.
 */
// conformance.test.ts compares it with the real thing; processes are simulated-os.ts.
import { OsError } from "../lib/os-error.ts";
import { pathToBytes } from "../lib/path-text.ts";
import {
  DirectoryInode,
  FifoInode,
  FileInode,
  type InodeFacts,
  LinkInode,
  type NameChange,
  type SimulatedInode,
  type SimulatedVolume,
} from "./simulated-inode.ts";

const maxNameBytes = 255;
const plainName = /^[\w.~-]{1,255}$/;

/** Who asks; the superuser may everything. */
export interface Credentials {
  readonly owner: number;
}

/** Tells of each change of a name, as it happens. */
export type NameWatcher = (directory: DirectoryInode, change: NameChange) => void;

export function fail(code: string, operation: string, path?: string): OsError {
  return new OsError(code, operation, path === undefined ? {} : { path });
}

export class SimulatedDisk {
  root: DirectoryInode;
  readonly volume: SimulatedVolume;
  readonly #nowNs: () => bigint;
  #serial = 1;
  watchNames: NameWatcher = () => undefined;

  constructor(volume: SimulatedVolume, nowNs: () => bigint) {
    this.volume = volume;
    this.#nowNs = nowNs;
    this.root = new DirectoryInode(this.facts(volume, 0o755, 0));
    this.root.linkCount = 2;
  }

  /** A fresh inode's facts: number, serial, time. */
  facts(volume: SimulatedVolume, mode: number, owner: number): InodeFacts {
    const reused = volume.reusesNumbers ? volume.freeNumbers.pop() : undefined;
    let number = reused;
    if (number === undefined) {
      number = volume.nextNumber;
      volume.nextNumber += 1n;
    }
    const serial = this.#serial;
    this.#serial += 1;
    return { volume, number, serial, birthTimeNs: this.#nowNs(), mode, owner };
  }

  /** Gives the number back, if nothing leads to the inode any more. */
  release(inode: SimulatedInode): void {
    if (inode.openCount > 0 || inode.linkCount > 0) return;
    inode.volume.freeNumbers.push(inode.number);
  }

  changeNames(directory: DirectoryInode, change: NameChange): void {
    this.watchNames(directory, change);
    directory.change(change, this.#nowNs());
  }

  lookup(directory: DirectoryInode, name: string, operation: string): SimulatedInode {
    const found = directory.entries.get(name);
    if (found !== undefined) return found;
    throw fail(isTooLong(name) ? "ENAMETOOLONG" : "ENOENT", operation, name);
  }

  /** Checks that something new may stand at a name. */
  checkFree(directory: DirectoryInode, name: string, operation: string): void {
    if (directory.entries.has(name)) throw fail("EEXIST", operation, name);
    if (isTooLong(name)) throw fail("ENAMETOOLONG", operation, name);
    if (directory.isRemoved) throw fail("ENOENT", operation, name);
  }

  makeFile(directory: DirectoryInode, name: string, mode: number, owner: number): FileInode {
    this.checkFree(directory, name, "createFile");
    const file = new FileInode(this.facts(directory.volume, mode, owner));
    this.#add(directory, name, file);
    return file;
  }

  makeUnnamedFile(directory: DirectoryInode, mode: number, owner: number): FileInode {
    if (directory.isRemoved) throw fail("ENOENT", "createUnnamedFile");
    const file = new FileInode(this.facts(directory.volume, mode, owner));
    file.isUnnamed = true;
    return file;
  }

  makeDirectory(
    directory: DirectoryInode,
    name: string,
    mode: number,
    owner: number,
    volume: SimulatedVolume = directory.volume,
  ): DirectoryInode {
    this.checkFree(directory, name, "makeDirectory");
    const made = new DirectoryInode(this.facts(volume, mode, owner), directory);
    made.linkCount = 1;
    directory.linkCount += 1;
    this.#add(directory, name, made);
    return made;
  }

  makeSymlink(directory: DirectoryInode, name: string, target: string, owner: number): void {
    this.checkFree(directory, name, "symlink");
    const link = new LinkInode(this.facts(directory.volume, 0o777, owner), target);
    this.#add(directory, name, link);
  }

  makeFifo(directory: DirectoryInode, name: string, owner: number): void {
    this.checkFree(directory, name, "mkfifo");
    this.#add(directory, name, new FifoInode(this.facts(directory.volume, 0o644, owner)));
  }

  /** A second name. */
  link(inode: SimulatedInode, directory: DirectoryInode, name: string, operation: string): void {
    this.checkFree(directory, name, operation);
    if (inode.volume !== directory.volume) throw fail("EXDEV", operation, name);
    if (inode.kind === "directory") throw fail("EPERM", operation, name);
    const isUnnamed = inode.kind === "regular" && inode.isUnnamed;
    if (inode.linkCount === 0 && !isUnnamed) throw fail("ENOENT", operation, name);
    if (inode.kind === "regular") inode.isUnnamed = false;
    this.#add(directory, name, inode);
  }

  /** Never in another's place. */
  rename(from: DirectoryInode, fromName: string, to: DirectoryInode, toName: string): void {
    if (from.volume !== to.volume) throw fail("EXDEV", "rename", toName);
    const inode = this.lookup(from, fromName, "rename");
    this.checkFree(to, toName, "rename");
    // The kernel says EINVAL; the addon takes that for "cannot do this rename" and tries a link.
    if (inode.kind === "directory" && isBelow(to, inode)) throw fail("EPERM", "rename", toName);
    if (from === to) {
      this.changeNames(from, { removed: fromName, added: { name: toName, inode } });
      return;
    }
    this.changeNames(to, { added: { name: toName, inode } });
    this.changeNames(from, { removed: fromName });
    if (inode.kind === "directory") {
      inode.parent = to;
      from.linkCount -= 1;
      to.linkCount += 1;
    }
  }

  unlink(directory: DirectoryInode, name: string): void {
    const inode = this.lookup(directory, name, "unlink");
    if (inode.kind === "directory") throw fail("EISDIR", "unlink", name);
    this.changeNames(directory, { removed: name });
    inode.linkCount -= 1;
    this.release(inode);
  }

  /** Removes whatever stands there, with all below it. */
  removeTree(directory: DirectoryInode, name: string): void {
    const inode = this.lookup(directory, name, "remove");
    if (inode.kind !== "directory") {
      this.unlink(directory, name);
      return;
    }
    for (const inner of [...inode.entries.keys()]) this.removeTree(inode, inner);
    this.changeNames(directory, { removed: name });
    inode.isRemoved = true;
    inode.linkCount = 0;
    directory.linkCount -= 1;
    this.release(inode);
  }

  #add(directory: DirectoryInode, name: string, inode: SimulatedInode): void {
    this.changeNames(directory, { added: { name, inode } });
    inode.linkCount += 1;
  }
}

function isBelow(inner: DirectoryInode, outer: DirectoryInode): boolean {
  for (let at = inner; ; at = at.parent) {
    if (at === outer) return true;
    if (at.parent === at) return false;
  }
}

/** Whether `asked` bits (4 read, 2 write, 1 search) are granted. */
export function mayAccess(inode: SimulatedInode, { owner }: Credentials, asked: number): boolean {
  if (owner === 0) return true;
  const shift = inode.owner === owner ? 6 : inode.group === owner ? 3 : 0;
  return ((inode.mode >> shift) & asked) === asked;
}

export function checkAccess(
  inode: SimulatedInode,
  who: Credentials,
  asked: number,
  operation: string,
  path?: string,
): void {
  if (!mayAccess(inode, who, asked)) throw fail("EACCES", operation, path);
}

/** A single component, or `EINVAL`. One that is too long is met where it is looked up. */
export function checkName(name: string, operation: string): void {
  if (plainName.test(name) && name !== "." && name !== "..") return;
  // Refuses what has no bytes.
  pathToBytes(name);
  const isName = name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name);
  if (!isName) throw fail("EINVAL", operation, name);
}

function isTooLong(name: string): boolean {
  return !plainName.test(name) && pathToBytes(name).length > maxNameBytes;
}
