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
  type AccessEntry,
  accessListDigest,
  decodeSecurityDescriptor,
  type Problem,
  type SecurityDescriptor,
} from "../../lib/windows/security-descriptor.ts";
import { isSid } from "../../lib/windows/sid.ts";

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

function sidBytes(sid: string): Buffer {
  const [authority = "0", ...parts] = sid.split("-").slice(2);
  const bytes = Buffer.alloc(8 + 4 * parts.length);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt8(parts.length, 1);
  bytes.writeUIntBE(Number(authority), 2, 6);
  for (const [index, part] of parts.entries()) bytes.writeUInt32LE(Number(part), 8 + 4 * index);
  return bytes;
}

function entryBytes({ type, flags, mask, sid }: AccessEntry): Buffer {
  const body = sidBytes(sid ?? "");
  const head = Buffer.alloc(8);
  head.writeUInt8(type, 0);
  head.writeUInt8(flags, 1);
  head.writeUInt16LE(head.length + body.length, 2);
  head.writeUInt32LE(mask, 4);
  return Buffer.concat([head, body]);
}

/** As Windows would write it; of entries that always apply and name somebody. */
function written({ owner, group, entries, isProtected }: SecurityDescriptor): Buffer {
  const head = Buffer.alloc(20);
  head.writeUInt8(1, 0);
  head.writeUInt16LE(0x8000 | (entries === null ? 0 : 4) | (isProtected ? 0x1000 : 0), 2);
  const parts: Buffer[] = [head];
  let at = head.length;
  const put = (place: number, bytes: Buffer): void => {
    head.writeUInt32LE(at, place);
    parts.push(bytes);
    at += bytes.length;
  };
  if (owner !== undefined) put(4, sidBytes(owner));
  if (group !== undefined) put(8, sidBytes(group));
  if (entries !== null) {
    const list = Buffer.concat(entries.map(entryBytes));
    const listHead = Buffer.alloc(8);
    listHead.writeUInt8(2, 0);
    listHead.writeUInt16LE(8 + list.length, 2);
    listHead.writeUInt16LE(entries.length, 4);
    put(16, Buffer.concat([listHead, list]));
  }
  return Buffer.concat(parts);
}

const plainTypes = new Set([0x00, 0x01]);

function checkWritten(descriptor: SecurityDescriptor): void {
  const isPlain = (descriptor.entries ?? []).every(
    ({ type, sid, restriction }) => plainTypes.has(type) && sid !== undefined && restriction === "",
  );
  if (!isPlain) return;
  const again = decodeSecurityDescriptor(written(descriptor));
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

/** [MS-DTYP] 2.5.1.4: a text, and the bytes that Windows makes of it. */
const sddl =
  "O:BAG:BAD:P(A;CIOI;GRGX;;;BU)(A;CIOI;GA;;;BA)(A;CIOI;GA;;;SY)(A;CIOI;GA;;;CO)" +
  "S:P(AU;FA;GR;;;WD)";
const bytes =
  "010014b090000000a0000000140000003000000002001c000100000002801400000000800101000000000001" +
  "00000000020060000400000000031800000000a001020000000000052000000021020000000318000000001001" +
  "020000000000052000000020020000000314000000001001010000000000051200000000031400000000100101" +
  "000000000003000000000102000000000005200000002002000001020000000000052000000020020000";

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
    Buffer.from(bytes, "hex"),
    // The list last, so that nothing hides it when it is cut off.
    written({ ...listed, entries: [everybody, { ...everybody, type: 1 }] }),
    Buffer.from(sddl),
    Buffer.from("O:S-1-5-21-1-2-3-1001D:PAI(A;OICI;FA;;;S-1-5-21-1-2-3-1001)(D;;0x1;;;WD)"),
    Buffer.from('D:(XA;;FX;;;WD;(@User.a == "(;"))'),
    Buffer.from("D:NO_ACCESS_CONTROL"),
    Buffer.from("D:(A;;FA"),
    Buffer.from(bytes.slice(0, 120), "hex"),
  ],
  check,
};
