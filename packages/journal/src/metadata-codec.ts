/**
 * The metadata of a record as readable text: one line of JSON, members always in the same order,
 * numbers of 64 and 128 bits as decimal strings.
 *
 * Reading is strict: every member has its form and range, and the text must be the very one that
 * writing gives. So there is one text for one meaning: no unknown or doubled member, no white
 * space.
 */
import {
  bytesToPath,
  type FileIdentity,
  identityFromJson,
  identityToJson,
  isUtf8Path,
  type PermissionIdentity,
  type ProcessIdentity,
  pathToBytes,
} from "@fe/native";
import { RecordCorruptError } from "./errors.ts";
import { uuidPattern } from "./file-names.ts";
import { maxEngineVersionLength, maxImageBytes, maxPathBytes } from "./limits.ts";
import { MemberReader } from "./member-reader.ts";
import type { ImageFacts, RecordMetadata } from "./record.ts";

const hex256 = /^[0-9a-f]{64}$/;
/** uid, gid or SID. */
const principal = /^[0-9A-Za-z-]{1,184}$/;
/** What a record can hold of a boot id. */
export const bootIdPattern: RegExp = /^[0-9A-Za-z-]{1,64}$/;
const version = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const max32 = 2n ** 32n - 1n;
const max64 = 2n ** 64n - 1n;
const max128 = 2n ** 128n - 1n;

/** The text of `metadata`. */
export function encodeMetadata(metadata: RecordMetadata): string {
  return completeMetadata(encodeMetadataDraft(metadata), metadata.before, metadata.after);
}

/** Everything about a record that is known before its images were read. */
export type MetadataDraft = Omit<RecordMetadata, "before" | "after">;

/** The text up to the images, which come last. */
export function encodeMetadataDraft(metadata: MetadataDraft): string {
  const text = JSON.stringify({
    engineVersion: metadata.engineVersion,
    transactionId: metadata.transactionId,
    createdMs: metadata.createdMs,
    ...encodePath(metadata.realPath),
    target: identityToJson(metadata.target),
    parent: identityToJson(metadata.parent),
    permission: {
      mode: metadata.permission.mode,
      owner: metadata.permission.owner,
      group: metadata.permission.group,
      accessList: metadata.permission.accessList,
      capabilities: metadata.permission.capabilities,
    },
    owner: encodeOwner(metadata.owner),
    ownerLocks: metadata.ownerLocks,
    recordFile: {
      device: String(metadata.recordFile.device),
      file: String(metadata.recordFile.file),
    },
  });
  return text.slice(0, -1);
}

/** The whole text. */
export function completeMetadata(draft: string, before: ImageFacts, after: ImageFacts): string {
  return `${draft},"before":${encodeImage(before)},"after":${encodeImage(after)}}`;
}

function encodeImage({ sizeBytes, sha256 }: ImageFacts): string {
  return `{"sizeBytes":${sizeBytes},"sha256":"${sha256}"}`;
}

/** Text that JSON leaves as it is, so that it is never longer than the same in base64. */
const plainPath = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

/** As text where that is exact and not longer; the bytes in base64 otherwise. */
export function encodePath(realPath: string): object {
  if (plainPath.test(realPath)) return { realPath };
  const base64 = pathToBytes(realPath).toString("base64");
  const isText =
    isUtf8Path(realPath) && Buffer.byteLength(JSON.stringify(realPath)) <= base64.length + 2;
  return isText ? { realPath } : { realPathBase64: base64 };
}

/** The member that names the path, as it stands in the text of a record. */
export function pathMemberText(realPath: string): string {
  return JSON.stringify(encodePath(realPath)).slice(1, -1);
}

/** Most that stands in the text before that member; it takes 168 bytes at its longest. */
export const maxBytesBeforePath = 256;

