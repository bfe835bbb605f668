import { describe, expect, test } from "vitest";
import { bitsOfOthers, ownershipFrom } from "./ownership.ts";
import { parseSddl } from "./sddl.ts";

const user = { sid: "S-1-5-21-1-2-3-1001", isElevated: false };
const bitsOf = (list: string, kind: "directory" | "regular" = "directory"): number =>
  bitsOfOthers(parseSddl(`O:${user.sid}D:${list}`), user, kind);

describe("bitsOfOthers()", () => {
  test("S32 gives none to what is private, whoever administers it", () => {
    expect(bitsOf(`P(A;OICI;FA;;;${user.sid})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`)).toBe(0);
    expect(bitsOf("P")).toBe(0);
  });

  test("S32 gives what an entry lets others do", () => {
    expect(bitsOf("(A;OICI;0x1200a9;;;WD)")).toBe(0o5);
    expect(bitsOf("(A;;FR;;;BU)", "regular")).toBe(0o4);
    expect(bitsOf("(A;;0x2;;;AU)")).toBe(0o2);
    expect(bitsOf("(A;;WD;;;AU)")).toBe(0o2);
    expect(bitsOf("(A;;GA;;;WD)")).toBe(0o7);
    expect(bitsOf("(A;;FR;;;BU)(A;;0x2;;;AU)")).toBe(0o6);
  });

  test("S32 gives all where nothing keeps others out, or nothing is known", () => {
    expect(bitsOf("NO_ACCESS_CONTROL")).toBe(0o7);
    expect(bitsOfOthers({ problem: "cut off" }, user, "directory")).toBe(0o7);
  });

  test("to pass through a directory is no right, to run a file is one", () => {
    expect(bitsOf("(A;;0x20;;;WD)")).toBe(0);
    expect(bitsOf("(A;;0x20;;;WD)", "regular")).toBe(0o1);
  });
});

test("S32 ownershipFrom() never takes a descriptor that it cannot read for private", () => {
  expect(ownershipFrom(Buffer.from("no descriptor"), user.sid, "directory", 0o700)).toEqual({
    owner: "",
    group: "",
    mode: 0o777,
    accessList: null,
  });
});
