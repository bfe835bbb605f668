/**
 * Reads a record from a file that nobody vouches for, and verifies all of it. Nothing is allocated
 * by a length that was not checked against a limit and the length of the file.
 */
import type { StoreFile } from "@fe/native";
import { type ByteSource, bytesSource, sectionSource } from "./byte-source.ts";
import { hashRange, newHash, sha256OfSource } from "./checksum.ts";
import { RecordCorruptError } from "./errors.ts";
import { chunkBytes, smallRecordBytes } from "./limits.ts";
import type { RecordMark, RecordMetadata } from "./record.ts";
import {
  decodeFront,
  encodeTrailer,
  maxFrontBytes,
  type RecordFront,
  type RecordShape,
  tableEntryBytes,
  trailerBytes,
} from "./record-codec.ts";
import { afterSourceOfTable, type SpliceTable } from "./splice.ts";

/** A record that was read to its end, every sum of it right. The sources read its file. */
export interface VerifiedRecord extends RecordMark {
  readonly metadata: RecordMetadata;
  readonly before: ByteSource;
  readonly after: ByteSource;
  /** What its tombstone is told by: the transaction id; a checksum where there is none. */
  readonly madeFor: string;
}

/** The bytes of a record file; one that ends early is malformed. */
function recordSource(file: Pick<StoreFile, "read">, sizeBytes: number): ByteSource {
  return {
    sizeBytes,
    async read(buffer, positionBytes) {
      const wanted = Math.max(0, Math.min(buffer.length, sizeBytes - positionBytes));
      const count = await file.read(buffer.subarray(0, wanted), positionBytes);
      if (count < wanted) throw new RecordCorruptError("it became shorter while it was read");
      return count;
    },
  };
}

/**
 * Reads only the front: metadata and phase, header sum and total length checked.
 *
 * Errors: `RecordCorruptError`, `RecordVersionError`.
 */
export async function readFront(
  file: Pick<StoreFile, "read">,
  sizeBytes: number,
): Promise<RecordFront> {
  const front = Buffer.alloc(Math.min(maxFrontBytes, sizeBytes));
  await recordSource(file, sizeBytes).read(front, 0);
  return decodeFront(front, sizeBytes);
}

/**
 * Reads and verifies all of a record: front, splices, trailer, and the sums of both images.
 *
 * Errors: `RecordCorruptError`, `RecordVersionError`.
 */
export async function readRecord(
  file: Pick<StoreFile, "read">,
  sizeBytes: number,
): Promise<VerifiedRecord> {
  let source = recordSource(file, sizeBytes);
  if (sizeBytes <= smallRecordBytes) {
    const bytes = Buffer.alloc(sizeBytes);
    await source.read(bytes, 0);
    source = bytesSource(bytes);
  }
  const front = await readFront(source, sizeBytes);
  const { shape, layout, metadata, phase, doubtBootId } = front;
  const changes = sectionSource(source, layout.changesAt, layout.trailerAt - layout.changesAt);
  const changesSum = newHash();
  const table = await readTable(changes, shape, changesSum);
  await hashRange(changesSum, changes, layout.insertedAt - layout.changesAt, changes.sizeBytes);
  const changesDigest = changesSum.digest();
  const trailer = Buffer.alloc(trailerBytes);
  await source.read(trailer, layout.trailerAt);
  if (!trailer.equals(encodeTrailer(sizeBytes, changesDigest))) {
    throw new RecordCorruptError("its trailer does not match its length and its changes");
  }
  const before = sectionSource(source, layout.beforeAt, shape.beforeBytes);
  const inserted = sectionSource(source, layout.insertedAt, shape.insertedBytes);
  const verified = { metadata, phase, doubtBootId, madeFor: metadata.transactionId };
  if (table === undefined) {
    check("before-image", await sha256OfSource(before), metadata.before.sha256);
    check("after-image", changesDigest.toString("hex"), metadata.after.sha256);
    return { ...verified, before, after: inserted };
  }
  const after = afterSourceOfTable(before, table, inserted);
  await checkImages(before, after, table.offsetBytes[0] ?? 0, metadata);
  return { ...verified, before, after };
}

/** Both sums; what stands before the first change is the same in both and hashed once. */
async function checkImages(
  before: ByteSource,
  after: ByteSource,
  firstChange: number,
  metadata: RecordMetadata,
): Promise<void> {
  const beforeHash = newHash();
  await hashRange(beforeHash, before, 0, firstChange);
  const afterHash = beforeHash.copy();
  await hashRange(beforeHash, before, firstChange, before.sizeBytes);
  check("before-image", beforeHash.digest("hex"), metadata.before.sha256);
  await hashRange(afterHash, after, firstChange, after.sizeBytes);
  check("after-image", afterHash.digest("hex"), metadata.after.sha256);
}

function check(what: string, found: string, stated: string): void {
  if (found !== stated) {
    throw new RecordCorruptError(`its ${what} does not have the checksum that it states`);
  }
}

/** The table of splices, in order and in range; `undefined` if the after-image is raw. */
async function readTable(
  changes: ByteSource,
  shape: RecordShape,
  sum: { update(bytes: Uint8Array): unknown },
): Promise<SpliceTable | undefined> {
  if (shape.form === "raw") return undefined;
  const table: SpliceTable = {
    count: shape.places,
    offsetBytes: new Uint32Array(shape.places),
    removedBytes: new Uint32Array(shape.places),
    insertedBytes: new Uint32Array(shape.places),
  };
  const entriesPerChunk = Math.floor(chunkBytes / tableEntryBytes);
  for (let first = 0; first < shape.places; first += entriesPerChunk) {
    const count = Math.min(entriesPerChunk, shape.places - first);
    const bytes = Buffer.allocUnsafe(count * tableEntryBytes);
    await changes.read(bytes, first * tableEntryBytes);
    sum.update(bytes);
    for (let index = 0; index < count; index++) {
      table.offsetBytes[first + index] = bytes.readUInt32LE(index * tableEntryBytes);
      table.removedBytes[first + index] = bytes.readUInt32LE(index * tableEntryBytes + 4);
      table.insertedBytes[first + index] = bytes.readUInt32LE(index * tableEntryBytes + 8);
    }
  }
  checkTable(table, shape);
  return table;
}

function checkTable(table: SpliceTable, shape: RecordShape): void {
  let end = 0;
  let inserted = 0;
  let after = shape.beforeBytes;
  for (let index = 0; index < table.count; index++) {
    const offset = table.offsetBytes[index] ?? 0;
    const removed = table.removedBytes[index] ?? 0;
    const added = table.insertedBytes[index] ?? 0;
    if (offset < end || offset + removed > shape.beforeBytes) {
      throw new RecordCorruptError(`its splice ${index} is out of order or out of range`);
    }
    end = offset + removed;
    inserted += added;
    after += added - removed;
  }
  if (inserted !== shape.insertedBytes || after !== shape.afterBytes) {
    throw new RecordCorruptError("its splices do not give an after-image of the stated length");
  }
}
