/**
 * Fuzz target: the record reader, against a second reader that follows docs/protocol.md section 3
 * word by word. The two must agree on every input; what both accept must be written again to the
 * same bytes, and one changed bit of it must be refused, or be in the phase block.
 */
import {
  attempt,
  digestOf,
  type FuzzTarget,
  type Meter,
  must,
} from "../../../../scripts/fuzz/target.mjs";
import { RecordCorruptError, RecordVersionError } from "../../src/errors.ts";
import { decodeMetadata, encodeMetadata } from "../../src/metadata-codec.ts";
import type { RecordMark, RecordMetadata } from "../../src/record.ts";
import {
  encodeHeader,
  encodePhaseBlock,
  encodeTrailer,
  type RecordShape,
} from "../../src/record-codec.ts";
import { readFront, readRecord, type VerifiedRecord } from "../../src/record-reader.ts";
import { readAll } from "../read-all.ts";
import { change, maxBytes, seeds, words } from "./record-changes.ts";
import { afterOf, type Entry, phaseBytes, sha256 } from "./record-parts.ts";

const maxImage = 128 * 1024 * 1024;

/** What the second reader finds in a record that is right. */
interface Found {
  readonly shape: RecordShape;
  readonly metadata: RecordMetadata;
  readonly mark: RecordMark;
  readonly before: Buffer;
  readonly after: Buffer;
}

/** A file in memory that says where it was read. */
class WatchedFile {
  readonly #bytes: Buffer;
  readonly #sizeBytes: number;

  constructor(bytes: Buffer, sizeBytes: number = bytes.length) {
    this.#bytes = bytes;
    this.#sizeBytes = sizeBytes;
  }

