/**
 * Reads what the addon says of a file: numbers in words that it fills, texts as its answer.
 *
 * The places are those of src/js_status.h. A word is read before the next call, and every call ends
 * before another begins, so all of a thread share the same words.
 */
import { createHash } from "node:crypto";
import type { StatusTexts } from "./binding.ts";
import type {
  EntryStatus,
  FileIdentity,
  FileKind,
  FileStatus,
  FilesystemFacts,
  ObjectStatus,
} from "./os.ts";

/** Words for one status. */
export interface StatusWords {
  readonly unsigned: BigUint64Array;
  /** The same words. */
  readonly signed: BigInt64Array;
}

const wordCount = 14;

export function makeStatusWords(): StatusWords {
  const unsigned = new BigUint64Array(wordCount);
  return { unsigned, signed: new BigInt64Array(unsigned.buffer) };
}

/** For a status, or that of a parent. */
export const words: StatusWords = makeStatusWords();
/** For that of a target, where both come from one call. */
export const targetWords: StatusWords = makeStatusWords();

/** In the order of the enumerations of src/os.h. */
const kinds: readonly FileKind[] = [
  "regular",
  "directory",
  "symlink",
  "fifo",
  "socket",
  "block-device",
  "character-device",
  "unknown",
];
const classes: readonly FilesystemFacts["class"][] = ["local", "network", "fuse", "pseudo"];

export function entryStatus(owner: string, from: StatusWords): EntryStatus {
  const { unsigned } = from;
  return {
    kind: kinds[Number(unsigned[0])] ?? "unknown",
    device: unsigned[1] ?? 0n,
    file: unsigned[2] ?? 0n,
    sizeBytes: Number(unsigned[3]),
    linkCount: Number(unsigned[4]),
    mode: Number(unsigned[5]),
    owner,
    modifiedNs: from.signed[6] ?? 0n,
  };
}

/**
 * `volume`: the id that an earlier handle of the same object gave, which holds for this one too. On
 * xfs asking a second time, without the parent at hand, could give another answer.
 */
export function fileStatus(texts: StatusTexts, from: StatusWords, volume?: bigint): FileStatus {
  const [owner, group, , , accessLists = [], capabilities = null] = texts;
  const status = objectStatus(texts, from, volume);
  // Each member by name: after a spread V8 adds further members by its slowest way.
  return {
    kind: status.kind,
    device: status.device,
    file: status.file,
    sizeBytes: status.sizeBytes,
    linkCount: status.linkCount,
    mode: status.mode,
    owner,
    modifiedNs: status.modifiedNs,
    identity: status.identity,
    filesystem: status.filesystem,
    permission: {
      mode: status.mode,
      owner,
      group,
      accessList: accessListDigest(accessLists),
      capabilities: capabilities === null ? null : sha256(capabilities),
    },
  };
}

/** The same without the permission. */
export function objectStatus(texts: StatusTexts, from: StatusWords, volume?: bigint): ObjectStatus {
  const { unsigned } = from;
  const [owner, , handle, type] = texts;
  const entry = entryStatus(owner, from);
  return {
    kind: entry.kind,
    device: entry.device,
    file: entry.file,
    sizeBytes: entry.sizeBytes,
    linkCount: entry.linkCount,
    mode: entry.mode,
    owner,
    modifiedNs: entry.modifiedNs,
    identity: identity(handle, from, volume ?? volumeOf(unsigned)),
    filesystem: { type, class: classes[Number(unsigned[9])] ?? "local" },
  };
}

function volumeOf(unsigned: BigUint64Array): bigint {
  const low = unsigned[7] ?? 0n;
  const high = unsigned[8] ?? 0n;
  return high === 0n ? low : (high << 64n) | low;
}

function identity(handle: string, from: StatusWords, volume: bigint): FileIdentity {
  const { unsigned, signed } = from;
  const made: { -readonly [Part in keyof FileIdentity]: FileIdentity[Part] } = {
    volume,
    file: unsigned[2] ?? 0n,
    device: unsigned[1] ?? 0n,
  };
  if (unsigned[10] !== 0n) made.birthTimeNs = signed[11] ?? 0n;
  if (unsigned[12] !== 0n) made.generation = unsigned[13] ?? 0n;
  if (handle !== "") made.handle = handle;
  return made;
}

/** Each list enters with its name and length, so that no two sets have the same digest. */
function accessListDigest(lists: readonly (readonly [string, Buffer])[]): string | null {
  if (lists.length === 0) return null;
  return sha256(...lists.flatMap(([name, bytes]) => [`${name}:${bytes.length}:`, bytes]));
}

/** SHA-256 in hex. */
export function sha256(...parts: (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
