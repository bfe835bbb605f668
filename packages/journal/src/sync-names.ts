/** The sync of a directory, for names that must outlive a power loss. */
import { hasCode, type StoreDirectory } from "@fe/native";
import { NamesNotDurableError } from "./errors.ts";

/** What systems answer that know no sync of a directory there, such as some network filesystems. */
const unknownThere = ["EINVAL", "ENOSYS", "EOPNOTSUPP", "ENOTSUP"] as const;

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
  return hasCode(error, ...unknownThere) ? new NamesNotDurableError({ cause: error }) : error;
}
