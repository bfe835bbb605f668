/**
 * Writes a record into a file that nobody sees yet: `draft.before` is read once, hashed and written
 * in the same pass. The header, which states the sums, comes last, at its place in front.
 *
 * Syncs and names are `durable-write.ts`; the grammar is `record-codec.ts`.
 */
import type { StoreFile } from "@fe/native";
import { type ByteSource, bytesSource, sectionSource } from "./byte-source.ts";
import { newHash, sha256 } from "./checksum.ts";
import { copyBefore } from "./copy-before.ts";
import { writeAll } from "./durable-write.ts";
import { ImageTooLargeError, SourceChangedError, TooManyPlacesError } from "./errors.ts";
import { HashedOutput } from "./hashed-output.ts";
import { ImageHasher, type ImageSummer, type ImageSums } from "./image-hasher.ts";
import type { ImagesInMemory } from "./journal-types.ts";
import {
  chunkBytes,
  maxImageBytes,
  maxMetadataBytes,
  maxPlaces,
  smallRecordBytes,
} from "./limits.ts";
import { completeMetadata, encodeMetadataDraft, type MetadataDraft } from "./metadata-codec.ts";
import type { ImageFacts } from "./record.ts";
import {
  encodeHeader,
  encodePhaseBlock,
  encodeTrailer,
  layoutOf,
  type RecordLayout,
  type RecordShape,
  tableEntryBytes,
  trailerBytes,
} from "./record-codec.ts";
import { afterSizeBytes, afterSource, type Splice } from "./splice.ts";

/** The change that a record is to hold, and how large its parts will be. */
export interface PlannedImages {
  readonly before: ByteSource;
  readonly inMemory?: ImagesInMemory | undefined;
  readonly splices: readonly Splice[];
  readonly shape: Omit<RecordShape, "metadataBytes">;
}

/** What was written. The sources read the record, not the target. */
export interface WrittenRecord {
  readonly before: ByteSource;
  readonly after: ByteSource;
  readonly beforeImage: ImageFacts;
  readonly afterImage: ImageFacts;
}

/**
 * Chooses the form of a record. Nothing has been read or allocated when a limit is found broken.
 *
 * Errors: `ImageTooLargeError`, `TooManyPlacesError`; `RangeError` for splices that are out of
 * order, for none, and for images in memory that are not those.
 */
export function planImages(
  before: ByteSource,
  splices: readonly Splice[],
  inMemory?: ImagesInMemory,
): PlannedImages {
  const beforeBytes = before.sizeBytes;
  if (beforeBytes > maxImageBytes) {
    throw new ImageTooLargeError("before", beforeBytes, maxImageBytes);
  }
  if (splices.length > maxPlaces) throw new TooManyPlacesError(splices.length, maxPlaces);
  if (splices.length === 0) throw new RangeError("A record of no change is no record");
  const afterBytes = afterSizeBytes(beforeBytes, splices);
  if (afterBytes > maxImageBytes) throw new ImageTooLargeError("after", afterBytes, maxImageBytes);
  if (inMemory !== undefined && before.bytes === undefined) {
    throw new RangeError("Only of bytes in memory can the sum be known before they are recorded");
  }
  if (inMemory !== undefined && inMemory.after.bytes.length !== afterBytes) {
    throw new RangeError("The after-image in memory is not as long as the splices make it");
  }
  const insertedBytes = splices.reduce((sum, splice) => sum + splice.inserted.length, 0);
  const isRaw = afterBytes <= splices.length * tableEntryBytes + insertedBytes;
  return {
    before,
    inMemory,
    splices,
    shape: {
      beforeBytes,
      afterBytes,
      form: isRaw ? "raw" : "splices",
      places: isRaw ? 0 : splices.length,
      insertedBytes: isRaw ? afterBytes : insertedBytes,
    },
  };
}

/**
 * Writes the whole record, phase `prepared`.
 *
 * Errors: `SourceChangedError`; `RangeError` if the images turn out equal (R2); `OsError`.
 */
export async function writeRecord(
  file: StoreFile,
  images: PlannedImages,
  draft: MetadataDraft,
  breathe: () => Promise<void>,
): Promise<WrittenRecord> {
  const draftText = encodeMetadataDraft(draft);
  const shape: RecordShape = {
    metadataBytes: metadataLength(images, draftText),
    beforeBytes: images.shape.beforeBytes,
    afterBytes: images.shape.afterBytes,
    form: images.shape.form,
    places: images.shape.places,
    insertedBytes: images.shape.insertedBytes,
  };
  const layout = layoutOf(shape);
  const { inMemory } = images;
  const hasher: ImageSummer =
    inMemory === undefined ? new ImageHasher(images.splices, breathe) : knownSums(inMemory);
  const finishHeader = (found: ImageSums): FinishedFront => {
    if (found.before.equals(found.after)) throw new RangeError("The change changes nothing");
    const before = { sizeBytes: shape.beforeBytes, sha256: found.before.toString("hex") };
    const after = { sizeBytes: shape.afterBytes, sha256: found.after.toString("hex") };
    const header = encodeHeader(shape, completeMetadata(draftText, before, after));
    const front = Buffer.concat([encodePhaseBlock("prepared", draft.transactionId), header]);
    return { front, beforeImage: before, afterImage: after };
  };
  return layout.totalBytes <= smallRecordBytes
    ? writeAtOnce(file, images, layout, hasher, finishHeader)
    : writeInPieces(file, images, layout, hasher, finishHeader);
}

