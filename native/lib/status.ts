/**
 * Reads what the addon says of a file: numbers in words that it fills, texts as its answer.
 *
 * The places are those of src/js_status.h. A word is read before the next call, and every call ends
 * before another begins, so all of a thread share the same words.
 */
import { createHash } from "node:crypto";
import type { Addon, RawOwner, StatusTexts } from "./binding.ts";
import type {
  EntryStatus,
  FileIdentity,
  FileKind,
  FileStatus,
  FilesystemFacts,
  ObjectStatus,
} from "./os.ts";
import { type Ownership, ownershipFrom } from "./windows/ownership.ts";

/** Words for one status. */
export interface StatusWords {
  readonly unsigned: BigUint64Array;
  /** The same words. */
  readonly signed: BigInt64Array;
}

const wordCount = 15;

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

/** What of a status depends on how the system tells who may do what. */
function ownershipOf(addon: Addon, owner: RawOwner, group: string, from: StatusWords): Ownership {
  const kind = kindOf(from);
  const mode = Number(from.unsigned[5]);
  if (typeof owner === "string") return { owner, group, mode, accessList: null };
  return ownershipFrom(owner, addon.effectiveOwner(), kind, mode);
}

function kindOf({ unsigned }: StatusWords): FileKind {
  return kinds[Number(unsigned[0])] ?? "unknown";
}

function entryFrom({ owner, mode }: Ownership, from: StatusWords): EntryStatus {
  const { unsigned } = from;
  return {
    kind: kindOf(from),
    device: unsigned[1] ?? 0n,
    file: wide(unsigned[7], unsigned[2]),
    sizeBytes: Number(unsigned[3]),
    linkCount: Number(unsigned[4]),
    mode,
    owner,
    modifiedNs: from.signed[6] ?? 0n,
  };
}

export function entryStatus(addon: Addon, owner: RawOwner, from: StatusWords): EntryStatus {
  return entryFrom(ownershipOf(addon, owner, "", from), from);
}

/**
 * `volume`: the id that an earlier handle of the same object gave, which holds for this one too. On
 * xfs asking a second time, without the parent at hand, could give another answer.
 */
export function fileStatus(
  addon: Addon,
  texts: StatusTexts,
  from: StatusWords,
  volume?: bigint,
): FileStatus {
  const [owner, group, , , accessLists = [], capabilities = null] = texts;
  const ownership = ownershipOf(addon, owner, group, from);
  const status = objectFrom(ownership, texts, from, volume);
  // Each member by name: after a spread V8 adds further members by its slowest way.
  return {
    kind: status.kind,
    device: status.device,
    file: status.file,
    sizeBytes: status.sizeBytes,
    linkCount: status.linkCount,
    mode: status.mode,
    owner: status.owner,
    modifiedNs: status.modifiedNs,
    identity: status.identity,
    filesystem: status.filesystem,
    permission: {
      mode: status.mode,
      owner: status.owner,
      group: ownership.group,
      accessList: ownership.accessList ?? accessListDigest(accessLists),
      capabilities: capabilities === null ? null : sha256(capabilities),
    },
  };
}

/** The same without the permission. */
export function objectStatus(
  addon: Addon,
  texts: StatusTexts,
  from: StatusWords,
  volume?: bigint,
): ObjectStatus {
  return objectFrom(ownershipOf(addon, texts[0], texts[1], from), texts, from, volume);
}

function objectFrom(
  ownership: Ownership,
  texts: StatusTexts,
  from: StatusWords,
  volume: bigint | undefined,
): ObjectStatus {
  const { unsigned } = from;
  const [, , handle, type] = texts;
  const entry = entryFrom(ownership, from);
  return {
    kind: entry.kind,
    device: entry.device,
    file: entry.file,
    sizeBytes: entry.sizeBytes,
    linkCount: entry.linkCount,
    mode: entry.mode,
    owner: entry.owner,
    modifiedNs: entry.modifiedNs,
    identity: identity(handle, entry.file, from, volume ?? wide(unsigned[9], unsigned[8])),
    filesystem: { type, class: classes[Number(unsigned[10])] ?? "local" },
  };
}

function wide(high: bigint = 0n, low: bigint = 0n): bigint {
  return high === 0n ? low : (high << 64n) | low;
}

function identity(
  handle: string,
  file: bigint,
  { unsigned, signed }: StatusWords,
  volume: bigint,
): FileIdentity {
  const made: { -readonly [Part in keyof FileIdentity]: FileIdentity[Part] } = {
    volume,
    file,
    device: unsigned[1] ?? 0n,
  };
  if (unsigned[11] !== 0n) made.birthTimeNs = signed[12] ?? 0n;
  if (unsigned[13] !== 0n) made.generation = unsigned[14] ?? 0n;
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
