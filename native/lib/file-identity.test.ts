import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { identityFromJson, identityToJson, sameFile } from "./file-identity.ts";
import type { FileIdentity } from "./os.ts";

const full: FileIdentity = {
  volume: 2n ** 128n - 1n,
  file: 2n ** 64n - 1n,
  birthTimeNs: 1_700_000_000_123_456_789n,
  generation: 7n,
  handle: "00000001abcdef",
  device: 2049n,
};
const { birthTimeNs: _birth, generation: _generation, handle: _handle, ...bare } = full;
const thisBoot = { sameBoot: true };
const anotherBoot = { sameBoot: false };

const identities: fc.Arbitrary<FileIdentity> = fc.record(
  {
    volume: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    file: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    birthTimeNs: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    generation: fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }),
    handle: fc.uint8Array({ minLength: 4 }).map((bytes) => Buffer.from(bytes).toString("hex")),
    device: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  },
  { requiredKeys: ["volume", "file", "device"] },
);

describe("sameFile()", () => {
  test("B3 notices a difference in any part that both have", () => {
    expect(sameFile(full, { ...full }, thisBoot)).toBe(true);
    for (const other of [
      { ...full, volume: 1n },
      { ...full, file: 1n },
      { ...full, birthTimeNs: 1n },
      { ...full, generation: 1n },
      { ...full, handle: "00000001abcdee" },
    ]) {
      expect(sameFile(full, other, anotherBoot)).toBe(false);
      expect(sameFile(other, full, anotherBoot)).toBe(false);
    }
  });

  test("passes over a part that one of them has not", () => {
    expect(sameFile(full, bare, thisBoot)).toBe(true);
    expect(sameFile(bare, full, thisBoot)).toBe(true);
  });

  test("B3 compares the device within one boot only, since a reboot renumbers it", () => {
    const renumbered = { ...full, device: 2050n };
    expect(sameFile(full, renumbered, thisBoot)).toBe(false);
    expect(sameFile(full, renumbered, anotherBoot)).toBe(true);
  });
});

describe("identityFromJson()", () => {
  test("reads back what identityToJson() wrote, through JSON text", () => {
    fc.assert(
      fc.property(identities, (identity) => {
        const text = JSON.stringify(identityToJson(identity));
        expect(identityFromJson(JSON.parse(text))).toEqual(identity);
      }),
    );
  });

  test("refuses everything else, and names the member", () => {
    const json = identityToJson(full);
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [null, /object/],
      [[], /object/],
      ["1", /object/],
      [{}, /volume/],
      [{ ...json, volume: 1 }, /volume/],
      [{ ...json, volume: String(2n ** 128n) }, /volume/],
      [{ ...json, file: "01" }, /file/],
      [{ ...json, file: "0x1" }, /file/],
      [{ ...json, file: " 1" }, /file/],
      [{ ...json, file: "1\n" }, /file/],
      [{ ...json, file: "-1" }, /file/],
      [{ ...json, file: "9".repeat(40) }, /file/],
      [{ ...json, device: undefined }, /device/],
      [{ ...json, birthTimeNs: "-0" }, /birthTimeNs/],
      [{ ...json, birthTimeNs: undefined }, /birthTimeNs/],
      [{ ...json, birthTimeNs: String(2n ** 63n) }, /birthTimeNs/],
      [{ ...json, generation: String(2n ** 64n) }, /generation/],
      [{ ...json, handle: "ABCDEF01" }, /handle/],
      [{ ...json, handle: "abc" }, /handle/],
      [{ ...json, handle: "" }, /handle/],
      [{ ...json, inode: "1" }, /inode/],
      [{ ...json, toString: "1" }, /toString/],
    ];
    for (const [wrong, message] of cases) {
      expect(() => identityFromJson(wrong)).toThrow(message);
      expect(() => identityFromJson(wrong)).toThrow(TypeError);
    }
  });
});
