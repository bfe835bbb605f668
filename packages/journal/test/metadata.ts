/** Metadata for tests of the format: one plain set, and random ones up to every limit. */

import type { FileIdentity, PermissionIdentity, ProcessIdentity } from "@fe/native";
import { bytesToPath } from "@fe/native";
import fc from "fast-check";
import type { MetadataDraft } from "../src/metadata-codec.ts";

export const plainMetadata: MetadataDraft = {
  engineVersion: "0.1.0",
  transactionId: "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e",
  createdMs: 1_796_000_000_000,
  realPath: "/home/user/notes.md",
  target: { volume: 11n, file: 12n, birthTimeNs: 13n, generation: 14n, device: 2049n },
  parent: { volume: 11n, file: 2n, birthTimeNs: 3n, device: 2049n },
  permission: { mode: 0o644, owner: "1000", group: "1000", accessList: null, capabilities: null },
  owner: {
    pid: 4242,
    startTime: 123_456n,
    bootId: "5f0c8a52-1f0e-4c52-8f4e-2b7c7f6f2a11",
    bootTimeMs: 1_795_000_000_000,
    pidNamespace: 4_026_531_836n,
    hostId: "ab".repeat(32),
  },
  ownerLocks: "flock",
  recordFile: { device: 2049n, file: 99n },
};

const hex256 = fc.stringMatching(/^[0-9a-f]{64}$/);
const unsigned64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const unsigned128 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
const signed64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Drops members that are `undefined`, as the interfaces want it. */
function compact<Value extends object>(value: object): Value {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members) as Value;
}

const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

const identity = fc
  .record({
    volume: unsigned128,
    file: unsigned128,
    birthTimeNs: optional(signed64),
    generation: optional(unsigned64),
    handle: optional(fc.stringMatching(/^(?:[0-9a-f]{2}){4,132}$/)),
    device: unsigned64,
  })
  .map((value) => compact<FileIdentity>(value));

const permission: fc.Arbitrary<PermissionIdentity> = fc.record({
  mode: fc.nat(0o7777),
  owner: fc.constantFrom("0", "4294967295", "S-1-5-21-1004336348-1177238915-682003330-512"),
  group: fc.constantFrom("0", "1000"),
  accessList: fc.option(hex256),
  capabilities: fc.option(hex256),
});

const owner = fc
  .record({
    pid: fc.nat(4_194_304),
    startTime: optional(unsigned64),
    bootId: optional(fc.uuid()),
    bootTimeMs: optional(fc.double({ min: 0, max: 1e13, noNaN: true })),
    pidNamespace: optional(unsigned64),
    hostId: optional(hex256),
  })
  .map((value) => compact<ProcessIdentity>(value));

/** Paths of any bytes but NUL, long ones among them. */
export const arbitraryPath: fc.Arbitrary<string> = fc
  .oneof(
    fc.uint8Array({ min: 1, maxLength: 4095 }),
    fc.constantFrom(1, 31, 97, 0x80, 0xff).map((byte) => new Uint8Array(4095).fill(byte)),
    fc.string({ unit: "binary", maxLength: 200 }).map((name) => Buffer.from(name)),
  )
  .map((bytes) => `/${bytesToPath(bytes.filter((byte) => byte !== 0))}`);

export const arbitraryMetadata: fc.Arbitrary<MetadataDraft> = fc.record({
  engineVersion: fc.stringMatching(/^[0-9A-Za-z.+-]{1,64}$/),
  transactionId: fc.uuid({ version: 4 }),
  createdMs: fc.nat(2_000_000_000_000),
  realPath: arbitraryPath,
  target: identity,
  parent: identity,
  permission,
  owner,
  ownerLocks: fc.constantFrom("flock" as const, "none" as const),
  recordFile: fc.record({ device: unsigned64, file: unsigned128 }),
});
