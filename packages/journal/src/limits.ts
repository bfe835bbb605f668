/**
 * Every limit of the store, with its unit and its reason.
 */

/** Version of the record format that is written, and the only one that is read. */
export const recordFormatVersion = 1;

/**
 * Largest before- or after-image, 128 MiB. It holds whatever the size limit of the engine says,
 * so that a store cannot be filled by one edit and every length in a record fits in 32 bits.
 */
export const maxImageBytes: number = 128 * 1024 * 1024;

/** Most replaced places in one record. A table of so many is 12 MB, which a reader has to hold. */
export const maxPlaces = 1_000_000;

/** What a record may need beside the bytes of both images: phase block, header, trailer. */
export const maxOverheadBytes: number = 8 * 1024;

/** Largest record file; a larger one is not opened. */
export const maxRecordBytes: number = 2 * maxImageBytes + maxOverheadBytes;

/** Longest real path in bytes: Linux' `PATH_MAX`, the longest of all systems that are served. */
export const maxPathBytes = 4096;

/** Longest metadata text in bytes, so that phase block, header and trailer stay within 8 KiB. */
export const maxMetadataBytes = 7560;

/**
 * Longest engine version that is written into a record, in characters: it must not eat the header.
 */
export const maxEngineVersionLength = 64;

/**
 * What is read, hashed or written at once: 1 MiB is hashed in less than a millisecond, and a larger
 * piece makes nothing faster.
 */
export const chunkBytes: number = 1024 * 1024;

/** A record up to this size is put together in memory and written by one call. */
export const smallRecordBytes: number = 256 * 1024;

/** How often a name is opened again because it led to another file by the time it was locked. */
export const maxLockAttempts = 100;

/** Fewest hex digits that may stand for a record's id. */
export const minIdPrefixLength = 8;

/** Saved bytes: most files, most bytes together, longest time. The oldest go first. */
export const maxSavedFiles = 20;
export const maxSavedBytes: number = 1024 * 1024 * 1024;
export const maxSavedAgeMs: number = 30 * 24 * 60 * 60 * 1000;

/**
 * Longest note beside saved bytes, in bytes: a path of {@link maxPathBytes} as base64, and an id.
 */
export const maxSavedNoteBytes: number = 16 * 1024;
