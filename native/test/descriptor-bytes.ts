/** Security descriptors of Windows as bytes, for tests: the documented one, and any other. */
import type { AccessEntry, SecurityDescriptor } from "../lib/windows/security-descriptor.ts";

/** [MS-DTYP] 2.5.1.4: a text, and the bytes that Windows makes of it. */
export const documentedSddl =
  "O:BAG:BAD:P(A;CIOI;GRGX;;;BU)(A;CIOI;GA;;;BA)(A;CIOI;GA;;;SY)(A;CIOI;GA;;;CO)" +
  "S:P(AU;FA;GR;;;WD)";
export const documentedBytes: Buffer = Buffer.from(
  "010014b090000000a0000000140000003000000002001c000100000002801400" +
    "00000080010100000000000100000000020060000400000000031800000000a0" +
    "0102000000000005200000002102000000031800000000100102000000000005" +
    "2000000020020000000314000000001001010000000000051200000000031400" +
    "0000001001010000000000030000000001020000000000052000000020020000" +
    "01020000000000052000000020020000",
  "hex",
);

export function sidBytes(sid: string): Buffer {
  const [authority = "0", ...parts] = sid.split("-").slice(2);
  const bytes = Buffer.alloc(8 + 4 * parts.length);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt8(parts.length, 1);
  bytes.writeUIntBE(Number(authority), 2, 6);
  for (const [index, part] of parts.entries()) bytes.writeUInt32LE(Number(part), 8 + 4 * index);
  return bytes;
}

function entryBytes({ type, flags, mask, sid }: AccessEntry): Buffer {
  const body = sidBytes(sid ?? "S-1-0-0");
  const head = Buffer.alloc(8);
  head.writeUInt8(type, 0);
  head.writeUInt8(flags, 1);
  head.writeUInt16LE(head.length + body.length, 2);
  head.writeUInt32LE(mask, 4);
  return Buffer.concat([head, body]);
}

/** As Windows writes it, for entries that always apply. */
export function descriptorBytes({
  owner,
  group,
  entries,
  isProtected,
}: SecurityDescriptor): Buffer {
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
