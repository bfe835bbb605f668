/**
 * Access rights of files and directories on Windows: their bits, their names in SDDL, and what they
 * let somebody do.
 *
 * Sources: [MS-DTYP] 2.4.3 (ACCESS_MASK) and 2.5.1.1 (names in SDDL); "File Access Rights
 * Constants" and "File Security and Access Rights" of the Windows documentation.
 */

/** Bits of each name that may stand in the rights of an entry, `FA` to `CC`. */
export const rightsByName: ReadonlyMap<string, number> = new Map([
  ["GA", 0x1000_0000],
  ["GX", 0x2000_0000],
  ["GW", 0x4000_0000],
  ["GR", 0x8000_0000],
  ["SD", 0x1_0000],
  ["RC", 0x2_0000],
  ["WD", 0x4_0000],
  ["WO", 0x8_0000],
  ["FA", 0x1f_01ff],
  ["FR", 0x12_0089],
  ["FW", 0x12_0116],
  ["FX", 0x12_00a0],
  ["KA", 0xf_003f],
  ["KR", 0x2_0019],
  ["KW", 0x2_0006],
  ["KX", 0x2_0019],
  ["CC", 0x1],
  ["DC", 0x2],
  ["LC", 0x4],
  ["SW", 0x8],
  ["RP", 0x10],
  ["WP", 0x20],
  ["DT", 0x40],
  ["LO", 0x80],
  ["CR", 0x100],
]);

/** What each generic right means for a file; the bits themselves never reach an open handle. */
const genericRights: readonly (readonly [bit: number, name: string])[] = [
  [0x1000_0000, "FA"],
  [0x2000_0000, "FX"],
  [0x4000_0000, "FW"],
  [0x8000_0000, "FR"],
];

/** The rights with each generic one replaced by what it means for a file. */
export function mapGeneric(mask: number): number {
  let mapped = mask;
  for (const [bit, name] of genericRights) {
    if ((mask & bit) === 0) continue;
    mapped = (mapped & ~bit) | (rightsByName.get(name) ?? 0);
  }
  return mapped >>> 0;
}

/** READ_CONTROL, SYNCHRONIZE and FILE_READ_ATTRIBUTES: to see that something is there. */
const seesIt = 0x12_0080;
/** FILE_TRAVERSE of a directory, which is FILE_EXECUTE of a file. */
const traverse = 0x20;

/**
 * Rights that tell nothing of what a file or directory holds, and change nothing. To pass through a
 * directory is one: every account may by default, whatever the list says (the privilege "Bypass
 * traverse checking").
 */
export function isHarmless(mask: number, kind: "directory" | "file"): boolean {
  const harmless = kind === "directory" ? seesIt | traverse : seesIt;
  return (mapGeneric(mask) & ~harmless) === 0;
}

/** What bits let somebody do, in the order in which it is told. */
const deeds: readonly (readonly [bits: number, deed: string])[] = [
  [0x1 | 0x8, "read"],
  [0x2 | 0x4, "write"],
  [0x10 | 0x100, "write attributes"],
  [0x40 | 0x1_0000, "delete"],
  [0x4_0000, "change who has access"],
  [0x8_0000, "become the owner"],
];

/** For people: what the rights let somebody do, with the bits. */
export function describeRights(mask: number): string {
  const mapped = mapGeneric(mask);
  const found = deeds.filter(([bits]) => (mapped & bits) !== 0).map(([, deed]) => deed);
  const bits = `0x${(mask >>> 0).toString(16)}`;
  return found.length === 0 ? `do ${bits}` : `${found.join(", ")} (${bits})`;
}
