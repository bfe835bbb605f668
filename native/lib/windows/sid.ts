/**
 * Security identifiers (SIDs) of Windows as text, and what the well-known ones mean.
 *
 * Everything here is pure. A SID is text in the form that `ConvertSidToStringSidW` gives
 * (`S-1-5-32-544`); two are the same account or group if, and only if, their texts are equal, since
 * other spellings (leading zeros, hex) are refused.
 *
 * Sources: [MS-DTYP] 2.4.2 (SID), 2.4.2.4 (well-known SIDs), 2.5.1.1 (aliases in SDDL).
 */

/** The accounts and groups that the rules of privacy name. */
export const wellKnown = {
  creatorOwner: "S-1-3-0",
  ownerRights: "S-1-3-4",
  system: "S-1-5-18",
  administrators: "S-1-5-32-544",
} as const;

/** What SDDL calls SIDs that are the same on every machine. */
export const fixedAliases: ReadonlyMap<string, string> = new Map([
  ["AA", "S-1-5-32-579"],
  ["AC", "S-1-15-2-1"],
  ["AN", "S-1-5-7"],
  ["AO", "S-1-5-32-548"],
  ["AS", "S-1-18-1"],
  ["AU", "S-1-5-11"],
  ["BA", wellKnown.administrators],
  ["BG", "S-1-5-32-546"],
  ["BO", "S-1-5-32-551"],
  ["BU", "S-1-5-32-545"],
  ["CD", "S-1-5-32-574"],
  ["CG", "S-1-3-1"],
  ["CO", wellKnown.creatorOwner],
  ["CY", "S-1-5-32-569"],
  ["ED", "S-1-5-9"],
  ["ER", "S-1-5-32-573"],
  ["ES", "S-1-5-32-576"],
  ["HA", "S-1-5-32-578"],
  ["IS", "S-1-5-32-568"],
  ["IU", "S-1-5-4"],
  ["LS", "S-1-5-19"],
  ["LU", "S-1-5-32-559"],
  ["MS", "S-1-5-32-577"],
  ["MU", "S-1-5-32-558"],
  ["NO", "S-1-5-32-556"],
  ["NS", "S-1-5-20"],
  ["NU", "S-1-5-2"],
  ["OW", wellKnown.ownerRights],
  ["PO", "S-1-5-32-550"],
  ["PS", "S-1-5-10"],
  ["PU", "S-1-5-32-547"],
  ["RA", "S-1-5-32-575"],
  ["RC", "S-1-5-12"],
  ["RD", "S-1-5-32-555"],
  ["RE", "S-1-5-32-552"],
  ["RM", "S-1-5-32-580"],
  ["RU", "S-1-5-32-554"],
  ["SO", "S-1-5-32-549"],
  ["SS", "S-1-18-2"],
  ["SU", "S-1-5-6"],
  ["SY", wellKnown.system],
  ["UD", "S-1-5-84-0-0-0-0-0"],
  ["WD", "S-1-1-0"],
  ["WR", "S-1-5-33"],
]);

/**
 * Aliases of accounts and groups of the machine or its domain. Which SID one is, only that machine
 * can say, so here it is nobody that is known.
 */
export const domainAliases: ReadonlySet<string> = new Set(
  "AP CA CN DA DC DD DG DU EA EK KA LA LG PA RO RS SA".split(" "),
);

const names: ReadonlyMap<string, string> = new Map([
  ["S-1-1-0", "Everyone"],
  ["S-1-3-0", "CREATOR OWNER"],
  ["S-1-3-1", "CREATOR GROUP"],
  ["S-1-3-4", "OWNER RIGHTS"],
  ["S-1-5-2", "NETWORK"],
  ["S-1-5-4", "INTERACTIVE"],
  ["S-1-5-6", "SERVICE"],
  ["S-1-5-7", "ANONYMOUS LOGON"],
  ["S-1-5-11", "Authenticated Users"],
  ["S-1-5-12", "RESTRICTED"],
  ["S-1-5-18", "SYSTEM"],
  ["S-1-5-19", "LOCAL SERVICE"],
  ["S-1-5-20", "NETWORK SERVICE"],
  ["S-1-5-32-544", "Administrators"],
  ["S-1-5-32-545", "Users"],
  ["S-1-5-32-546", "Guests"],
  ["S-1-5-32-547", "Power Users"],
  ["S-1-5-32-551", "Backup Operators"],
  ["S-1-15-2-1", "ALL APPLICATION PACKAGES"],
  ["S-1-15-2-2", "ALL RESTRICTED APPLICATION PACKAGES"],
  ["S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464", "TrustedInstaller"],
]);

/** For people: the SID, with its English name if it has a well-known one. */
export function describeSid(sid: string): string {
  const name = names.get(sid);
  return name === undefined ? sid : `${name} (${sid})`;
}

/** An authority of more than 32 bits is written in hex, and only such a one. */
const sidText = /^S-1-(?:0x(?!0000)[0-9a-f]{12}|0|[1-9]\d{0,9})(?:-(?:0|[1-9]\d{0,9})){1,15}$/;
const largest32Bits = 0xffff_ffff;

/** Whether `text` is a SID in the one spelling that Windows writes. */
export function isSid(text: string): boolean {
  if (!sidText.test(text)) return false;
  const numbers = text.split("-").slice(2);
  return numbers.every((part) => part.startsWith("0x") || Number(part) <= largest32Bits);
}

/**
 * Whether a SID can be that of somebody who logs on: a local, domain or Azure AD account, one of
 * the three accounts of services, or a virtual account. A well-known group, for which a defect
 * elsewhere could mistake it, cannot.
 */
export function isAccountSid(sid: string): boolean {
  return isSid(sid) && accountSid.test(sid);
}

const accountSid =
  /^S-1-(?:5-(?:18|19|20)|5-21(?:-\d+){4}|5-(?:[89]\d|1[01]\d)(?:-\d+)+|12-1(?:-\d+){4})$/;

const headBytes = 8;

/** The SID that begins at `at`, with its length in bytes; `undefined` if none does. */
export function sidFromBytes(
  bytes: DataView,
  at: number,
): { readonly sid: string; readonly sizeBytes: number } | undefined {
  if (at + headBytes > bytes.byteLength) return undefined;
  const count = bytes.getUint8(at + 1);
  const sizeBytes = headBytes + 4 * count;
  const isWhole = at + sizeBytes <= bytes.byteLength;
  if (bytes.getUint8(at) !== 1 || count < 1 || count > 15 || !isWhole) return undefined;
  // The authority is big-endian, and what follows it is little-endian.
  const high = bytes.getUint16(at + 2);
  const low = bytes.getUint32(at + 4);
  const authority =
    high === 0
      ? String(low)
      : `0x${high.toString(16).padStart(4, "0")}${low.toString(16).padStart(8, "0")}`;
  let sid = `S-1-${authority}`;
  for (let i = 0; i < count; i++) sid += `-${bytes.getUint32(at + headBytes + 4 * i, true)}`;
  return { sid, sizeBytes };
}
