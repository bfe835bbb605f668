/**
 * Bytes <-> record: the fixed parts. Streaming the images is `record-writer.ts` and
 * `record-reader.ts`; the metadata text is `metadata-codec.ts`.
 *
 * The grammar. Whole numbers are unsigned and little-endian, `u32` has four bytes. Text is ASCII
 * unless said otherwise. Parts follow each other without a gap, and together they are the file.
 *
 *     record    = phase header before changes trailer
 *
 *     phase     = 512 bytes at 0, the one part that is written again, alone in its sector:
 *       0    8  "FEPHASE" and a line feed
 *       8    4  u32    1 = prepared, 2 = committed, 3 = doubtful
 *       12   4  u32    0
 *       16  36         transaction id
 *       52  64         id of the boot in which a sync failed, then zeros; only if doubtful
 *       116 364        zeros
 *       480 32         SHA-256 of bytes 0..479 of the block
 *
 *     header    = at 512:
 *       0    8  "FERECORD"
 *       8    4  u32    format version, 1
 *       12   4  u32    length of the metadata in bytes, at most 7560
 *       16   4  u32    length of the before-image in bytes
 *       20   4  u32    length of the after-image in bytes
 *       24   4  u32    form of `changes`: 0 = splices, 1 = raw
 *       28   4  u32    number of splices; 0 if raw
 *       32   4  u32    length of the inserted bytes; that of the after-image if raw
 *       36   4  u32    0
 *       40  32         SHA-256 of bytes 0..39 of the header and of the metadata
 *       72   …         metadata: one line of JSON in UTF-8
 *
 *     before    = the before-image, raw
 *
 *     changes   = the after-image, form 0: a table, then all inserted bytes in the table's order
 *       per splice: u32 offset in the before-image, u32 removed bytes, u32 inserted bytes
 *               | form 1: the after-image, raw; taken where it is not longer than form 0
 *
 *     trailer   = 48 bytes
 *       0    8  "FERECEND"
 *       8    8  u64    length of the whole file in bytes
 *       16  32         SHA-256 of `changes`
 *
 * Every version of the format keeps the eight bytes at 512 and the version after them. A reader
 * that does not know the version refuses the record and keeps it.
 *
 * Overhead beside before-image and inserted bytes: 512 + 72 + 7560 + 48 = 8 KiB at most, and twelve
 * bytes a splice.
 *
 * Why the phase block comes first: there its place is known before anything else is read, and the
 * header needs no padding to keep it alone in its sector.
 */
import { isUtf8 } from "node:buffer";
import { digestBytes, sha256 } from "./checksum.ts";
import { RecordCorruptError, RecordVersionError } from "./errors.ts";
import { maxImageBytes, maxMetadataBytes, maxPlaces, recordFormatVersion } from "./limits.ts";
import {
  bootIdPattern,
  decodeMetadata,
  maxBytesBeforePath,
  pathMemberText,
} from "./metadata-codec.ts";
import type { RecordMark, RecordMetadata, RecordPhase } from "./record.ts";

export const phaseBlockBytes = 512;
/** The phase block stands at the very beginning. */
export const phasePositionBytes = 0;
const headerPositionBytes: number = phaseBlockBytes;
export const headerFixedBytes = 72;
export const tableEntryBytes = 12;
export const trailerBytes = 48;
/** Most that has to be read to know a header. */
export const maxFrontBytes: number = phaseBlockBytes + headerFixedBytes + maxMetadataBytes;

const phaseMagic = Buffer.from("FEPHASE\n", "latin1");
const headerMagic = Buffer.from("FERECORD", "latin1");
const trailerMagic = Buffer.from("FERECEND", "latin1");
const phaseSumAt = phaseBlockBytes - digestBytes;
const headerSumAt = headerFixedBytes - digestBytes;
const phaseNumbers: Readonly<Record<RecordPhase, number>> = {
  prepared: 1,
  committed: 2,
  doubtful: 3,
};
const phases = Object.keys(phaseNumbers) as RecordPhase[];
const bootIdAt = 52;
const bootIdBytes = 64;

