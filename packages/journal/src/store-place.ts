/**
 * Where the first edit would make the store, for a look: the nearest directory above it that is
 * there, and whether the store can be made below it. It asks what the first edit would run into,
 * and makes nothing.
 */
import { type FilesystemFacts, hasCode, type Os, OsError, type StoreDirectory } from "@fe/native";
import { StoreNotPrivateError } from "./errors.ts";
import { mayMakeBelow } from "./owners.ts";

/** The nearest directory that is there. */
export interface StorePlace {
  readonly path: string;
  readonly owner: string;
  readonly mode: number;
  readonly filesystem: FilesystemFacts;
  /** Why the store cannot be made below it: what the first edit would be refused with. */
  readonly refusal?: StoreNotPrivateError | OsError;
}

/** Errors: `OsError`, where the way up cannot be looked at. */
export async function findStorePlace(os: Os, storePath: string, own: string): Promise<StorePlace> {
  const { paths } = os;
  let missing = storePath;
  for (;;) {
    const path = paths.parentOf(missing);
    let directory: StoreDirectory;
    try {
      directory = await os.openStoreDirectory(path);
    } catch (error) {
      if (!hasCode(error, "ENOENT") || path === missing) throw error;
      missing = path;
      continue;
    }
    try {
      const { owner, mode, filesystem } = await directory.status();
      const place = { path, owner, mode, filesystem };
      const refusal = await whyNot(os, place, own, paths.nameOf(missing));
      return refusal === undefined ? place : { ...place, refusal };
    } finally {
      await directory.close();
    }
  }
}

async function whyNot(
  os: Os,
  { path, owner, filesystem }: StorePlace,
  own: string,
  name: string,
): Promise<StorePlace["refusal"]> {
  // The kernel makes up its names; a call that makes one is answered so.
  if (filesystem.class === "pseudo") return new OsError("ENOENT", "makeDirectory", { path });
  if (!mayMakeBelow(owner, own)) return notMadeBelow(path, owner, name);
  try {
    await os.checkWritable(path);
    return undefined;
  } catch (error) {
    if (error instanceof OsError) return error;
    throw error;
  }
}

/** D3. */
export function notMadeBelow(path: string, owner: string, name: string): StoreNotPrivateError {
  return new StoreNotPrivateError(
    path,
    `belongs to somebody else (${owner}), so "${name}" is not made in it`,
    `Make the directory "${name}" yourself, so that it is yours and private to you, or choose ` +
      "another user-data directory (`userDataDirectory`)",
  );
}
