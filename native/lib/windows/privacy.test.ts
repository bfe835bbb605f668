import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { me, recorded } from "../../test/recorded-descriptors.ts";
import { isOwnedBy, judgePrivacy, type PrivacyVerdict } from "./privacy.ts";
import { parseSddl } from "./sddl.ts";
import { type AccessEntry, decodeSecurityDescriptor, entryFlags } from "./security-descriptor.ts";

const user = { sid: me, isElevated: false };
const judge = (sddl: string): PrivacyVerdict => judgePrivacy(parseSddl(sddl), user);
const reasonsOf = (verdict: PrivacyVerdict): readonly string[] =>
  verdict.isPrivate ? [] : verdict.reasons;
/** A list that is private, with something added to it. */
const withEntries = (text: string): string =>
  `O:${me}D:P(A;OICI;FA;;;${me})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)${text}`;

describe("judgePrivacy() of recorded descriptors", () => {
  test("there are at least 25", () => {
    expect(recorded.length).toBeGreaterThanOrEqual(25);
  });

  test.each(recorded)("S32 $what ($source)", ({ sddl, reasons }) => {
    const verdict = judge(sddl);
    const found = reasonsOf(verdict);
    expect(found, found.join("\n")).toHaveLength(reasons.length);
    for (const [i, reason] of reasons.entries()) expect(found[i]).toContain(reason);
    expect(verdict.isPrivate).toBe(reasons.length === 0);
  });
});

