import { describe, expect, test } from "vitest";
import { plainMetadata } from "../test/metadata.ts";
import { RecordCorruptError } from "./errors.ts";
import { decodeMetadata, encodeMetadata } from "./metadata-codec.ts";

const metadata = {
  ...plainMetadata,
  before: { sizeBytes: 1, sha256: "0".repeat(64) },
  after: { sizeBytes: 2, sha256: "1".repeat(64) },
};
const written = encodeMetadata(metadata);

type Members = Record<string, unknown>;

/** The text with one member, at a path such as `owner.pid`, changed; `undefined` leaves it out. */
function changed(path: string, value: unknown): string {
  const members = JSON.parse(written) as Members;
  const names = path.split(".");
  const last = names.pop() ?? "";
  const object = names.reduce((parent, name) => parent[name] as Members, members);
  object[last] = value;
  return JSON.stringify(members);
}

describe("decodeMetadata()", () => {
  test("reads what was written", () => {
    expect(decodeMetadata(written)).toEqual(metadata);
  });

  test.each([
    ["white space", JSON.stringify(JSON.parse(written), null, 1)],
    ["a member too many", changed("extra", 1)],
    ["a member too many in an object", changed("owner.extra", 1)],
    ["a member twice", written.replace("{", '{"createdMs":1,')],
    ["another order", JSON.stringify({ after: 0, ...JSON.parse(written) })],
    ["two paths", changed("realPathBase64", "L3g=")],
    ["an escape that is not needed", written.replace("/home", "\\u002fhome")],
    ["no JSON", written.slice(1)],
    ["a list", "[]"],
    ["nothing", "null"],
  ])("S19 refuses %s", (_, text) => {
    expect(text).not.toBe(written);
    expect(() => decodeMetadata(text)).toThrow(RecordCorruptError);
  });

  const wrong: readonly [string, readonly unknown[]][] = [
    ["engineVersion", [undefined, 1, "x".repeat(65), '"']],
    ["transactionId", [undefined, "", "0f8b8f0e", "0F8B8F0E-7D5C-4B5A-9B1E-1F2A3B4C5D6E"]],
    ["createdMs", [undefined, "1", -1, 1.5, 2 ** 53, null]],
    ["realPath", [undefined, "", "a\0b", "/x".repeat(2049), "\udc80", "\ud800", 1]],
    ["target", [undefined, null, [], {}]],
    ["target.file", [12, "-1", "01", String(2n ** 128n), undefined]],
    ["parent.device", [undefined, "x"]],
    ["permission.mode", [undefined, 0o10000, -1, "644"]],
    ["permission.owner", [undefined, "", "a b", 0]],
    ["permission.accessList", [undefined, "", "0".repeat(63), "A".repeat(64)]],
    ["owner.pid", [undefined, -1, 2 ** 32, "1"]],
    ["owner.startTime", [1, "", String(2n ** 64n)]],
    ["owner.bootId", ["", "a b", 1]],
    ["owner.bootTimeMs", ["1", -1]],
    ["owner.hostId", ["", "0".repeat(63)]],
    ["ownerLocks", [undefined, "", "fcntl", 1]],
    ["recordFile.device", [undefined, 1, "-1"]],
    ["before.sizeBytes", [undefined, -1, 128 * 1024 * 1024 + 1, 0.5, "1"]],
    ["after.sha256", [undefined, "", "0".repeat(65)]],
  ];
  test.each(wrong)("S19 refuses a wrong %s", (path, values) => {
    for (const value of values) {
      const text = changed(path, value);
      expect(() => decodeMetadata(text), String(value)).toThrow(RecordCorruptError);
    }
  });

  test("takes members that may be missing as missing", () => {
    for (const path of ["owner.startTime", "owner.bootId", "owner.hostId", "target.generation"]) {
      expect(encodeMetadata(decodeMetadata(changed(path, undefined)))).not.toBe(written);
    }
  });
});
