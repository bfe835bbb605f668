import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  descriptorBytes,
  documentedBytes,
  documentedSddl,
  sidBytes,
} from "../../test/descriptor-bytes.ts";
import { recorded } from "../../test/recorded-descriptors.ts";
import { judgePrivacy } from "./privacy.ts";
import { parseSddl } from "./sddl.ts";
import {
  accessListDigest,
  decodeSecurityDescriptor,
  type SecurityDescriptor,
} from "./security-descriptor.ts";
import { isSid } from "./sid.ts";

const understood = (value: ReturnType<typeof parseSddl>): SecurityDescriptor => {
  if ("problem" in value) throw new Error(value.problem);
  return value;
};

describe("decodeSecurityDescriptor()", () => {
  test("reads the documented bytes as the documented text", () => {
    expect(documentedBytes).toHaveLength(176);
    expect(decodeSecurityDescriptor(documentedBytes)).toEqual(parseSddl(documentedSddl));
  });

  test("S32 judges every recorded descriptor the same from bytes as from text", () => {
    let compared = 0;
    for (const { sddl, what } of recorded) {
      const fromText = understood(parseSddl(sddl));
      // Text and bytes tell of a condition, and of an alias, in ways of their own.
      const isPlain = fromText.entries?.every(
        ({ restriction, sid }) => restriction === "" && sid !== undefined,
      );
      if (isPlain !== true) continue;
      const fromBytes = decodeSecurityDescriptor(descriptorBytes(fromText));
      expect(fromBytes, what).toEqual(fromText);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(25);
  });

  test("is content with a part of the bytes never", () => {
    const user = { sid: "S-1-5-18", isElevated: true };
    for (let length = 0; length < documentedBytes.length; length++) {
      const part = decodeSecurityDescriptor(documentedBytes.subarray(0, length));
      expect("problem" in part, `${length}`).toBe(true);
      expect(judgePrivacy(part, user).isPrivate).toBe(false);
    }
  });

  test.each([
    ["another revision", 0, 2],
    ["no self-relative form", 3, 0x30],
    ["a list of an unknown form", 0x30, 9],
    ["an owner of another revision", 0x90, 2],
    ["an owner with too many parts", 0x91, 16],
    ["an entry longer than its list", 0x3a, 0xff],
    ["an entry without a body", 0x3a, 4],
    ["more entries than there is room", 0x34, 9],
  ])("refuses %s", (_, at, value) => {
    const spoiled = Buffer.from(documentedBytes);
    spoiled.writeUInt8(value, at);
    expect(decodeSecurityDescriptor(spoiled)).toHaveProperty("problem");
  });

  test("S32 has no list where the system says that there is none", () => {
    const spoiled = Buffer.from(documentedBytes);
    spoiled.writeUInt16LE(0xb010, 2);
    expect(decodeSecurityDescriptor(spoiled)).toHaveProperty("entries", null);
    const nullList = Buffer.from(documentedBytes);
    nullList.writeUInt32LE(0, 16);
    expect(decodeSecurityDescriptor(nullList)).toHaveProperty("entries", null);
  });

  test("finds the SID behind object types and keeps those apart", () => {
    const sid = sidBytes("S-1-1-0");
    const objectType = Buffer.alloc(16, 7);
    const body = Buffer.concat([Buffer.from([1, 0, 0, 0]), objectType, sid]);
    const head = Buffer.alloc(8);
    head.writeUInt8(5, 0);
    head.writeUInt16LE(8 + body.length, 2);
    head.writeUInt32LE(1, 4);
    const listHead = Buffer.from([4, 0, 8 + 8 + body.length, 0, 1, 0, 0, 0]);
    const start = Buffer.alloc(20);
    start.writeUInt8(1, 0);
    start.writeUInt16LE(0x8004, 2);
    start.writeUInt32LE(20, 16);
    const decoded = decodeSecurityDescriptor(Buffer.concat([start, listHead, head, body]));
    const [entry] = understood(decoded).entries ?? [];
    expect(entry).toMatchObject({ type: 5, sid: "S-1-1-0", mask: 1 });
    expect(entry?.restriction).toBe(`01000000${"07".repeat(16)}`);
  });

  test("reads any descriptor back, and throws for no spoiled one", () => {
    const number = fc.integer({ min: 0, max: 0xffff_ffff });
    const sid = fc
      .tuple(fc.integer({ min: 0, max: 20 }), fc.array(number, { minLength: 1, maxLength: 15 }))
      .map(([authority, parts]) => `S-1-${authority}-${parts.join("-")}`);
    const entry = fc.record({
      type: fc.constantFrom(0, 1),
      flags: fc.integer({ min: 0, max: 255 }),
      mask: number,
      sid,
      restriction: fc.constant(""),
    });
    const descriptor = fc.record({
      owner: fc.option(sid, { nil: undefined }),
      group: fc.option(sid, { nil: undefined }),
      entries: fc.option(fc.array(entry, { maxLength: 20 }), { nil: null }),
      isProtected: fc.boolean(),
    });
    fc.assert(
      fc.property(descriptor, fc.nat(), fc.nat(255), (original, at, value) => {
        const bytes = descriptorBytes(original);
        expect(decodeSecurityDescriptor(bytes)).toEqual(original);
        bytes.writeUInt8(value, at % bytes.length);
        decodeSecurityDescriptor(bytes);
      }),
    );
  });
});

describe("S8 accessListDigest()", () => {
  const digest = (sddl: string): string => accessListDigest(understood(parseSddl(sddl)));
  const base = "O:BAD:(A;OICI;FA;;;SY)(A;;FR;;;BU)";

  test("is the same for the same list, by whatever names and owner", () => {
    expect(digest(base)).toMatch(/^[0-9a-f]{64}$/);
    expect(digest("O:SYG:SYD:AI(A;OICI;0x1f01ff;;;S-1-5-18)(A;;0x120089;;;BU)")).toBe(digest(base));
  });

  test.each([
    ["order", "D:(A;;FR;;;BU)(A;OICI;FA;;;SY)"],
    ["rights", "D:(A;OICI;FA;;;SY)(A;;FW;;;BU)"],
    ["account", "D:(A;OICI;FA;;;SY)(A;;FR;;;AU)"],
    ["type", "D:(A;OICI;FA;;;SY)(D;;FR;;;BU)"],
    ["inheritance", "D:(A;OICI;FA;;;SY)(A;CI;FR;;;BU)"],
    ["origin", "D:(A;OICI;FA;;;SY)(A;ID;FR;;;BU)"],
    ["condition", "D:(A;OICI;FA;;;SY)(XA;;FR;;;BU;(@User.A==1))"],
    ["object type", "D:(A;OICI;FA;;;SY)(OA;;FR;bf967aba-0de6-11d0-a285-00aa003049e2;;BU)"],
    ["protection", "D:P(A;OICI;FA;;;SY)(A;;FR;;;BU)"],
    ["an entry more", `${base}(A;;FR;;;BU)`],
    ["an entry less", "D:(A;OICI;FA;;;SY)"],
    ["an empty list", "D:"],
    ["no list", "O:BA"],
  ])("changes with %s", (_, sddl) => {
    expect(digest(sddl)).not.toBe(digest(base));
  });

  test("tells no list from an empty one, and two conditions apart", () => {
    expect(digest("O:BA")).not.toBe(digest("D:"));
    expect(digest("D:(XA;;FR;;;BU;(a))")).not.toBe(digest("D:(XA;;FR;;;BU;(b))"));
  });
});

test.each([
  ["S-1-5-18", true],
  ["S-1-5-32-544", true],
  ["S-1-0x0001ffffffff-1", true],
  ["S-1-4294967295-4294967295", true],
  [`S-1-5${"-1".repeat(15)}`, true],
  [`S-1-5${"-1".repeat(16)}`, false],
  ["S-1-4294967296-1", false],
  ["S-1-5-4294967296", false],
  ["S-1-0x0000ffffffff-1", false],
  ["S-1-0x0001FFFFFFFF-1", false],
  ["S-1-5", false],
  ["S-1-5-", false],
  ["S-1-5-01", false],
  ["S-2-5-18", false],
  ["s-1-5-18", false],
  ["S-1-5-18 ", false],
  ["S-1-5--1", false],
])("isSid(%s) is %s", (text, expected) => {
  expect(isSid(text)).toBe(expected);
});
