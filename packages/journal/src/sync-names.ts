/** The sync of a directory, for names that must outlive a power loss. */
import { hasCode, type StoreDirectory } from "@fe/native";
import { NamesNotDurableError } from "./errors.ts";

/** Whether a sync of a directory is unknown there, as on some network filesystems. */
export function knowsNoSync(error: unknown): boolean {
  return hasCode(error, "EINVAL", "ENOSYS", "EOPNOTSUPP");
}

/**
 * Makes names durable (A2). Errors: `NamesNotDurableError` where the filesystem cannot; `OsError`.
 */
export async function syncNames(directory: StoreDirectory): Promise<void> {
  try {
    await directory.sync();
  } catch (error) {
    throw syncNamesFailure(error);
  }
}

/** What a sync of a directory failed with, told by what it means. */
export function syncNamesFailure(error: unknown): unknown {
  return knowsNoSync(error) ? new NamesNotDurableError({ cause: error }) : error;
}
