/**
 * Both versions of a small file: the after-image put together once, and their sums. What both begin
 * with is hashed once.
 */
import { createHash, type Hash, hash } from "node:crypto";
import { afterInMemory, afterSizeBytes, type Splice } from "@fe/journal";
import { defaultSizes, type LocateSizes } from "./limits.ts";
import type { WorkMeter } from "./work-meter.ts";

/** The after-image, where it stands in memory. */
export interface AfterInMemory {
  readonly bytes: Uint8Array;
  /** SHA-256, in hex. */
  readonly sha256: string;
}

export interface SmallImages {
  /** SHA-256, in hex. */
  readonly beforeSum: string;
  /** `undefined`: nothing changes, or it is too large. */
  readonly after: AfterInMemory | undefined;
}

/** To copy the state of a sum takes as long as hashing some KiB. */
const sharedFromBytes = 64 * 1024;
const { chunkBytes } = defaultSizes;
/** To put a splice in its place takes as long as looking at so many bytes. */
const spliceCost = 128;

/** Errors: the signal's reason. */
export async function smallImages(
  before: Uint8Array,
  splices: readonly Splice[],
  sizes: LocateSizes,
  meter: WorkMeter,
): Promise<SmallImages> {
  const [first] = splices;
  const sizeBytes = afterSizeBytes(before.length, splices);
  if (first === undefined || sizeBytes > sizes.bufferedBytes) {
    return { beforeSum: await sumOf(before, meter), after: undefined };
  }
  const breathe = async (count: number): Promise<void> => meter.spend(count * spliceCost);
  const after = await afterInMemory(before, splices, sizeBytes, breathe);
  const shared = first.offsetBytes;
  if (shared < sharedFromBytes) {
    const sha256 = await sumOf(after, meter);
    return { beforeSum: await sumOf(before, meter), after: { bytes: after, sha256 } };
  }
  const sum = createHash("sha256");
  await feed(sum, before.subarray(0, shared), meter);
  const other = sum.copy();
  await feed(sum, before.subarray(shared), meter);
  await feed(other, after.subarray(shared), meter);
  return {
    beforeSum: sum.digest("hex"),
    after: { bytes: after, sha256: other.digest("hex") },
  };
}

async function sumOf(bytes: Uint8Array, meter: WorkMeter): Promise<string> {
  // Without an object in between, which takes as long as a small file.
  if (bytes.length < sharedFromBytes) return hash("sha256", bytes, "hex");
  const sum = createHash("sha256");
  await feed(sum, bytes, meter);
  return sum.digest("hex");
}

async function feed(sum: Hash, bytes: Uint8Array, meter: WorkMeter): Promise<void> {
  for (let done = 0; done < bytes.length; done += chunkBytes) {
    const piece = bytes.subarray(done, done + chunkBytes);
    sum.update(piece);
    const pending = meter.spend(piece.length);
    if (pending !== undefined) await pending;
  }
}