interface FinishedFront {
  readonly front: Buffer;
  readonly beforeImage: ImageFacts;
  readonly afterImage: ImageFacts;
}

type FinishHeader = (sums: ImageSums) => FinishedFront;

/** The sums of images that stand in memory. */
function knownSums({ beforeSha256, after }: ImagesInMemory): ImageSummer {
  return {
    feed: async () => {},
    finish: async () => ({
      before: Buffer.from(beforeSha256, "hex"),
      after: Buffer.from(after.sha256, "hex"),
    }),
  };
}

const anySum = "0".repeat(64);

/** The length does not depend on the sums, so any will do. */
function metadataLength({ shape }: PlannedImages, draft: string): number {
  const before = { sizeBytes: shape.beforeBytes, sha256: anySum };
  const after = { sizeBytes: shape.afterBytes, sha256: anySum };
  const length = Buffer.byteLength(completeMetadata(draft, before, after));
  // What every system gives fits; this keeps a record that no reader would take from being written.
  if (length > maxMetadataBytes) {
    throw new RangeError(`The metadata take ${length} bytes, more than ${maxMetadataBytes}`);
  }
  return length;
}

/** In memory, where it stands there anyway. */
function afterOf(before: ByteSource, { splices, inMemory }: PlannedImages): ByteSource {
  return inMemory === undefined ? afterSource(before, splices) : bytesSource(inMemory.after.bytes);
}

async function writeAtOnce(
  file: StoreFile,
  images: PlannedImages,
  layout: RecordLayout,
  hasher: ImageSummer,
  finishHeader: FinishHeader,
): Promise<WrittenRecord> {
  const { shape, splices } = images;
  // Not zeroed: every part is written over.
  const record = Buffer.allocUnsafe(layout.totalBytes);
  const beforeBytes = record.subarray(layout.beforeAt, layout.changesAt);
  // One byte more than there should be shows in the same reading whether the file grew; what comes
  // after the before-image is written over it.
  const probe = record.subarray(layout.beforeAt, layout.changesAt + 1);
  if ((await images.before.read(probe, 0)) !== shape.beforeBytes) {
    throw new SourceChangedError(shape.beforeBytes);
  }
  await hasher.feed(beforeBytes, 0);
  const { front, beforeImage, afterImage } = finishHeader(await hasher.finish());
  front.copy(record);
  const before = bytesSource(beforeBytes);
  const after = afterOf(before, images);
  const changes = record.subarray(layout.changesAt, layout.trailerAt);
  if (shape.form === "raw") {
    await after.read(changes, 0);
  } else {
    encodeTable(splices, 0, splices.length).copy(changes);
    let position = layout.insertedAt - layout.changesAt;
    for (const { inserted } of splices) {
      changes.set(inserted, position);
      position += inserted.length;
    }
  }
  encodeTrailer(layout.totalBytes, sha256(changes)).copy(record, layout.trailerAt);
  await writeAll(file, record, 0);
  return { before, after, beforeImage, afterImage };
}

async function writeInPieces(
  file: StoreFile,
  images: PlannedImages,
  layout: RecordLayout,
  hasher: ImageSummer,
  finishHeader: FinishHeader,
): Promise<WrittenRecord> {
  const { shape, splices } = images;
  await copyBefore(file, images.before, layout.beforeAt, hasher);
  const { front, beforeImage, afterImage } = finishHeader(await hasher.finish());
  const before = sectionSource(file, layout.beforeAt, shape.beforeBytes);
  const after = afterOf(before, images);
  const changesSum =
    shape.form === "raw"
      ? await copyRaw(file, after, layout.changesAt)
      : await writeSplices(file, splices, layout);
  const trailer = encodeTrailer(layout.totalBytes, changesSum);
  await writeAll(file, trailer, layout.totalBytes - trailerBytes);
  await writeAll(file, front, 0);
  return { before, after, beforeImage, afterImage };
}

async function copyRaw(file: StoreFile, after: ByteSource, at: number): Promise<Buffer> {
  const hash = newHash();
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, after.sizeBytes));
  for (let position = 0; position < after.sizeBytes; position += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, after.sizeBytes - position));
    await after.read(piece, position);
    hash.update(piece);
    await writeAll(file, piece, at + position);
  }
  return hash.digest();
}

/** Writes table and inserted bytes; returns their sum. */
async function writeSplices(
  file: StoreFile,
  splices: readonly Splice[],
  { changesAt, trailerAt }: RecordLayout,
): Promise<Buffer> {
  const output = new HashedOutput(file, changesAt, trailerAt - changesAt);
  const entriesPerChunk = Math.floor(chunkBytes / tableEntryBytes);
  for (let index = 0; index < splices.length; index += entriesPerChunk) {
    await output.write(encodeTable(splices, index, index + entriesPerChunk));
  }
  for (const { inserted } of splices) {
    for (let position = 0; position < inserted.length; position += chunkBytes) {
      const pending = output.write(inserted.subarray(position, position + chunkBytes));
      if (pending !== undefined) await pending;
    }
  }
  return output.finish();
}

function encodeTable(splices: readonly Splice[], from: number, to: number): Buffer {
  const chosen = splices.slice(from, to);
  const table = Buffer.allocUnsafe(chosen.length * tableEntryBytes);
  let position = 0;
  for (const { offsetBytes, removedBytes, inserted } of chosen) {
    table.writeUInt32LE(offsetBytes, position);
    table.writeUInt32LE(removedBytes, position + 4);
    table.writeUInt32LE(inserted.length, position + 8);
    position += tableEntryBytes;
  }
  return table;
}
