/**
 * Which of what is saved has to go.
 *
 * L1  What was saved last of a file goes only where nothing else can: ten undos of one file must
 *     not take from others the only copy that can be had back of them.
 * L2  What has a record with it, so both versions of an edit, goes after what has bytes alone: each
 *     undo saves bytes once more, and twenty of them must not push out what they go back and forth
 *     between.
 */
import { maxSavedAgeMs, maxSavedBytes, maxSavedFiles } from "./limits.ts";

/** What belongs together: the bytes, their note, and whatever else a resolution left. */
export interface SavedGroup {
  /** Of the record, and so of the file. */
  readonly id: string;
  readonly names: string[];
  sizeBytes: number;
  readonly savedMs: number;
}

function hasRecord({ names }: SavedGroup): boolean {
  return names.some((name) => /\.(?:fer|json)$/u.test(name));
}

/**
 * The groups to drop, in this order: what is too old; then, until the limits hold, the oldest of
 * those of whose file there is a later one, without a record and then with one; then the oldest.
 * Never the groups of the names `needed`.
 */
export function beyondLimits(
  groups: readonly SavedGroup[],
  needed: readonly string[],
  nowMs: number,
): SavedGroup[] {
  const oldestFirst = [...groups].sort((one, other) => one.savedMs - other.savedMs);
  const isNeeded = ({ names }: SavedGroup): boolean => needed.some((one) => names.includes(one));
  const isOld = (group: SavedGroup): boolean =>
    nowMs - group.savedMs > maxSavedAgeMs && !isNeeded(group);
  const left = oldestFirst.filter((group) => !isOld(group));
  const hasLater = (group: SavedGroup): boolean =>
    left.slice(left.indexOf(group) + 1).some(({ id }) => id === group.id);
  const later = left
    .filter((group) => !isNeeded(group) && hasLater(group))
    .sort((one, other) => Number(hasRecord(one)) - Number(hasRecord(other)));
  const last = left.filter((group) => !isNeeded(group) && !hasLater(group));
  const dropped = oldestFirst.filter(isOld);
  let files = left.length;
  let bytes = left.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const group of [...later, ...last]) {
    if (files <= maxSavedFiles && bytes <= maxSavedBytes) break;
    dropped.push(group);
    files -= 1;
    bytes -= group.sizeBytes;
  }
  return dropped;
}
