/**
 * Owner and permission bits as the port tells them, from a security descriptor of Windows. Pure.
 *
 * Windows has no permission bits. The owner's are told by the addon, from the read-only attribute;
 * those of all others are what the access list gives to whom the judge (privacy.ts) does not trust,
 * once for the group and once for others, since no group is meant. So what is private to its user
 * has mode 0700 or 0600, and only that.
 *
 * O1  A file that the judge does not call private has a bit for others, whatever it may be.
 */
import type { FileKind } from "../os.ts";
import { mapGeneric } from "./access-rights.ts";
import { judgePrivacy, type WindowsUser } from "./privacy.ts";
import {
  type AccessEntry,
  accessListDigest,
  decodeSecurityDescriptor,
  type Problem,
  type SecurityDescriptor,
} from "./security-descriptor.ts";

/** What of a file's status depends on who may do what. */
export interface Ownership {
  /** SID; empty if it is not known. */
  readonly owner: string;
  readonly group: string;
  /** Permission bits. */
  readonly mode: number;
  /** Digest of the access list; `null`: there is none beside the mode. */
  readonly accessList: string | null;
}

const all = 7;
/** FILE_READ_DATA or FILE_READ_EA. */
const reads = 0x1 | 0x8;
/** Everything that changes the file, what is in a directory, or who has access. */
const writes = 0x2 | 0x4 | 0x10 | 0x40 | 0x100 | 0x1_0000 | 0x4_0000 | 0x8_0000;
/** FILE_EXECUTE, which is FILE_TRAVERSE of a directory. */
const passes = 0x20;

/**
 * @param bytes the self-relative security descriptor.
 * @param user SID of the user of this process.
 * @param ownMode bits of the owner.
 */
export function ownershipFrom(
  bytes: Uint8Array,
  user: string,
  kind: FileKind,
  ownMode: number,
): Ownership {
  const descriptor = decodeSecurityDescriptor(bytes);
  const others = bitsOfOthers(descriptor, { sid: user, isElevated: false }, kind);
  const mode = ownMode | (others << 3) | others;
  if ("problem" in descriptor) return { owner: "", group: "", mode, accessList: null };
  const { owner = "", group = "" } = descriptor;
  return { owner, group, mode, accessList: accessListDigest(descriptor) };
}

/** Exported for the tests. The owner is not judged here: it is a part of the status of its own. */
export function bitsOfOthers(
  descriptor: SecurityDescriptor | Problem,
  user: WindowsUser,
  kind: FileKind,
): number {
  if ("problem" in descriptor || descriptor.entries === null) return all;
  const judgedAs = kind === "directory" ? "directory" : "file";
  const isHarmless = (entries: readonly AccessEntry[]): boolean =>
    judgePrivacy({ ...descriptor, owner: user.sid, entries }, user, judgedAs).isPrivate;
  const { entries } = descriptor;
  if (isHarmless(entries)) return 0;
  const open = entries.filter((entry) => !isHarmless([entry]));
  const bits = open.reduce((found, { mask }) => found | bitsOf(mask), 0);
  // O1
  return bits === 0 ? all : bits;
}

function bitsOf(mask: number): number {
  const mapped = mapGeneric(mask);
  return (
    ((mapped & reads) === 0 ? 0 : 4) |
    ((mapped & writes) === 0 ? 0 : 2) |
    ((mapped & passes) === 0 ? 0 : 1)
  );
}