/** The numbers of a header; everything about where a part stands follows from them. */
export interface RecordShape {
  readonly metadataBytes: number;
  readonly beforeBytes: number;
  readonly afterBytes: number;
  readonly form: "splices" | "raw";
  readonly places: number;
  readonly insertedBytes: number;
}

/** Where the parts stand in the file, in bytes from its beginning. */
export interface RecordLayout {
  readonly beforeAt: number;
  readonly changesAt: number;
  /** Where the inserted bytes, or the raw after-image, begin. */
  readonly insertedAt: number;
  readonly trailerAt: number;
  readonly totalBytes: number;
}

export function layoutOf(shape: RecordShape): RecordLayout {
  const beforeAt = headerPositionBytes + headerFixedBytes + shape.metadataBytes;
  const changesAt = beforeAt + shape.beforeBytes;
  const insertedAt = changesAt + shape.places * tableEntryBytes;
  const trailerAt = insertedAt + shape.insertedBytes;
  return { beforeAt, changesAt, insertedAt, trailerAt, totalBytes: trailerAt + trailerBytes };
}

/** The phase block, all of it. A boot id that no record could hold is left out. */
export function encodePhaseBlock(
  phase: RecordPhase,
  transactionId: string,
  doubtBootId: string = "",
): Buffer {
  const block = Buffer.alloc(phaseBlockBytes);
  phaseMagic.copy(block, 0);
  block.writeUInt32LE(phaseNumbers[phase], 8);
  block.write(transactionId, 16, 36, "latin1");
  if (bootIdPattern.test(doubtBootId)) block.write(doubtBootId, bootIdAt, bootIdBytes, "latin1");
  sha256(block.subarray(0, phaseSumAt)).copy(block, phaseSumAt);
  return block;
}

/**
 * What a phase block says (R4). Error: `RecordCorruptError`, if it was written as a whole for this
 * transaction and says what this version does not know.
 */
export function decodePhase(block: Buffer, transactionId: string): RecordMark {
  const isWhole = sha256(block.subarray(0, phaseSumAt)).equals(block.subarray(phaseSumAt));
  const isIts = block.toString("latin1", 16, bootIdAt) === transactionId;
  if (!isWhole || !isIts || !block.subarray(0, 8).equals(phaseMagic)) return { phase: "prepared" };
  const number = block.readUInt32LE(8);
  const phase = phases.find((one) => phaseNumbers[one] === number);
  const bootId = block.toString("latin1", bootIdAt, bootIdAt + bootIdBytes).replace(/\0+$/, "");
  const known = phase === "doubtful" ? bootId : "";
  if (phase === undefined || !encodePhaseBlock(phase, transactionId, known).equals(block)) {
    throw new RecordCorruptError("its phase is one that this version does not know");
  }
  return phase === "doubtful" && bootId !== "" ? { phase, doubtBootId: bootId } : { phase };
}

/** The header: fixed part, sum and the text of the metadata. */
export function encodeHeader(shape: RecordShape, metadata: string): Buffer {
  const text = Buffer.from(metadata, "utf8");
  if (text.length !== shape.metadataBytes) {
    throw new RangeError(`The metadata take ${text.length} bytes, not ${shape.metadataBytes}`);
  }
  const header = Buffer.alloc(headerFixedBytes);
  headerMagic.copy(header, 0);
  header.writeUInt32LE(recordFormatVersion, 8);
  header.writeUInt32LE(shape.metadataBytes, 12);
  header.writeUInt32LE(shape.beforeBytes, 16);
  header.writeUInt32LE(shape.afterBytes, 20);
  header.writeUInt32LE(shape.form === "raw" ? 1 : 0, 24);
  header.writeUInt32LE(shape.places, 28);
  header.writeUInt32LE(shape.insertedBytes, 32);
  sha256(header.subarray(0, headerSumAt), text).copy(header, headerSumAt);
  return Buffer.concat([header, text]);
}

/**
 * The bytes that stand in the front of every sound record of `realPath`, and within how many: there
 * is one text for one meaning, so a front without them names another path. A front with them may
 * still be damaged.
 */
