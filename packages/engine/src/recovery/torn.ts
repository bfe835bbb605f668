/**
 * Whether a file holds nothing but what an interrupted writing of ours leaves of its two versions.
 *
 * From the order of writing (docs/protocol.md section 5.1): each byte is written to its own place
 * in the new version, ascending, and the length is set last. So after a kill the file is the
 * beginning of one version and the rest of the other, each byte where it belongs; after a power
 * loss (A1) any mixture of them. What a person changes is not of that form.
 *
 * Not covered: zeros in place of bytes that a power loss took, and an end that it cut off. These
 * cannot be told from somebody's doing.
 */
// transaction/mutate.ts keeps that order.

/**
 * `true` if `current` is neither version, no shorter than the shorter one and no longer than the
 * longer one, and each of its bytes is that of one of them at the same place.
 */
export function isTorn(before: Uint8Array, after: Uint8Array, current: Uint8Array): boolean {
  const { length } = current;
  if (length < Math.min(before.length, after.length)) return false;
  if (length > Math.max(before.length, after.length)) return false;
  let isBefore = length === before.length;
  let isAfter = length === after.length;
  for (let index = 0; index < length; index++) {
    const byte = current[index];
    const wasBefore = byte === before[index];
    const wasAfter = byte === after[index];
    if (!wasBefore && !wasAfter) return false;
    isBefore &&= wasBefore;
    isAfter &&= wasAfter;
  }
  return !isBefore && !isAfter;
}