/** `undefined` members are left out by JSON. */
function encodeOwner(owner: ProcessIdentity): object {
  return {
    pid: owner.pid,
    startTime: decimal(owner.startTime),
    bootId: owner.bootId,
    bootTimeMs: owner.bootTimeMs,
    pidNamespace: decimal(owner.pidNamespace),
    hostId: owner.hostId,
  };
}

function decimal(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/**
 * Reads the text of a record's metadata.
 *
 * Errors: `RecordCorruptError` naming the member that is wrong.
 */
export function decodeMetadata(text: string): RecordMetadata {
  const members = MemberReader.parse(text);
  const metadata: RecordMetadata = {
    engineVersion: members.text("engineVersion", version, maxEngineVersionLength),
    transactionId: members.text("transactionId", uuidPattern, 36),
    createdMs: members.integer("createdMs", Number.MAX_SAFE_INTEGER),
    realPath: decodePath(members),
    target: decodeIdentity(members, "target"),
    parent: decodeIdentity(members, "parent"),
    permission: decodePermission(members.object("permission")),
    owner: decodeOwner(members.object("owner")),
    ownerLocks: members.oneOf("ownerLocks", ["flock", "none"]),
    recordFile: decodeRecordFile(members.object("recordFile")),
    before: decodeImage(members.object("before")),
    after: decodeImage(members.object("after")),
  };
  if (encodeMetadata(metadata) !== text) {
    throw new RecordCorruptError("its metadata are not written the one way they may be");
  }
  return metadata;
}

export function decodePath(members: MemberReader): string {
  let path: string;
  if (members.has("realPathBase64")) {
    const base64 = members.text("realPathBase64", /^[0-9A-Za-z+/]+={0,2}$/, maxPathBytes * 2);
    path = bytesToPath(Buffer.from(base64, "base64"));
  } else {
    path = members.text("realPath", /^[^\0]+$/, maxPathBytes);
  }
  const isText = !members.has("realPath") || isUtf8Path(path);
  if (!isText || path.includes("\0") || pathToBytes(path).length > maxPathBytes) {
    throw new RecordCorruptError("the path in its metadata is not a path");
  }
  return path;
}

function decodeIdentity(members: MemberReader, name: string): FileIdentity {
  try {
    return identityFromJson(members.value(name));
  } catch (cause) {
    throw new RecordCorruptError(`the member "${name}" of its metadata is wrong`, { cause });
  }
}

function decodePermission(members: MemberReader): PermissionIdentity {
  return {
    mode: members.integer("mode", 0o7777),
    owner: members.text("owner", principal, 184),
    group: members.text("group", principal, 184),
    accessList: members.textOrNull("accessList", hex256, 64),
    capabilities: members.textOrNull("capabilities", hex256, 64),
  };
}

function decodeOwner(members: MemberReader): ProcessIdentity {
  const startTime = members.optionalBigint("startTime", 0n, max64);
  const boot = members.optionalText("bootId", bootIdPattern, 64);
  const bootTimeMs = members.optionalNumber("bootTimeMs", Number.MAX_SAFE_INTEGER);
  const pidNamespace = members.optionalBigint("pidNamespace", 0n, max64);
  const hostId = members.optionalText("hostId", hex256, 64);
  return {
    pid: members.integer("pid", Number(max32)),
    ...(startTime === undefined ? {} : { startTime }),
    ...(boot === undefined ? {} : { bootId: boot }),
    ...(bootTimeMs === undefined ? {} : { bootTimeMs }),
    ...(pidNamespace === undefined ? {} : { pidNamespace }),
    ...(hostId === undefined ? {} : { hostId }),
  };
}

function decodeRecordFile(members: MemberReader): RecordMetadata["recordFile"] {
  return {
    device: members.bigint("device", 0n, max64),
    file: members.bigint("file", 0n, max128),
  };
}

function decodeImage(members: MemberReader): ImageFacts {
  return {
    sizeBytes: members.integer("sizeBytes", maxImageBytes),
    sha256: members.text("sha256", hex256, 64),
  };
}
