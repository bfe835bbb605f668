/**
 * Fuzz target: security descriptors of Windows, as bytes and as SDDL, whichever the input begins
 * like. Nothing throws; what is understood is within its ranges, is written here to the same
 * meaning, and is judged; a descriptor that is cut off says the same or is refused.
 */
import { isDeepStrictEqual } from "node:util";
import { type FuzzTarget, must } from "../../../scripts/fuzz/target.mjs";
import { judgePrivacy } from "../../lib/windows/privacy.ts";
import { parseSddl } from "../../lib/windows/sddl.ts";
import {
  accessListDigest,
  decodeSecurityDescriptor,
  type Problem,
  type SecurityDescriptor,
} from "../../lib/windows/security-descriptor.ts";
import { isSid } from "../../lib/windows/sid.ts";
import { descriptorBytes, documentedBytes, documentedSddl } from "../descriptor-bytes.ts";

const isProblem = (value: SecurityDescriptor | Problem): value is Problem => "problem" in value;

function checkMeaning(descriptor: SecurityDescriptor): void {
  const { owner, group, entries } = descriptor;
  for (const sid of [owner, group, ...(entries ?? []).map((entry) => entry.sid)]) {
    must(sid === undefined || isSid(sid), "gives a SID that is none", () => String(sid));
  }
  for (const { type, flags, mask } of entries ?? []) {
    const isInRange = type >= 0 && type <= 0xff && flags >= 0 && flags <= 0xff;
    must(isInRange && mask >= 0 && mask <= 0xffff_ffff, "gives an entry that is out of range");
  }
  must(/^[0-9a-f]{64}$/.test(accessListDigest(descriptor)), "gives a digest that is none");
  const user = { sid: "S-1-5-21-1-2-3-1001", isElevated: false };
  for (const kind of ["directory", "file"] as const) judgePrivacy(descriptor, user, kind);
}

const plainTypes = new Set([0x00, 0x01]);

function checkWritten(descriptor: SecurityDescriptor): void {
  const isPlain = (descriptor.entries ?? []).every(
    ({ type, sid, restriction }) => plainTypes.has(type) && sid !== undefined && restriction === "",
  );
  if (!isPlain) return;
  const again = decodeSecurityDescriptor(descriptorBytes(descriptor));
  must(!isProblem(again), "refuses what it says itself", () => JSON.stringify(again));
  const digests = [descriptor, again].map(accessListDigest);
  must(digests[0] === digests[1], "reads another access list than it said");
  must(again.owner === descriptor.owner && again.group === descriptor.group, "another owner");
}

function checkCut(input: Uint8Array, descriptor: SecurityDescriptor): void {
  // A copy: behind a part of the input the rest of it could still be read.
  const cut = input.slice(0, input.length - 1 - ((input[1] ?? 0) % input.length));
  const less = decodeSecurityDescriptor(cut);
  const isSame = isProblem(less) || isDeepStrictEqual(less, descriptor);
  must(isSame, "says something else when it is cut off");
}

async function check(input: Buffer): Promise<boolean> {
  const isText = /^[OGDS(]/.test(input.toString("latin1", 0, 1));
  // In memory of its own, so that reading beyond it throws.
  const exact = Uint8Array.from(input);
  const descriptor = isText ? parseSddl(input.toString("utf8")) : decodeSecurityDescriptor(exact);
  if (isProblem(descriptor)) {
    must(descriptor.problem !== "", "says nothing");
    return false;
  }
  checkMeaning(descriptor);
  checkWritten(descriptor);
  if (!isText) checkCut(exact, descriptor);
  return true;
}

const listed = { owner: "S-1-5-18", group: "S-1-5-32-544", isProtected: true };
const everybody = { type: 0, flags: 3, mask: 0x1f01ff, sid: "S-1-1-0", restriction: "" };

export const target: FuzzTarget = {
  name: "descriptor",
  form: "bytes",
  words: [
    ...["O:", "G:", "D:", "S:", "P", "AI", "AR", "NO_ACCESS_CONTROL", "(A;;FA;;;WD)", "0x1f01ff"],
    ...["(XA;;FX;;;WD;(Member_of {SID(BA)}))", "(OA;;CR;ab721a53-1e2f-11d0-9819-00aa0040529b;;AU)"],
    ...["S-1-5-32-544", "S-1-5-21-1-2-3-1001", ";", "(", ")", '"'],
  ],
  maxBytes: 600,
  seeds: () => [
    documentedBytes,
    // The list last, so that nothing hides it when it is cut off.
    descriptorBytes({ ...listed, entries: [everybody, { ...everybody, type: 1 }] }),
    Buffer.from(documentedSddl),
    Buffer.from("O:S-1-5-21-1-2-3-1001D:PAI(A;OICI;FA;;;S-1-5-21-1-2-3-1001)(D;;0x1;;;WD)"),
    Buffer.from('D:(XA;;FX;;;WD;(@User.a == "(;"))'),
    Buffer.from("D:NO_ACCESS_CONTROL"),
    Buffer.from("D:(A;;FA"),
    documentedBytes.subarray(0, 60),
  ],
  check,
};
