/** Public names of `@fe/journal`. */
export type { ByteSource } from "./byte-source.ts";
export { bytesSource } from "./byte-source.ts";
export {
  ImageTooLargeError,
  JournalClosedError,
  NamesNotDurableError,
  RecordCorruptError,
  RecordExistsError,
  RecordIdAmbiguousError,
  RecordNotFoundError,
  RecordUnsafeError,
  RecordVersionError,
  SourceChangedError,
  StoreNotPrivateError,
  TooManyPlacesError,
  UserDataError,
} from "./errors.ts";
export { legacyStem, recordKey, storeDirectoryName } from "./file-names.ts";
export { openJournal } from "./journal.ts";
export type {
  HeldRecord,
  ImagesInMemory,
  Journal,
  JournalOptions,
  KeepReport,
  KeptRecord,
  KeyLock,
  KeyLockOptions,
  ListedRecord,
  LiveRecord,
  OpenRecord,
  ReclaimReport,
  RecordDraft,
  RecordFinding,
  SavedBytes,
  SavedNote,
} from "./journal-types.ts";
export { maxImageBytes, maxPlaces, recordFormatVersion } from "./limits.ts";
export type { ImageFacts, RecordMetadata, RecordPhase } from "./record.ts";
export type { Splice, Stretch } from "./splice.ts";
export { afterInMemory, afterSizeBytes, afterSource, changedStretches } from "./splice.ts";
export type { StorePlace } from "./store-place.ts";
export type { UserDataOptions } from "./user-data.ts";
export { resolveUserDataDirectory } from "./user-data.ts";
