/**
 * Owner and access list of a file on Windows, read from the bytes that the system gives.
 *
 * Pure: no call of the system. The C++ side delivers **the self-relative security descriptor as it
 * stands**, from the open handle: `GetKernelObjectSecurity(handle, OWNER_SECURITY_INFORMATION |
 * GROUP_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, …)`. It decides nothing. So the same
 * bytes can be recorded anywhere and judged here (privacy.ts), and a change of any of them that
 * matters is a change of the digest.
 *
 * I1  Nothing here throws, whatever the bytes are: what is not understood is a {@link Problem},
 *     which the judge takes for "not private".
 *
 * Sources: [MS-DTYP] 2.4.6 (SECURITY_DESCRIPTOR), 2.4.5 (ACL), 2.4.4 (ACE).
 */
import { createHash } from "node:crypto";
import { sidFromBytes } from "./sid.ts";

/** One entry (ACE) of an access list. */
export interface AccessEntry {
  /** The type byte: 0 allows, 1 denies; all are in [MS-DTYP] 2.4.4.1. */
  readonly type: number;
  /**
   * The flags byte: 0x01 for files, 0x02 for directories that are made in it; 0x04 not further
   * down; 0x08 not for itself; 0x10 inherited ([MS-DTYP] 2.4.4.1).
   */
  readonly flags: number;
  /** Access rights, 32 bits, not negative. */
  readonly mask: number;
  /** Whom it is about; `undefined` if the type has none here, or the alias cannot be resolved. */
  readonly sid: string | undefined;
  /**
   * All that makes the entry apply in some cases only (object types, a condition): bytes in hex, or
   * the text of SDDL. Empty = it applies always.
   */
  readonly restriction: string;
}

/** Who owns a file on Windows, and who may do what with it. */
export interface SecurityDescriptor {
  /** SID as text; `undefined`: none is told, or only its machine knows whom an alias stands for. */
  readonly owner: string | undefined;
  /** The same. It gives nobody access. */
  readonly group: string | undefined;
  /** In the order of the list. `null`: there is no list, so everybody has every right. */
  readonly entries: readonly AccessEntry[] | null;
  /** Whether the list is kept from inheriting. */
  readonly isProtected: boolean;
}

/** Why something was not understood; one sentence without full stop. */
export interface Problem {
  readonly problem: string;
}

/** Bits of {@link AccessEntry.flags}. */
export const entryFlags = {
  objectInherit: 0x01,
  containerInherit: 0x02,
  noPropagate: 0x04,
  inheritOnly: 0x08,
  inherited: 0x10,
} as const;

/** Types that give access; those after the first only in some cases. */
const allowing: ReadonlySet<number> = new Set([0x00, 0x05, 0x09, 0x0b]);
const denying: ReadonlySet<number> = new Set([0x01, 0x06, 0x0a, 0x0c]);
/** Types whose SID stands behind up to two object types. */
const withObjectTypes: ReadonlySet<number> = new Set([0x05, 0x06, 0x0b, 0x0c]);

/** What an entry does; `other`: it has no place in an access list, or is not known. */
export function effectOf({ type }: AccessEntry): "allows" | "denies" | "other" {
  if (allowing.has(type)) return "allows";
  return denying.has(type) ? "denies" : "other";
}

const headerBytes = 20;
const listHeaderBytes = 8;
const entryHeaderBytes = 8;
const objectTypeBytes = 16;
const control = { daclPresent: 0x0004, daclProtected: 0x1000, selfRelative: 0x8000 } as const;

/**
 * Reads a self-relative security descriptor, as `GetKernelObjectSecurity` gives it. Bytes behind
 * its parts are passed over. Never throws: what is cut off or of another form is a
 * {@link Problem}.
 */