describe("S32 judgePrivacy()", () => {
  const cases: readonly [string, string, string][] = [
    ["no list at all", `O:${me}`, "has no access list"],
    ["a null list", `O:${me}D:NO_ACCESS_CONTROL`, "has no access list"],
    ["a null list with flags", `O:${me}D:PAINO_ACCESS_CONTROL`, "has no access list"],
    ["an empty list", `O:${me}D:`, ""],
    ["an empty protected list", `O:${me}D:P`, ""],
    ["no owner", `D:(A;;FA;;;${me})`, "an owner that is not known"],
    ["an owner that only the machine knows", "O:DAD:", "an owner that is not known"],
    ["a group as owner", "O:BUD:", "belongs to Users"],
    ["the system as owner", "O:SYD:", ""],
    ["an app container", withEntries("(A;;FA;;;AC)"), "ALL APPLICATION PACKAGES"],
    ["a capability", withEntries("(A;;FR;;;S-1-15-3-1024-1-2-3-4-5-6-7-8)"), "S-1-15-3-1024"],
    ["a logon session", withEntries("(A;;GA;;;S-1-5-5-0-1234)"), "S-1-5-5-0-1234 may read"],
    ["a denial for everybody", withEntries("(D;;FA;;;WD)"), ""],
    ["a denial that covers what is allowed", withEntries("(D;;FA;;;BU)(A;;FA;;;BU)"), "Users"],
    ["a denial under a condition", withEntries('(XD;;FA;;;WD;(@User.A=="(x"))'), ""],
    ["an allowance under a condition", withEntries("(XA;;FR;;;WD;(@User.A==1))"), "Everyone"],
    ["the user under a condition", withEntries(`(XA;;FA;;;${me};(@User.A==1))`), ""],
    [
      "an entry of an object type",
      withEntries("(OA;;GR;bf967aba-0de6-11d0-a285-00aa003049e2;;AU)"),
      "Authenticated Users",
    ],
    ["an entry with no right", withEntries("(A;;;;;WD)(A;;0x0;;;WD)"), ""],
    ["who makes a file", withEntries("(A;OICIIO;GA;;;CO)"), ""],
    ["who owns it", withEntries("(A;OICI;FA;;;OW)"), ""],
    ["the group of who makes a file", withEntries("(A;OICIIO;GA;;;CG)"), "CREATOR GROUP"],
    ["an audit rule in the list", withEntries("(AU;;FA;;;WD)"), "unknown type 255"],
    ["later files alone", withEntries("(A;OICIIO;FR;;;BU)"), "what is made in it"],
    ["an integrity label", `${withEntries("")}S:(ML;;NW;;;LW)`, ""],
  ];

  test.each(cases)("%s", (_, sddl, reason) => {
    const found = reasonsOf(judge(sddl));
    expect(found.join("; ")).toContain(reason);
    expect(found).toHaveLength(reason === "" ? 0 : 1);
  });

  const ofNobody = [
    ...[0x1, 0x2, 0x4, 0x8, 0x10, 0x40, 0x100, 0x200, 0x8000, 0x1_0000, 0x4_0000, 0x8_0000],
    ...[0x100_0000, 0x200_0000, 0x1000_0000, 0x4000_0000, 0x8000_0000],
  ];
  const ofBoth = [0x80, 0x2_0000, 0x10_0000, 0];
  const rights: [bits: number, isHarmlessOfDirectory: boolean, isHarmlessOfFile: boolean][] = [
    ...ofNobody.map((bit): [number, boolean, boolean] => [bit, false, false]),
    ...ofBoth.map((bit): [number, boolean, boolean] => [bit, true, true]),
    [0x20, true, false],
    [0x2000_0000, true, false],
  ];

  test.each(rights)("a stranger with the right %i", (mask, ofDirectory, ofFile) => {
    const stranger = parseSddl(withEntries(`(A;;0x${mask.toString(16)};;;WD)`));
    expect(judgePrivacy(stranger, user, "directory").isPrivate).toBe(ofDirectory);
    expect(judgePrivacy(stranger, user, "file").isPrivate).toBe(ofFile);
  });

  test.each([
    ["a text that is none", "nonsense"],
    ["a second list", `${withEntries("")}D:(A;;FA;;;WD)`],
    ["a list behind the audit part", `O:${me}S:(ML;;NW;;;LW)D:(A;;FA;;;SY)`],
    ["a list within the audit part", `${withEntries("")}S:D:(A;;FA;;;WD)`],
    ["an entry that does not end", withEntries("(A;;FA;;;SY")],
    ["a condition whose text does not end", withEntries('(XA;;FA;;;SY;(@User.A=="))')],
    ["too few fields", withEntries("(A;;FA;;SY)")],
    ["an unknown right", withEntries("(A;;ZZ;;;SY)")],
    ["half a right", withEntries("(A;;FAR;;;SY)")],
    ["more than 32 bits", withEntries("(A;;0x1ffffffff;;;SY)")],
    ["an unknown flag", withEntries("(A;QQ;FA;;;SY)")],
    ["an unknown alias", withEntries("(A;;FA;;;ZZ)")],
    ["another spelling of a SID", withEntries("(A;;FA;;;S-1-5-018)")],
    ["another case", withEntries("(A;;FA;;;s-1-5-18)")],
    ["unknown flags of the list", `O:${me}D:Q(A;;FA;;;SY)`],
    ["a null list with entries", `O:${me}D:NO_ACCESS_CONTROL(A;;FA;;;SY)`],
    ["spaces", ` O:${me}D:(A;;FA;;;SY)`],
  ])("takes for not private what it does not understand: %s", (_, sddl) => {
    expect(reasonsOf(judge(sddl)).join()).toMatch(/^cannot be judged: /);
  });

  test.each(["S-1-1-0", "S-1-5-11", "S-1-5-32-545", "S-1-5-32-544", "S-1-3-0", "", "BU", "nobody"])(
    "refuses a user that is no account: %s",
    (sid) => {
      const everybody = parseSddl(`O:BAD:(A;;FA;;;${sid || "WD"})`);
      expect(judgePrivacy(everybody, { sid, isElevated: true }).isPrivate).toBe(false);
    },
  );

  test.each(["S-1-5-18", "S-1-5-19", "S-1-12-1-1-2-3-4", "S-1-5-80-1-2-3-4-5", me])(
    "knows an account: %s",
    (sid) => {
      const own = parseSddl(`O:${sid}D:(A;;FA;;;${sid})`);
      expect(judgePrivacy(own, { sid, isElevated: false })).toEqual({ isPrivate: true });
    },
  );
});

