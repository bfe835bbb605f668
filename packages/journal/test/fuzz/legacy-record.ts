/**
 * Fuzz target: records of the older form, against a second reader that follows docs/protocol.md
 * section 10.1. What is accepted says the same as the JSON does; a changed bit of it is refused, or
 * says the same in another way, since JSON has several for one thing.
 */
import { createHash } from "node:crypto";
import { changeBytes, changeJson } from "../../../../scripts/fuzz/mutate.mjs";
import {
  attempt,
  digestOf,
  type FuzzTarget,
  type Meter,
  must,
  type Random,
} from "../../../../scripts/fuzz/target.mjs";
import { RecordCorruptError, RecordVersionError } from "../../src/errors.ts";
import { peekLegacyPath, readLegacyRecord } from "../../src/legacy-record.ts";
import type { VerifiedRecord } from "../../src/record-reader.ts";
import { MemoryFile } from "../memory-file.ts";
import { readAll } from "../read-all.ts";

type Members = Record<string, unknown>;

const hash = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const max64 = 2n ** 64n - 1n;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const device = 2049;
const inode = 12n;
const always = [
  ...["version", "path", "fileDev", "fileIno", "ownerPid", "state", "beforeBase64"],
  ...["afterBase64", "beforeSha256", "afterSha256", "checksum"],
];

function membersOf(input: Buffer): Members | undefined {
  try {
    const value: unknown = JSON.parse(input.toString("utf8"));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}

function number64(value: unknown): bigint | undefined {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  }
  if (typeof value !== "string" || !/^(0|[1-9]\d{0,19})$/.test(value)) return undefined;
  return BigInt(value) <= max64 ? BigInt(value) : undefined;
}

/** The stem that fits the numbers in it, so that most inputs get that far. */
function stemOf(members: Members | undefined): string {
  const dev = number64(members?.fileDev) ?? BigInt(device);
  return hash(`inode:${dev}:${number64(members?.fileIno) ?? inode}`);
}

function imageOf(members: Members, which: "before" | "after"): Buffer | undefined {
  const base64 = members[`${which}Base64`];
  if (typeof base64 !== "string") return undefined;
  const bytes = Buffer.from(base64, "base64");
  const isRight = bytes.toString("base64") === base64 && members[`${which}Sha256`] === hash(bytes);
  return isRight ? bytes : undefined;
}

/** By section 10.1; `undefined`: it is no such record. */
function readByWords(members: Members | undefined, stem: string) {
  if (members === undefined || members.version !== 1) return undefined;
  const names = Object.keys(members);
  const { path, ownerPid, ownerBootTimeMs, transactionId, state, checksum } = members;
  const hasBoth = Object.hasOwn(members, "ownerBootTimeMs");
  if (hasBoth !== Object.hasOwn(members, "transactionId")) return undefined;
  const known = hasBoth ? [...always, "ownerBootTimeMs", "transactionId"] : always;
  if (names.length !== known.length || !known.every((name) => names.includes(name))) {
    return undefined;
  }
  const others = names.filter((name) => name !== "checksum");
  const covered = JSON.stringify(Object.fromEntries(others.map((name) => [name, members[name]])));
  if (checksum !== hash(covered)) return undefined;
  if (typeof path !== "string" || path === "" || path.length > 4096 || path.includes("\0")) {
    return undefined;
  }
  if (!isPid(ownerPid) || (hasBoth && !isRun(ownerBootTimeMs, transactionId))) return undefined;
  if (state !== "prepared" && state !== "committed") return undefined;
  const [dev, ino] = [number64(members.fileDev), number64(members.fileIno)];
  if (dev === undefined || ino === undefined || hash(`inode:${dev}:${ino}`) !== stem) {
    return undefined;
  }
  const before = imageOf(members, "before");
  const after = imageOf(members, "after");
  if (before === undefined || after === undefined || before.equals(after)) return undefined;
  return { path, state, before, after, dev, ino };
}

function isPid(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
}

function isRun(bootTimeMs: unknown, transactionId: unknown): boolean {
  const isTime = typeof bootTimeMs === "number" && bootTimeMs >= 0;
  const isInRange = isTime && bootTimeMs <= Number.MAX_SAFE_INTEGER;
  return isInRange && typeof transactionId === "string" && uuid.test(transactionId);
}

