/**
 * A move into `saved/` that a power loss cut. The record was decided about, and its file synced,
 * before the move began; each of the two directories may have reached the disk without the other.
 *
 * A4  What has its second name in `saved/` is put aside: at its old one it stands in nobody's way.
 */

import { parseSavedName } from "./file-names.ts";
import { isSameEntry } from "./journal-directory.ts";
import type { Store } from "./store.ts";

/** Whether the record at `name` is in `saved/` as well, and nowhere else. */
export async function isPutAside(store: Store, name: string, stem: string): Promise<boolean> {
  const status = await store.directory.entryStatus(name);
  if (status?.linkCount !== 2) return false;
  const directory = await store.names.findSaved(store.directory);
  if (directory === undefined) return false;
  try {
    for (const other of await directory.list()) {
      if (parseSavedName(other)?.id !== stem) continue;
      const there = await directory.entryStatus(other);
      if (there !== undefined && isSameEntry(there, status)) return true;
    }
    return false;
  } finally {
    await directory.close();
  }
}
