/**
 * The two forms of a record, so that whoever finds, lists or removes one need not ask which it is.
 */
import type { EntryStatus, FileIdentity, StoreFile } from "@fe/native";
import { legacyRecordName, recordName } from "./file-names.ts";
import { maxLegacyRecordBytes, readLegacyRecord } from "./legacy-record.ts";
import { maxRecordBytes } from "./limits.ts";
import type { RecordMetadata, RecordPhase } from "./record.ts";
import { readFront, readRecord, type VerifiedRecord } from "./record-reader.ts";

type Readable = Pick<StoreFile, "read">;

/**
 * How to deal with records of one form. Every reading fails with `RecordCorruptError` or
 * `RecordVersionError` if the bytes are not those of such a record.
 */
export interface RecordForm {
  readonly form: "binary" | "json";
  /** A larger file is not opened. */
  readonly maxBytes: number;
  nameOf(stem: string): string;
  /**
   * Reads and verifies all of it. `identity`: of the file at hand, if the stem was made from it.
   */
  read(
    file: Readable,
    status: EntryStatus,
    stem: string,
    identity?: FileIdentity,
  ): Promise<VerifiedRecord>;
  /** What it says of itself, as cheaply as that can be had with its checksum verified. */
  look(
    file: Readable,
    status: EntryStatus,
    stem: string,
  ): Promise<{ readonly metadata: RecordMetadata; readonly phase: RecordPhase }>;
  /** What its tombstone is told by, its checksum verified. */
  readMadeFor(file: Readable, status: EntryStatus, stem: string): Promise<string>;
}

export const binaryForm: RecordForm = {
  form: "binary",
  maxBytes: maxRecordBytes,
  nameOf: recordName,
  read: (file, status) => readRecord(file, status.sizeBytes),
  look: (file, status) => readFront(file, status.sizeBytes),
  readMadeFor: async (file, status) =>
    (await readFront(file, status.sizeBytes)).metadata.transactionId,
};

export const jsonForm: RecordForm = {
  form: "json",
  maxBytes: maxLegacyRecordBytes,
  nameOf: legacyRecordName,
  read: readLegacyRecord,
  look: readLegacyRecord,
  readMadeFor: async (file, status, stem) => (await readLegacyRecord(file, status, stem)).madeFor,
};

/** By the ending of a record's name. */
export const recordForms: Readonly<Record<"binary" | "json", RecordForm>> = {
  binary: binaryForm,
  json: jsonForm,
};
