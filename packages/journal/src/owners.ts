/**
 * Whose directories the store may stand in. Pure. An owner is a decimal uid, or a SID on Windows,
 * so one list serves all systems.
 */

/** SYSTEM and the group of administrators: to them belong the folders of a profile on Windows. */
const windowsSuperusers: readonly string[] = ["S-1-5-18", "S-1-5-32-544"];
/** Those who can do everything anyway. */
const superusers: ReadonlySet<string> = new Set(["0", ...windowsSuperusers]);

/** D2: whether a directory of this owner is as good as one of our own. */
export function isTrustedOwner(owner: string, own: string): boolean {
  return owner === own || superusers.has(owner);
}

/**
 * D3: whether something of ours may be made in a directory of this owner. Not in one of uid 0,
 * since a home directory on POSIX is one's own; on Windows that of a profile need not be.
 */
export function mayMakeBelow(owner: string, own: string): boolean {
  return owner === own || windowsSuperusers.includes(owner);
}