test("isOwnedBy() counts the administrators for an elevated process alone", () => {
  const elevated = { sid: me, isElevated: true };
  expect(isOwnedBy(me, user)).toBe(true);
  expect(isOwnedBy("S-1-5-32-544", user)).toBe(false);
  expect(isOwnedBy("S-1-5-32-544", elevated)).toBe(true);
  expect(isOwnedBy("S-1-5-18", elevated)).toBe(false);
  expect(isOwnedBy("S-1-1-0", { sid: "S-1-1-0", isElevated: true })).toBe(false);
});

describe("judgePrivacy(), whatever comes", () => {
  const sid = fc.constantFrom(me, "S-1-5-18", "S-1-5-32-544", "S-1-3-0", "S-1-1-0", undefined);
  const entry: fc.Arbitrary<AccessEntry> = fc.record({
    type: fc.constantFrom(0, 1, 5, 6, 9, 10, 11, 12, 17, 255),
    flags: fc.integer({ min: 0, max: 31 }),
    mask: fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), fc.constantFrom(0x1f01ff, 0x20, 0)),
    sid,
    restriction: fc.constantFrom("", "00"),
  });
  const list = fc.array(entry, { maxLength: 8 });
  const descriptor = (entries: AccessEntry[] | null) =>
    ({ owner: me, group: undefined, entries, isProtected: false }) as const;

  test("throws for no text and no bytes", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."OGDS:PAI();0x1fFAWBUY-\"'\n") });
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), letters),
        fc.uint8Array({ maxLength: 200 }),
        (text, raw) => {
          judgePrivacy(parseSddl(text), user);
          judgePrivacy(decodeSecurityDescriptor(raw), user);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("S32 judges any order of the entries alike (J2)", () => {
    fc.assert(
      fc.property(list, fc.infiniteStream(fc.nat()), (entries, dice) => {
        const shuffled = entries
          .map((one) => ({ one, at: dice.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        const verdict = judgePrivacy(descriptor(entries), user);
        expect(judgePrivacy(descriptor(shuffled), user).isPrivate).toBe(verdict.isPrivate);
      }),
    );
  });

  test("S32 never finds a longer list more private", () => {
    fc.assert(
      fc.property(list, entry, (entries, more) => {
        const before = judgePrivacy(descriptor(entries), user).isPrivate;
        const after = judgePrivacy(descriptor([...entries, more]), user).isPrivate;
        if (!before) expect(after).toBe(false);
      }),
    );
  });

  test("S32 finds no list private that lets Everyone read, whatever else is in it", () => {
    const readers = fc.constantFrom(0x1, 0x8000_0000, 0x1000_0000, 0x1200a9);
    fc.assert(
      fc.property(list, list, readers, fc.integer({ min: 0, max: 31 }), (a, b, mask, flags) => {
        const reader = { type: 0, flags, mask, sid: "S-1-1-0", restriction: "" };
        expect(judgePrivacy(descriptor([...a, reader, ...b]), user).isPrivate).toBe(false);
      }),
    );
  });

  test("tells of later files where the entry is for them alone", () => {
    const later = { type: 0, mask: 1, sid: "S-1-1-0", restriction: "" };
    const flags = entryFlags.inheritOnly | entryFlags.objectInherit;
    const verdict = judgePrivacy(descriptor([{ ...later, flags }]), user);
    expect(reasonsOf(verdict)).toEqual(["Everyone (S-1-1-0) may read (0x1) what is made in it"]);
  });
});

test("S32 the example of the README says what it says there", () => {
  const verdict = judge("O:BAD:AI(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)");
  const reasons = ["Users (S-1-5-32-545) may read (0x1200a9)"];
  expect(verdict).toEqual({ isPrivate: false, reasons });
});