  async read(buffer: Uint8Array, positionBytes: number): Promise<number> {
    const isWithin = positionBytes >= 0 && positionBytes + buffer.length <= this.#sizeBytes;
    must(isWithin, "reads beyond the file", () => `${buffer.length} bytes at ${positionBytes}`);
    const piece = this.#bytes.subarray(positionBytes, positionBytes + buffer.length);
    buffer.set(piece);
    return piece.length;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof RecordCorruptError || error instanceof RecordVersionError;
}

/** A record by section 3.5, steps 2 to 8; `undefined` if it is none. */
function readByGrammar(record: Buffer): Found | undefined {
  if (record.length < phaseBytes + 72 + 48) return undefined;
  const header = record.subarray(phaseBytes, phaseBytes + 72);
  if (header.toString("latin1", 0, 8) !== "FERECORD") return undefined;
  const numbers = Array.from({ length: 8 }, (_, index) => header.readUInt32LE(8 + index * 4));
  const [version = 0, textBytes = 0, beforeBytes = 0, afterBytes = 0, form = 0] = numbers;
  const [places = 0, insertedBytes = 0, zero = 0] = numbers.slice(5);
  if (version !== 1 || textBytes > 7560 || beforeBytes > maxImage || afterBytes > maxImage) {
    return undefined;
  }
  if (zero !== 0 || form > 1 || places > 1_000_000) return undefined;
  if (form === 1 ? places !== 0 || insertedBytes !== afterBytes : places === 0) return undefined;
  if (insertedBytes > afterBytes) return undefined;
  const beforeAt = phaseBytes + 72 + textBytes;
  const changesAt = beforeAt + beforeBytes;
  const trailerAt = changesAt + places * 12 + insertedBytes;
  if (trailerAt + 48 !== record.length) return undefined;
  const text = record.subarray(phaseBytes + 72, beforeAt);
  if (!sha256(header.subarray(0, 40), text).equals(header.subarray(40))) return undefined;
  const metadata = metadataOf(text);
  const changes = record.subarray(changesAt, trailerAt);
  const trailer = record.subarray(trailerAt);
  if (metadata === undefined || trailer.toString("latin1", 0, 8) !== "FERECEND") return undefined;
  if (trailer.readBigUInt64LE(8) !== BigInt(record.length)) return undefined;
  if (!sha256(changes).equals(trailer.subarray(16))) return undefined;
  const table = form === 1 ? undefined : tableOf(changes, places, beforeBytes, insertedBytes);
  if (table === "wrong") return undefined;
  const before = record.subarray(beforeAt, changesAt);
  const after = afterOf({ before, table, inserted: changes.subarray(places * 12) });
  if (!isImage(before, metadata.before) || !isImage(after, metadata.after)) return undefined;
  if (after.length !== afterBytes || before.equals(after)) return undefined;
  const shape: RecordShape = {
    metadataBytes: textBytes,
    beforeBytes,
    afterBytes,
    form: form === 1 ? "raw" : "splices",
    places,
    insertedBytes,
  };
  const mark = markOf(record.subarray(0, phaseBytes), metadata.transactionId);
  return mark && { shape, metadata, mark, before, after };
}

/** The text is a target of its own (metadata.ts). */
function metadataOf(bytes: Buffer): RecordMetadata | undefined {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) return undefined;
  try {
    return decodeMetadata(text);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

function tableOf(
  changes: Buffer,
  places: number,
  beforeBytes: number,
  insertedBytes: number,
): Entry[] | "wrong" {
  const table: Entry[] = [];
  let end = 0;
  let inserted = 0;
  for (let at = 0; at < places * 12; at += 12) {
    const offset = changes.readUInt32LE(at);
    const removed = changes.readUInt32LE(at + 4);
    const length = changes.readUInt32LE(at + 8);
    if (offset < end || offset + removed > beforeBytes) return "wrong";
    end = offset + removed;
    inserted += length;
    table.push([offset, removed, length]);
  }
  return inserted === insertedBytes ? table : "wrong";
}

function isImage(image: Buffer, facts: RecordMetadata["before"]): boolean {
  return facts.sizeBytes === image.length && facts.sha256 === sha256(image).toString("hex");
}

/** What a phase block says; `undefined`: it is whole, and says what nobody knows. */
function markOf(block: Buffer, transactionId: string): RecordMark | undefined {
  const isIts = block.toString("latin1", 0, 8) === "FEPHASE\n";
  const isSame = block.toString("latin1", 16, 52) === transactionId;
  const isWhole = sha256(block.subarray(0, 480)).equals(block.subarray(480));
  // A torn one: the careful answer.
  if (!isIts || !isSame || !isWhole) return { phase: "prepared" };
  const number = block.readUInt32LE(8);
  const [bootId = ""] = block.toString("latin1", 52, 116).split("\0");
  const isRest = block.subarray(52 + bootId.length, 480).every((byte) => byte === 0);
  if (!isRest || block.readUInt32LE(12) !== 0) return undefined;
  if (number === 3 && bootId === "") return { phase: "doubtful" };
  if (number === 3 && /^[0-9A-Za-z-]{1,64}$/.test(bootId)) {
    return { phase: "doubtful", doubtBootId: bootId };
  }
  if (bootId !== "") return undefined;
  return number === 1 || number === 2
    ? { phase: number === 1 ? "prepared" : "committed" }
    : undefined;
}

/**
 * The file, the front twice, a piece of each image, and what holds a table; not what a number in
 * the record says.
 */
function mayTake(input: Buffer): number {
  return 6 * input.length + 64 * 1024;
}

async function readAnything(input: Buffer, sizeBytes: number): Promise<VerifiedRecord | undefined> {
  const file = new WatchedFile(input, sizeBytes);
  const result = await attempt(() => readRecord(file, sizeBytes), isRefusal);
  return "value" in result ? result.value : undefined;
}

async function check(input: Buffer, meter: Meter): Promise<boolean> {
  const start = meter.allocatedBytes();
  const file = new WatchedFile(input);
  const whole = await attempt(() => readRecord(file, input.length), isRefusal);
  const taken = meter.allocatedBytes() - start;
  must(taken <= mayTake(input), "takes too much memory", () => `${taken} for ${input.length}`);
  const front = await attempt(() => readFront(file, input.length), isRefusal);
  const found = readByGrammar(input);
  if ("refusal" in whole) {
    must(found === undefined, "refuses a record that is right", () => whole.refusal.message);
    return false;
  }
  must(found !== undefined, "accepts what the grammar forbids");
  must("value" in front, "refuses the front of a record that it accepts");
  const { value: record } = whole;
  for (const { phase, doubtBootId } of [record, front.value]) {
    const isSame = phase === found.mark.phase && doubtBootId === found.mark.doubtBootId;
    must(isSame, "tells another phase", () => phase);
  }
  must((await readAll(record.before, 7)).equals(found.before), "gives another before-image");
  must((await readAll(record.after, 7)).equals(found.after), "gives another after-image");
  checkWrittenAgain(input, found, record);
  await checkDamaged(input, found, record);
  return true;
}

/** All but a phase block that is neither of the two is as it would be written. */
function checkWrittenAgain(input: Buffer, { shape, before }: Found, record: VerifiedRecord): void {
  const { metadata, phase, doubtBootId } = record;
  const header = encodeHeader(shape, encodeMetadata(metadata));
  const changesAt = phaseBytes + header.length + before.length;
  const changes = input.subarray(changesAt, -48);
  const trailer = encodeTrailer(input.length, sha256(changes));
  const again = Buffer.concat([header, before, changes, trailer]);
  must(again.equals(input.subarray(phaseBytes)), "writes another record than it read");
  const block = encodePhaseBlock(phase, metadata.transactionId, doubtBootId);
  const isBlock = block.equals(input.subarray(0, phaseBytes));
  must(phase === "prepared" || isBlock, "takes a block for more that is another");
}

/** One harm each time; over many inputs each has its turn, at every place. */
async function checkDamaged(
  input: Buffer,
  { shape }: Found,
  record: VerifiedRecord,
): Promise<void> {
  const digest = digestOf(input);
  const place = Math.imul(digest, 0x9e37_79b1) >>> 8;
  const cut = input.subarray(0, place % input.length);
  if (digest % 8 === 0) {
    const longer = Buffer.concat([input, Buffer.alloc(1)]);
    must(!(await readAnything(longer, longer.length)), "accepts a byte behind the record");
  } else if (digest % 8 === 1) {
    must(!(await readAnything(cut, cut.length)), "accepts a record that was cut off");
  } else if (digest % 8 === 2) {
    must(!(await readAnything(cut, input.length)), "accepts a file that became shorter");
  } else {
    // Each part as often as the others: the images are short.
    const beforeAt = phaseBytes + 72 + shape.metadataBytes;
    const bounds = [0, phaseBytes, beforeAt, beforeAt + shape.beforeBytes, input.length - 48];
    const part = (digest >>> 3) % bounds.length;
    const from = bounds[part] ?? 0;
    const to = bounds[part + 1] ?? input.length;
    const at = to > from ? from + (place % (to - from)) : from - 1;
    const bit = place % 8;
    const damaged = Buffer.from(input);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
    const again = await readAnything(damaged, damaged.length);
    const where = (): string => `bit ${bit} of byte ${at}`;
    if (at >= phaseBytes) must(again === undefined, "accepts a record with a bit changed", where);
    else must(again?.phase === "prepared", "takes a damaged phase block for more", where);
    if (again !== undefined) must(again.madeFor === record.madeFor, "tells another transaction");
  }
}

export const target: FuzzTarget = {
  name: "record",
  form: "bytes",
  words,
  maxBytes,
  seeds,
  change,
  check,
};
