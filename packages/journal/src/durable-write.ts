/**
 * The one order in which a file of the store comes to be: created without a name, written, locked,
 * synced, published under its name, directory synced. So what stands at a name is complete and
 * durable, and a process that dies before leaves nothing behind.
 *
 * Where there are no unnamed files: a temporary name, and a rename that never replaces, so that a
 * file never has two names. What a killed process leaves there is removed by the next holder of its
 * key.
 *
 * A1  The content is durable once the file is synced; A2 its name, once the directory is.
 */
import { hasCode, type Os, OsError, type StoreDirectory, type StoreFile } from "@fe/native";
import { withSuppressed } from "./errors.ts";
import { renamePatiently } from "./patient-rename.ts";
import { syncNames, syncNamesFailure } from "./sync-names.ts";

/** Mode of every file of the store: it may hold anything that the target holds. */
export const privateFileMode = 0o600;

/** Writes all of `buffer`, however short the single writings are. */
export async function writeAll(
  file: StoreFile,
  buffer: Uint8Array,
  positionBytes: number,
): Promise<void> {
  let done = 0;
  while (done < buffer.length) {
    const count = await file.write(buffer.subarray(done), positionBytes + done);
    // A writing that neither fails nor advances would go on for ever.
    if (count <= 0) throw new OsError("EIO", "write", { message: "no byte was written" });
    done += count;
  }
}

/** What is to be made durable, and under which name. */
export interface DurableWrite<Content> {
  readonly os: Pick<Os, "sleep">;
  readonly directory: StoreDirectory;
  readonly name: string;
  /** Used only where there are no unnamed files. */
  readonly temporaryName: string;
  /** Whether the lock of the file is to be held before anybody can see it. */
  readonly lock: boolean;
  /** Asked last, when the file stands at its name: an error takes it away again. */
  readonly confirm?: () => Promise<void>;
  /** Writes the content into the new file. */
  fill(file: StoreFile): Promise<Content>;
}

/**
 * Makes a file durable under its name, and returns it open.
 *
 * Errors: `OsError` `EEXIST` if the name is taken; `NamesNotDurableError`; whatever `fill` throws.
 * After any of them there is neither the name nor the file.
 */
export async function writeDurably<Content>(
  write: DurableWrite<Content>,
): Promise<{ readonly file: StoreFile; readonly content: Content }> {
  const { os, directory, name, temporaryName } = write;
  const { file, isUnnamed } = await createUnpublished(directory, temporaryName);
  // The name that has to go if anything fails from here on.
  let nameToRemove = isUnnamed ? undefined : temporaryName;
  try {
    const content = await write.fill(file);
    if (write.lock && !(await file.tryLock())) {
      throw new OsError("EAGAIN", "flock", { message: "a file that nobody knows is locked" });
    }
    if (isUnnamed) {
      const { hasName, error } = await directory.publishUnnamedFile(file, name);
      if (hasName) nameToRemove = name;
      // With the name there, it is the sync of the directory that failed.
      if (error !== undefined) throw hasName ? syncNamesFailure(error) : error;
    } else {
      // Without this sync the name could outlive a power loss and lead to an empty or a torn file.
      await file.sync();
      await renamePatiently(os, () => directory.rename(temporaryName, name));
      nameToRemove = name;
      // Without this sync the name could be gone after a power loss, and the content with it.
      await syncNames(directory);
    }
    await write.confirm?.();
    return { file, content };
  } catch (error) {
    throw await discard(directory, file, nameToRemove, error);
  }
}

async function createUnpublished(
  directory: StoreDirectory,
  temporaryName: string,
): Promise<{ file: StoreFile; isUnnamed: boolean }> {
  try {
    return { file: await directory.createUnnamedFile(privateFileMode), isUnnamed: true };
  } catch (error) {
    if (!hasCode(error, "EOPNOTSUPP")) throw error;
  }
  const file = await directory.createFile(temporaryName, privateFileMode);
  return { file, isUnnamed: false };
}

/** Unlinks before it closes, so that the lock is held as long as the name can be seen. */
async function discard(
  directory: StoreDirectory,
  file: StoreFile,
  name: string | undefined,
  error: unknown,
): Promise<unknown> {
  let result = error;
  if (name !== undefined) {
    try {
      await directory.unlink(name);
    } catch (second) {
      result = withSuppressed(result, second);
    }
  }
  try {
    await file.close();
  } catch (second) {
    result = withSuppressed(result, second);
  }
  return result;
}
