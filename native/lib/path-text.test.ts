import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasCode } from "./os-error.ts";
import { bytesToPath, isUtf8Path, pathToBytes } from "./path-text.ts";

/** Bytes as in file names: mostly text, with wrong and cut-off characters between. */
const pathBytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
      fc
        .tuple(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(3))
        .map(([text, cut]) => Buffer.from(text).subarray(cut)),
    ),
  )
  .map((parts) => Buffer.concat(parts));

describe("path text", () => {
  test("keeps all bytes", () => {
    fc.assert(
      fc.property(pathBytes, (bytes) => {
        expect(pathToBytes(bytesToPath(bytes)).equals(bytes)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("gives different bytes different texts, and every text in one form", () => {
    fc.assert(
      fc.property(pathBytes, pathBytes, (a, b) => {
        expect(bytesToPath(a) === bytesToPath(b)).toBe(a.equals(b));
        const text = bytesToPath(a);
        expect(bytesToPath(pathToBytes(text))).toBe(text);
      }),
    );
  });

  test("leaves text as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(isUtf8Path(text)).toBe(true);
        expect(bytesToPath(Buffer.from(text))).toBe(text);
      }),
    );
  });

  test("writes each wrong byte as one escape", () => {
    const bytes = Buffer.from([0x61, 0xe9, 0xed, 0xa0, 0x80, 0xc0, 0xaf, 0xf0, 0x9f, 0x98]);
    const text = bytesToPath(bytes);
    expect(text).toBe("a\udce9\udced\udca0\udc80\udcc0\udcaf\udcf0\udc9f\udc98");
    expect(isUtf8Path(text)).toBe(false);
  });

  test("reads a view into a larger buffer", () => {
    const larger = new Uint8Array([0x78, 0x61, 0xff, 0x78]);
    expect(bytesToPath(larger.subarray(1, 3))).toBe("a\udcff");
  });

  test("refuses a surrogate that stands for no byte", () => {
    for (const text of ["\ud800", "a\udbff/b", "\udc00", "\udc7f", "\udd00"]) {
      const refused = (() => {
        try {
          return pathToBytes(text);
        } catch (error) {
          return error;
        }
      })();
      expect(hasCode(refused, "EINVAL")).toBe(true);
    }
  });
});
