/**
 * What the contract suite needs beside an `Os`: a place of its own, arranged from outside the port.
 */
import type { Os, OsError, StoreDirectory, StoreFile } from "../lib/index.ts";
import { OsError as OsErrorClass } from "../lib/index.ts";

/** What only some systems have. */
export interface WorldFacts {
  /** Files have permission bits. Without, one is private to its user (0700, 0600) or not. */
  readonly modes: boolean;
  /** Symbolic links can be made. */
  readonly symlinks: boolean;
  /** An exclusion makes readers wait, too; else it refuses writers alone, and at once. */
  readonly keepsReadersOut: boolean;
  /** A name is bytes, whatever they are. */
  readonly byteNames: boolean;
}

/** Paths are below `root`, in the text form of the port; `/` separates on every system. */
export interface World {
  readonly os: Os;
  /** Real path of an empty directory of mode 0o700. */
  readonly root: string;
  readonly has: WorldFacts;
  writeFile(path: string, content: string | Uint8Array, mode?: number): Promise<void>;
  readFile(path: string): Promise<Buffer>;
  makeDirectory(path: string, mode?: number): Promise<void>;
  /** Only if `has.symlinks`. */
  makeSymlink(target: string, path: string): Promise<void>;
  makeHardLink(existing: string, path: string): Promise<void>;
  /** `undefined`: this world has none. */
  readonly makeFifo: ((path: string) => Promise<void>) | undefined;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  /** Takes all of it away; called once. */
  dispose(): Promise<void>;
}

export type MakeWorld = () => Promise<World>;

/** The error that `promise` ends with. Anything but an `OsError` fails the test. */
export async function osErrorOf(promise: Promise<unknown>): Promise<OsError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof OsErrorClass) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

/** Code of the `OsError` that `promise` ends with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await osErrorOf(promise)).code;
}

/** The first 100 bytes. */
export async function contentOf(file: StoreFile): Promise<string> {
  const buffer = Buffer.alloc(100);
  return buffer.toString("utf8", 0, await file.read(buffer, 0));
}

/** What the port calls `relative` below the root. */
export function realPathIn({ os, root }: World, relative: string): string {
  return relative.split("/").reduce((path, name) => os.paths.join(path, name), root);
}

/** The directory that is its own parent. */
export function systemRoot({ os, root }: World): string {
  let path = root;
  while (os.paths.parentOf(path) !== path) path = os.paths.parentOf(path);
  return path;
}

/** Where no symbolic link can be made. */
export const noSymlinks = "no symbolic links can be made here";

/** The root of the world, as a directory of the store. */
export async function openStore({ os, root }: World): Promise<StoreDirectory> {
  return os.openStoreDirectory(root);
}
