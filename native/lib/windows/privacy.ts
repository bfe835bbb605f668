/**
 * Whether a file or directory on Windows is private to its user, judged from its owner and access
 * list alone. Pure; the counterpart of owner and mode on POSIX (S32).
 *
 * Private: nobody but the user, the system and administrators can see what it holds, change it, or
 * change who can. These two see and change everything anyway, so entries for them, inherited or
 * not, take nothing away.
 *
 * J1  What is not understood is not private: an unknown type of entry, an alias without a SID, a
 *     descriptor that does not parse, an owner that is not told.
 * J2  An entry that denies is passed over. It could only make a bad list look good: whether it
 *     covers an account depends on groups that are not known here, and on the order of the list. So
 *     the order of entries never matters either.
 * J3  An entry that is for later only (inherit-only) counts as one that is for now: files made in
 *     the directory will have it.
 * J4  An entry that applies in some cases only (a condition, an object type) counts as one that
 *     always does.
 * J5  CREATOR OWNER stands for whoever makes a file in the directory, and only those who may are
 *     trusted already; OWNER RIGHTS for the owner, who is judged by itself. CREATOR GROUP stands
 *     for a whole group and is a stranger.
 *
 * What the C++ side delivers is said in security-descriptor.ts; beside it the SID of the token's
 * user (`TokenUser`) and whether the token is elevated (`TokenElevation`).
 */
import { describeRights, isHarmless } from "./access-rights.ts";
import {
  type AccessEntry,
  effectOf,
  entryFlags,
  type Problem,
  type SecurityDescriptor,
} from "./security-descriptor.ts";
import { describeSid, isAccountSid, wellKnown } from "./sid.ts";

/** Who edits. */
export interface WindowsUser {
  /** SID of the account, as text. */
  readonly sid: string;
  /** Whether the process runs with the full rights of an administrator. */
  readonly isElevated: boolean;
}

/** The verdict; each reason is half a sentence for people: `Users (S-1-5-32-545) may read`. */
export type PrivacyVerdict =
  | { readonly isPrivate: true }
  | { readonly isPrivate: false; readonly reasons: readonly string[] };

/** Everybody whose access is no loss of privacy. */
const trusted: ReadonlySet<string> = new Set([wellKnown.system, wellKnown.administrators]);
/** See J5. */
const standIns: ReadonlySet<string> = new Set([wellKnown.creatorOwner, wellKnown.ownerRights]);

/**
 * Judges. Pure: on every system alike, and never throws. Who may reach a file is read from owner
 * and access list (docs/platforms.md, "Who has access"); Windows' own check of access is not asked,
 * so a verdict can be too strict. Tested on descriptors that were recorded from real systems.
 *
 * @param descriptor what the file has, or why that is not known.
 * @param kind of a directory, the right to pass through it is nothing; of a file, it is to run it.
 */
// The rules are J1 to J5 above; what was recorded is in test/recorded-descriptors.ts.
export function judgePrivacy(
  descriptor: SecurityDescriptor | Problem,
  user: WindowsUser,
  kind: "directory" | "file" = "directory",
): PrivacyVerdict {
  if ("problem" in descriptor) return notPrivate(`cannot be judged: ${descriptor.problem}`);
  // A group in its place would make all its members trusted.
  if (!isAccountSid(user.sid)) {
    return notPrivate(`cannot be judged: "${user.sid}" is no account that can own files`);
  }
  const { owner, entries } = descriptor;
  const reasons: string[] = [];
  if (owner === undefined) reasons.push("has an owner that is not known");
  // The owner may change the access list, whatever it says.
  else if (owner !== user.sid && !trusted.has(owner)) reasons.push(`belongs to ${nameOf(owner)}`);
  if (entries === null) {
    reasons.push("has no access list, so everybody has every right");
  } else {
    for (const entry of entries) {
      const reason = objection(entry, user, kind);
      if (reason !== undefined) reasons.push(reason);
    }
  }
  return reasons.length === 0 ? { isPrivate: true } : notPrivate(...reasons);
}

/**
 * Whether a file counts as made by this user. Beside the user, that is the group of administrators
 * for an elevated process: on some systems Windows makes it the owner of what such a process makes.
 */
export function isOwnedBy(owner: string, user: WindowsUser): boolean {
  if (!isAccountSid(user.sid)) return false;
  return owner === user.sid || (user.isElevated && owner === wellKnown.administrators);
}

function notPrivate(...reasons: string[]): PrivacyVerdict {
  return { isPrivate: false, reasons };
}

function nameOf(sid: string | undefined): string {
  return sid === undefined ? "An account without a SID" : describeSid(sid);
}

/** Why an entry takes privacy away; `undefined` if it does not. */
function objection(
  entry: AccessEntry,
  user: WindowsUser,
  kind: "directory" | "file",
): string | undefined {
  const effect = effectOf(entry);
  if (effect === "denies") return undefined;
  const { type, sid, mask, flags } = entry;
  if (effect === "other") return `has an entry of the unknown type ${type}`;
  if (sid === user.sid) return undefined;
  if (sid !== undefined && (trusted.has(sid) || standIns.has(sid))) return undefined;
  if (isHarmless(mask, kind)) return undefined;
  const where = (flags & entryFlags.inheritOnly) === 0 ? "" : " what is made in it";
  return `${nameOf(sid)} may ${describeRights(mask)}${where}`;
}
