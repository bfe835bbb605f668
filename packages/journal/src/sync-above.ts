/** Making names durable that somebody else may have made, and not have lived to sync. */
import { hasCode, type Os, type StoreDirectory } from "@fe/native";
import { knowsNoSync } from "./sync-names.ts";

/**
 * Syncs the directories above `path`, upwards as long as they belong to `owner`: nothing is ever
 * made below a directory of somebody else, so no name of ours is in one. One that may not be read
 * ends it too.
 */
export async function syncAbove(os: Os, path: string, owner: string): Promise<void> {
  const parentPath = os.paths.parentOf(path);
  if (parentPath === path) return;
  let parent: StoreDirectory;
  try {
    parent = await os.openStoreDirectory(parentPath);
  } catch (error) {
    if (hasCode(error, "EACCES")) return;
    throw error;
  }
  try {
    if ((await parent.status()).owner !== owner) return;
    await parent.sync();
  } catch (error) {
    // Nothing can have been made there just now.
    if (!knowsNoSync(error) && !hasCode(error, "EROFS")) throw error;
  } finally {
    await parent.close();
  }
  await syncAbove(os, parentPath, owner);
}