export function decodeSecurityDescriptor(bytes: Uint8Array): SecurityDescriptor | Problem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < headerBytes) return { problem: "the descriptor is cut off" };
  const bits = view.getUint16(2, true);
  if (view.getUint8(0) !== 1 || (bits & control.selfRelative) === 0) {
    return { problem: "the descriptor has an unknown form" };
  }
  const owner = sidAt(view, view.getUint32(4, true));
  const group = sidAt(view, view.getUint32(8, true));
  if (owner === null || group === null) return { problem: "owner or group is no SID" };
  const listAt = view.getUint32(16, true);
  const hasList = (bits & control.daclPresent) !== 0 && listAt !== 0;
  const entries = hasList ? decodeList(view, listAt) : null;
  if (entries !== null && "problem" in entries) return entries;
  const isProtected = (bits & control.daclProtected) !== 0;
  return { owner, group, entries, isProtected };
}

/** `undefined`: there is none. `null`: what stands there is none. */
function sidAt(view: DataView, at: number): string | undefined | null {
  return at === 0 ? undefined : (sidFromBytes(view, at)?.sid ?? null);
}

function decodeList(view: DataView, at: number): AccessEntry[] | Problem {
  const cutOff: Problem = { problem: "the access list is cut off" };
  if (at + listHeaderBytes > view.byteLength) return cutOff;
  const revision = view.getUint8(at);
  if (revision !== 2 && revision !== 4) return { problem: `access list of form ${revision}` };
  const end = at + view.getUint16(at + 2, true);
  const count = view.getUint16(at + 4, true);
  if (end > view.byteLength) return cutOff;
  const entries: AccessEntry[] = [];
  let place = at + listHeaderBytes;
  for (let i = 0; i < count; i++) {
    if (place + entryHeaderBytes > end) return cutOff;
    const sizeBytes = view.getUint16(place + 2, true);
    if (sizeBytes < entryHeaderBytes || place + sizeBytes > end) return cutOff;
    entries.push(decodeEntry(view, place, sizeBytes));
    place += sizeBytes;
  }
  return entries;
}

function decodeEntry(view: DataView, at: number, sizeBytes: number): AccessEntry {
  const entry = new DataView(view.buffer, view.byteOffset + at, sizeBytes);
  const type = entry.getUint8(0);
  const flags = entry.getUint8(1);
  const mask = entry.getUint32(4, true);
  let sidStart = entryHeaderBytes;
  if (withObjectTypes.has(type)) {
    // Which of the two object types are there.
    const present = entryHeaderBytes + 4 <= sizeBytes ? entry.getUint32(entryHeaderBytes, true) : 0;
    sidStart += 4 + objectTypeBytes * ((present & 1) + ((present >> 1) & 1));
  }
  const isKnown = allowing.has(type) || denying.has(type);
  const found = isKnown ? sidFromBytes(entry, sidStart) : undefined;
  const sidEnd = found === undefined ? sidStart : sidStart + found.sizeBytes;
  const restriction = hexOf(entry, entryHeaderBytes, sidStart) + hexOf(entry, sidEnd, sizeBytes);
  return { type, flags, mask, sid: found?.sid, restriction };
}

function hexOf(view: DataView, from: number, to: number): string {
  if (from >= to || from >= view.byteLength) return "";
  return Buffer.from(view.buffer, view.byteOffset + from, to - from).toString("hex");
}

/**
 * SHA-256 in hex of an access list, for the permission identity: equal if, and only if, every entry
 * is the same in the same order and both or neither are kept from inheriting. No list and an empty
 * list differ. The owner is a part of its own of that identity.
 *
 * How the system got to the list (the flags of automatic inheritance) does not enter: programs that
 * set the same list anew change it, and nobody's access.
 */
export function accessListDigest({ entries, isProtected }: SecurityDescriptor): string {
  const hash = createHash("sha256");
  hash.update(`fe-dacl:${isProtected ? "protected" : "inheriting"}:`);
  if (entries === null) return hash.update("none").digest("hex");
  hash.update(`${entries.length}`);
  for (const { type, flags, mask, sid, restriction } of entries) {
    hash.update(`\n${type} ${flags} ${mask} ${sid ?? "-"} ${restriction.length}:${restriction}`);
  }
  return hash.digest("hex");
}
