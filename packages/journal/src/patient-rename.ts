/**
 * A rename in the store that is tried again for a moment.
 *
 * Windows refuses to rename a file that somebody has open, and virus scanners and indexers open
 * every new file for a moment. The store's own files only: a user's file is never renamed.
 */
import { hasCode, type Os } from "@fe/native";

/** How Windows answers then, by the codes of Node. */
const passing = ["EPERM", "EACCES", "EBUSY"] as const;

/** Scanners take some ms for a file. A third of a second in all, then it is no scanner; a guess. */
const pausesMs: readonly number[] = [10, 20, 40, 80, 160];

/** Makes a rename, again after a pause if it was refused; at last the error is thrown. */
export async function renamePatiently(
  os: Pick<Os, "sleep">,
  rename: () => Promise<void>,
): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      return await rename();
    } catch (error) {
      if (!hasCode(error, ...passing)) throw error;
      await os.sleep(pauseMs);
    }
  }
  await rename();
}
