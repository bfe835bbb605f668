/**
 * Counting one byte value. To call the built-in search for each is several times as fast as a loop
 * if they are rare, and many times slower if they are not; so a sample decides, block by block.
 */

/**
 * From this many bytes to each on, the built-in search is the faster way. Measured with Node 20.
 */
const rareBytes = 16;
const sampleBytes = 1024;

/** What one sample decides about: small, so that a wrong decision costs little. */
export const blockBytes: number = 64 * 1024;

/** Whether `byte` is rare enough in `block` for the built-in search. */
export function isRare(block: Uint8Array, byte: number): boolean {
  const sampled = Math.min(sampleBytes, block.length);
  let left = Math.floor(sampled / rareBytes);
  for (let at = block.indexOf(byte); at >= 0 && at < sampled; at = block.indexOf(byte, at + 1)) {
    if (left === 0) return false;
    left -= 1;
  }
  return true;
}

/** How often `byte` occurs. */
export function countByte(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let start = 0; start < bytes.length; start += blockBytes) {
    const block = bytes.subarray(start, start + blockBytes);
    if (isRare(block, byte)) {
      for (let at = block.indexOf(byte); at >= 0; at = block.indexOf(byte, at + 1)) count += 1;
    } else {
      count += countOneByOne(block, byte);
    }
  }
  return count;
}

function countOneByOne(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === byte) count += 1;
  return count;
}