async function read(input: Buffer, stem: string): Promise<VerifiedRecord | undefined> {
  const status = { sizeBytes: input.length, device: 1n, file: 2n, modifiedNs: 3_000_000n };
  const result = await attempt(
    () => readLegacyRecord(new MemoryFile(input), status, stem),
    (error) => error instanceof RecordCorruptError || error instanceof RecordVersionError,
  );
  return "value" in result ? result.value : undefined;
}

async function check(input: Buffer, meter: Meter): Promise<boolean> {
  const members = membersOf(input);
  // Now and then it stands under the name of one certain file, whatever it says.
  const stem = stemOf(digestOf(input) % 8 === 0 ? undefined : members);
  const start = meter.allocatedBytes();
  const record = await read(input, stem);
  const taken = meter.allocatedBytes() - start;
  must(taken <= 8 * input.length + 64 * 1024, "takes too much memory", () => `${taken}`);
  await peekLegacyPath(new MemoryFile(input), input.length);
  const found = readByWords(members, stem);
  if (record === undefined) {
    must(found === undefined, "refuses a record that is right");
    return false;
  }
  must(found !== undefined, "accepts what is not described");
  const { metadata, phase } = record;
  must(metadata.realPath === found.path && phase === found.state, "tells another path or phase");
  must(metadata.target.device === found.dev && metadata.target.file === found.ino, "another file");
  must((await readAll(record.before, 7)).equals(found.before), "gives another before-image");
  must((await readAll(record.after, 7)).equals(found.after), "gives another after-image");
  await checkDamaged(input, members ?? {}, stem);
  return true;
}

async function checkDamaged(input: Buffer, members: Members, stem: string): Promise<void> {
  const digest = digestOf(input);
  const damaged = Buffer.from(input);
  const at = digest % input.length;
  damaged[at] = (damaged[at] ?? 0) ^ (1 << (digest >>> 29));
  if ((await read(damaged, stem)) === undefined) return;
  const { checksum: _, ...says } = membersOf(damaged) ?? {};
  const { checksum: __, ...said } = members;
  const isSame = JSON.stringify(says) === JSON.stringify(said);
  must(isSame, "accepts a record with a bit changed", () => `byte ${at}`);
}

/** Makes the sums right again; now and then not all of them. */
function repair(input: Buffer, random: Random): Buffer {
  const members = membersOf(input);
  if (members === undefined) return input;
  const { checksum, ...rest } = members;
  for (const which of ["before", "after"] as const) {
    const base64 = rest[`${which}Base64`];
    if (typeof base64 !== "string" || random.chance(0.05)) continue;
    const bytes = Buffer.from(base64, "base64");
    if (random.chance(0.8)) rest[`${which}Base64`] = bytes.toString("base64");
    rest[`${which}Sha256`] = hash(bytes);
  }
  const sum = random.chance(0.05) ? checksum : hash(JSON.stringify(rest));
  return Buffer.from(JSON.stringify({ ...rest, checksum: sum }));
}

function change(input: Buffer, random: Random): Buffer {
  const around = { words, others: [input], maxBytes: 4096 };
  return repair((random.chance(0.9) ? changeJson : changeBytes)(input, random, around), random);
}

function seeds(): readonly Uint8Array[] {
  const images = { beforeBase64: "b25lIHR3byB0aHJlZQ==", afterBase64: "b25lIDIgdGhyZWU=" };
  const first = { version: 1, path: "/home/user/notes.md", fileDev: device, fileIno: 12 };
  const owner = { ownerBootTimeMs: 1_795_000_000_000, transactionId };
  const plain = { ...first, ownerPid: 4242, state: "prepared", ...images };
  return [
    plain,
    { ...plain, ...owner, state: "committed" },
    { ...plain, fileIno: "18446744073709551615" },
    { ...plain, version: 2 },
  ].map((members) => withSums(members));
}

const transactionId = "0f8b8f0e-7d5c-4b5a-9b1e-1f2a3b4c5d6e";

function withSums(members: Members): Buffer {
  const sum = (which: string): string => hash(Buffer.from(String(members[which]), "base64"));
  const all = { ...members, beforeSha256: sum("beforeBase64"), afterSha256: sum("afterBase64") };
  return Buffer.from(JSON.stringify({ ...all, checksum: hash(JSON.stringify(all)) }));
}

const words = [...always, "ownerBootTimeMs", "transactionId", "prepared", "committed"];

export const target: FuzzTarget = {
  name: "legacy-record",
  form: "json",
  words,
  maxBytes: 8192,
  seeds,
  change,
  check,
};
