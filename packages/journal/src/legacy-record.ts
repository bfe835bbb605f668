/**
 * The older form of a record, one JSON object with both images in base64: read, never written.
 *
 * Members: `version` (1), `path`, `fileDev`, `fileIno`, `ownerPid`, either both or none of
 * `ownerBootTimeMs` and `transactionId`, `state`, `beforeBase64`, `afterBase64`, `beforeSha256`,
 * `afterSha256`, `checksum`. The checksum is the SHA-256 in hex of the text without that member,
 * the others in the order of the file and without white space. Any other set of members is
 * malformed.
 *
 * Its owner holds no locks, so what it says of its owner has to be judged. It knows neither the
 * volume nor the parent nor the permission of its target; see {@link unknownToLegacy}.
 */
import type { EntryStatus, FileIdentity, StoreFile } from "@fe/native";
import { bytesSource } from "./byte-source.ts";
import { sha256 } from "./checksum.ts";
import { RecordCorruptError, RecordVersionError } from "./errors.ts";
import { legacyStem, uuidPattern } from "./file-names.ts";
import { maxImageBytes, maxPathBytes } from "./limits.ts";
import { MemberReader } from "./member-reader.ts";
import type { RecordMetadata } from "./record.ts";
import type { VerifiedRecord } from "./record-reader.ts";

/** Both images in base64, a path of nothing but escapes, and the other members. */
export const maxLegacyRecordBytes: number =
  2 * 4 * Math.ceil(maxImageBytes / 3) + 6 * maxPathBytes + 4096;

const hex256 = /^[0-9a-f]{64}$/;
const max64 = 2n ** 64n - 1n;
const always = [
  "version",
  "path",
  "fileDev",
  "fileIno",
  "ownerPid",
  "state",
  "beforeBase64",
  "afterBase64",
  "beforeSha256",
  "afterSha256",
  "checksum",
];
const bothOrNone = ["ownerBootTimeMs", "transactionId"];

/**
 * Reads and verifies a record of the older form that stands under `stem`.
 *
 * `identity`: of the file that is about to be edited, if the stem was made from it.
 *
 * Errors: `RecordCorruptError`, `RecordVersionError`.
 */
export async function readLegacyRecord(
  file: Pick<StoreFile, "read">,
  status: Pick<EntryStatus, "sizeBytes" | "device" | "file" | "modifiedNs">,
  stem: string,
  identity?: FileIdentity,
): Promise<VerifiedRecord> {
  const members = MemberReader.parse(await readText(file, status.sizeBytes));
  const checksum = checkMembers(members);
  const device = number64(members, "fileDev");
  const inode = number64(members, "fileIno");
  if (legacyStem({ volume: 0n, device, file: inode }) !== stem) {
    throw new RecordCorruptError("it is of another file than its name says");
  }
  const before = image(members, "before");
  const after = image(members, "after");
  if (before.facts.sha256 === after.facts.sha256) {
    throw new RecordCorruptError("its two images are equal");
  }
  const transactionId = members.optionalText("transactionId", uuidPattern, 36);
  const bootTimeMs = members.optionalNumber("ownerBootTimeMs", Number.MAX_SAFE_INTEGER);
  const metadata: RecordMetadata = {
    ...unknownToLegacy,
    transactionId: transactionId ?? "",
    createdMs: Number(status.modifiedNs / 1_000_000n),
    realPath: members.text("path", /^[^\0]+$/, maxPathBytes),
    // The stem says device and inode, so a file that has this stem is the one that was meant.
    target: { volume: identity?.volume ?? device, file: inode, device },
    owner: {
      pid: members.integer("ownerPid", 2 ** 32 - 1),
      ...(bootTimeMs === undefined ? {} : { bootTimeMs }),
    },
    recordFile: { device: status.device, file: status.file },
    before: before.facts,
    after: after.facts,
  };
  return {
    metadata,
    phase: members.oneOf("state", ["prepared", "committed"]),
    before: bytesSource(before.bytes),
    after: bytesSource(after.bytes),
    madeFor: transactionId ?? checksum,
  };
}

/** What a record of the older form does not say. */
const unknownToLegacy: Pick<
  RecordMetadata,
  "engineVersion" | "parent" | "permission" | "ownerLocks"
> = {
  engineVersion: "",
  parent: { volume: 0n, file: 0n, device: 0n },
  permission: { mode: 0, owner: "", group: "", accessList: null, capabilities: null },
  ownerLocks: "none",
};

async function readText(file: Pick<StoreFile, "read">, sizeBytes: number): Promise<string> {
  const bytes = Buffer.alloc(sizeBytes);
  if ((await file.read(bytes, 0)) < sizeBytes) {
    throw new RecordCorruptError("it became shorter while it was read");
  }
  return bytes.toString("utf8");
}

/** Version, set of members and checksum; returns the checksum. */
function checkMembers(members: MemberReader): string {
  const version = members.value("version");
  if (typeof version === "number" && version !== 1) throw new RecordVersionError(version);
  members.oneOf("version", [1]);
  const names = members.names();
  const optional = bothOrNone.filter((name) => members.has(name));
  const isComplete = always.every((name) => members.has(name)) && optional.length !== 1;
  if (!isComplete || names.length !== always.length + optional.length) {
    throw new RecordCorruptError("it has other members than it should");
  }
  const checksum = members.text("checksum", hex256, 64);
  const others = names.filter((name) => name !== "checksum");
  const covered = Object.fromEntries(others.map((name) => [name, members.value(name)]));
  if (sha256(JSON.stringify(covered)).toString("hex") !== checksum) {
    throw new RecordCorruptError("it does not have the checksum that it states");
  }
  return checksum;
}

/** A number of 64 bits: as a number where that is exact, else in decimal digits. */
function number64(members: MemberReader, name: string): bigint {
  if (typeof members.value(name) === "string") return members.bigint(name, 0n, max64);
  return BigInt(members.integer(name, Number.MAX_SAFE_INTEGER));
}

function image(
  members: MemberReader,
  which: "before" | "after",
): { readonly bytes: Buffer; readonly facts: RecordMetadata["before"] } {
  const base64 = members.text(`${which}Base64`, /^/, 4 * Math.ceil(maxImageBytes / 3));
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > maxImageBytes || bytes.toString("base64") !== base64) {
    throw new RecordCorruptError(`its ${which}-image is not written as it may be`);
  }
  const digest = members.text(`${which}Sha256`, hex256, 64);
  if (sha256(bytes).toString("hex") !== digest) {
    throw new RecordCorruptError(`its ${which}-image does not have the checksum that it states`);
  }
  return { bytes, facts: { sizeBytes: bytes.length, sha256: digest } };
}

/** Most of a record that is read for its path; the images, which are long, come after it. */
const frontBytes = 64 * 1024;
const pathMember = /^\s*\{[^{}]*?"path"\s*:\s*("(?:[^"\\]|\\.)*")/;

/** The path that a record of the older form names, nothing verified; `undefined`: not found. */
export async function peekLegacyPath(
  file: Pick<StoreFile, "read">,
  sizeBytes: number,
): Promise<string | undefined> {
  const front = Buffer.alloc(Math.min(frontBytes, sizeBytes));
  const count = await file.read(front, 0);
  const quoted = pathMember.exec(front.toString("utf8", 0, count))?.[1];
  if (quoted === undefined) return undefined;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}
