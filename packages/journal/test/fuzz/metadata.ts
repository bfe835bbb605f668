/**
 * Fuzz target: the text of a record's metadata. What is read is written again to the same text, and
 * every number and text of it is in the range that docs/protocol.md section 3.3 gives it.
 */
import { pathToBytes } from "@fe/native";
import { attempt, type Fixture, type FuzzTarget, must } from "../../../../scripts/fuzz/target.mjs";
import { RecordCorruptError } from "../../src/errors.ts";
import { decodeMetadata, encodeMetadata } from "../../src/metadata-codec.ts";
import type { RecordMetadata } from "../../src/record.ts";
import { takeApart } from "./record-parts.ts";

const max64 = 2n ** 64n - 1n;
const max128 = 2n ** 128n - 1n;
const hex256 = /^[0-9a-f]{64}$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function isWithin(value: bigint | undefined, max: bigint, min = 0n): boolean {
  return value === undefined || (value >= min && value <= max);
}

function isWhole(value: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= max;
}

function isIdentity(identity: RecordMetadata["target"]): boolean {
  const { volume, file, birthTimeNs, generation, handle, device } = identity;
  return (
    isWithin(volume, max128) &&
    isWithin(file, max128) &&
    isWithin(birthTimeNs, 2n ** 63n - 1n, -(2n ** 63n)) &&
    isWithin(generation, max64) &&
    isWithin(device, max64) &&
    (handle === undefined || /^([0-9a-f]{2}){4,132}$/.test(handle))
  );
}

function isOwner(owner: RecordMetadata["owner"]): boolean {
  const { pid, startTime, bootId, bootTimeMs, pidNamespace, hostId } = owner;
  return (
    isWhole(pid, 2 ** 32 - 1) &&
    isWithin(startTime, max64) &&
    isWithin(pidNamespace, max64) &&
    (bootId === undefined || /^[0-9A-Za-z-]{1,64}$/.test(bootId)) &&
    (bootTimeMs === undefined || (bootTimeMs >= 0 && bootTimeMs <= Number.MAX_SAFE_INTEGER)) &&
    (hostId === undefined || hex256.test(hostId))
  );
}

function isPermission(permission: RecordMetadata["permission"]): boolean {
  const { mode, owner, group, accessList, capabilities } = permission;
  return (
    isWhole(mode, 0o7777) &&
    [owner, group].every((id) => /^[0-9A-Za-z-]{1,184}$/.test(id)) &&
    [accessList, capabilities].every((sum) => sum === null || hex256.test(sum))
  );
}

/** The members of the metadata that are out of range. */
function wrongMembers(metadata: RecordMetadata): readonly string[] {
  const { realPath, before, after, recordFile } = metadata;
  const bytes = pathToBytes(realPath);
  const holds: Readonly<Record<string, boolean>> = {
    engineVersion: /^[ !#-[\]-~]{0,64}$/.test(metadata.engineVersion),
    transactionId: uuid.test(metadata.transactionId),
    createdMs: isWhole(metadata.createdMs, Number.MAX_SAFE_INTEGER),
    realPath: bytes.length > 0 && bytes.length <= 4096 && !bytes.includes(0),
    target: isIdentity(metadata.target),
    parent: isIdentity(metadata.parent),
    permission: isPermission(metadata.permission),
    owner: isOwner(metadata.owner),
    ownerLocks: ["flock", "none"].includes(metadata.ownerLocks),
    recordFile: isWithin(recordFile.device, max64) && isWithin(recordFile.file, max128),
    images: [before, after].every(
      ({ sizeBytes, sha256 }) => isWhole(sizeBytes, 134_217_728) && hex256.test(sha256),
    ),
  };
  return Object.keys(holds).filter((name) => holds[name] !== true);
}

async function check(input: Buffer): Promise<boolean> {
  const text = input.toString("utf8");
  const result = await attempt(
    () => decodeMetadata(text),
    (error) => error instanceof RecordCorruptError,
  );
  if ("refusal" in result) return false;
  const wrong = wrongMembers(result.value);
  must(wrong.length === 0, "accepts what is out of range", () => wrong.join(", "));
  must(encodeMetadata(result.value) === text, "writes another text than it read");
  return true;
}

function seeds(fixture: Fixture): readonly Uint8Array[] {
  const hex = fixture("record-v1.hex").toString("latin1").replaceAll("\n", "");
  const { metadata } = takeApart(Buffer.from(hex, "hex"));
  const { realPath: _, ...others } = JSON.parse(metadata);
  const { engineVersion, transactionId, createdMs, ...rest } = others;
  const first = { engineVersion, transactionId, createdMs };
  const { pid } = rest.owner;
  const { volume, file, device } = rest.target;
  return [
    metadata,
    JSON.stringify({ ...first, realPathBase64: "L3j/eQ==", ...rest }),
    // As long as a path may be.
    JSON.stringify({ ...first, realPath: `/${"é".repeat(2047)}`, ...rest }),
    JSON.stringify({ ...first, realPath: "/x", ...rest, owner: { pid } }),
    JSON.stringify({ ...first, realPath: "/x", ...rest, target: { volume, file, device } }),
    "{}",
  ].map((text) => Buffer.from(text));
}

export const target: FuzzTarget = {
  name: "metadata",
  form: "json",
  words: [
    ...["engineVersion", "transactionId", "createdMs", "realPath", "realPathBase64", "target"],
    ...["parent", "permission", "owner", "ownerLocks", "recordFile", "before", "after", "volume"],
    ...["file", "birthTimeNs", "generation", "handle", "device", "mode", "group", "accessList"],
    ...["capabilities", "pid", "startTime", "bootId", "bootTimeMs", "pidNamespace", "hostId"],
    ...["sizeBytes", "sha256", "flock", "none", "00000000"],
  ],
  maxBytes: 8192,
  seeds,
  check,
};