export function pathInFront(realPath: string): {
  readonly bytes: Buffer;
  readonly withinBytes: number;
} {
  const bytes = Buffer.from(pathMemberText(realPath), "utf8");
  const before = headerPositionBytes + headerFixedBytes + maxBytesBeforePath;
  return { bytes, withinBytes: before + bytes.length };
}

/** What the front of a record says, once its sum is right. */
export interface RecordFront extends RecordMark {
  readonly shape: RecordShape;
  readonly layout: RecordLayout;
  readonly metadata: RecordMetadata;
}

/**
 * Takes the front of a record apart: `front` is the beginning of the file, `sizeBytes` its length.
 *
 * Errors: `RecordVersionError`; `RecordCorruptError` for everything else that is wrong.
 */
export function decodeFront(front: Buffer, sizeBytes: number): RecordFront {
  const header = front.subarray(headerPositionBytes);
  if (header.length < headerFixedBytes)
    throw new RecordCorruptError("it is too short for a record");
  if (!header.subarray(0, 8).equals(headerMagic)) {
    throw new RecordCorruptError("it does not begin as a record does");
  }
  const version = header.readUInt32LE(8);
  if (version !== recordFormatVersion) throw new RecordVersionError(version);
  const shape = decodeShape(header);
  const text = header.subarray(headerFixedBytes, headerFixedBytes + shape.metadataBytes);
  const sum = header.subarray(headerSumAt, headerFixedBytes);
  if (
    text.length < shape.metadataBytes ||
    !sha256(header.subarray(0, headerSumAt), text).equals(sum)
  ) {
    throw new RecordCorruptError("its header does not have the checksum that it states");
  }
  if (!isUtf8(text)) throw new RecordCorruptError("its metadata are not UTF-8");
  const metadata = decodeMetadata(text.toString("utf8"));
  checkAgainstMetadata(shape, metadata);
  const layout = layoutOf(shape);
  if (layout.totalBytes !== sizeBytes) {
    throw new RecordCorruptError(`it has ${sizeBytes} bytes, not the stated ${layout.totalBytes}`);
  }
  const mark = decodePhase(front.subarray(0, phaseBlockBytes), metadata.transactionId);
  return { shape, layout, metadata, ...mark };
}

/**
 * Every number of the header, each in its range, so that nothing is read or allocated by a wild
 * one.
 */
function decodeShape(header: Buffer): RecordShape {
  const form = header.readUInt32LE(24);
  const shape: RecordShape = {
    metadataBytes: header.readUInt32LE(12),
    beforeBytes: header.readUInt32LE(16),
    afterBytes: header.readUInt32LE(20),
    form: form === 1 ? "raw" : "splices",
    places: header.readUInt32LE(28),
    insertedBytes: header.readUInt32LE(32),
  };
  const isInRange =
    form <= 1 &&
    header.readUInt32LE(36) === 0 &&
    shape.metadataBytes <= maxMetadataBytes &&
    shape.beforeBytes <= maxImageBytes &&
    shape.afterBytes <= maxImageBytes &&
    shape.insertedBytes <= shape.afterBytes &&
    (form === 1
      ? shape.places === 0 && shape.insertedBytes === shape.afterBytes
      : shape.places >= 1 && shape.places <= maxPlaces);
  if (!isInRange) throw new RecordCorruptError("a number in its header is out of range");
  return shape;
}

function checkAgainstMetadata(shape: RecordShape, { before, after }: RecordMetadata): void {
  if (before.sizeBytes !== shape.beforeBytes || after.sizeBytes !== shape.afterBytes) {
    throw new RecordCorruptError("its header and its metadata state different lengths");
  }
  if (before.sha256 === after.sha256) throw new RecordCorruptError("its two images are equal");
}

/** The trailer of a file of `totalBytes`, whose changes have the sum `changesSum`. */
export function encodeTrailer(totalBytes: number, changesSum: Uint8Array): Buffer {
  const trailer = Buffer.alloc(trailerBytes);
  trailerMagic.copy(trailer, 0);
  trailer.writeBigUInt64LE(BigInt(totalBytes), 8);
  trailer.set(changesSum, 16);
  return trailer;
}
