/** Every limit of the server, with its unit and its reason. */

/**
 * One message of the client, in bytes. It is held several times over while it is read: as bytes, as
 * text, and taken apart. A longer one ends the connection, since no answer could be addressed.
 */
export const maxMessageBytes: number = 64 * 1024 * 1024;

/**
 * All texts of one call together, in UTF-16 units. A model cannot write so much, and the longest
 * message that holds them, every character escaped, stays under {@link maxMessageBytes}.
 */
export const maxTextLength: number = 8 * 1024 * 1024;

/** A path, in UTF-16 units; what Windows takes, and more than Linux does. */
export const maxPathLength = 32_767;

/** How long an edit waits for another one of the same file, in ms, unless the call says so. */
export const defaultWaitMs = 10_000;

/** The longest wait that a call may ask for, in ms. Clients give up sooner. */
export const maxWaitMs = 600_000;

/** A version that `recovery_show` answers, in bytes. More would fill a model's context. */
export const maxShownBytes: number = 256 * 1024;

/** How long the client may take to tell its roots, in ms. */
export const rootsTimeoutMs = 10_000;

/** Roots of a client; each is resolved at every change. */
export const maxClientRoots = 256;

/** Places, records and characters of a foreign message that a text for a model shows. */
export const maxShownPlaces = 8;
export const maxShownRecords = 20;
export const maxShownMessage = 300;

/**
 * How much of a diff an answer shows, in its text and in the object alike, in UTF-16 units (bytes,
 * if it is not UTF-8): some 4,000 tokens. More would fill a model's context; a guess.
 */
export const maxShownDiff = 16_384;

/** How much of one line of a diff, likewise. Code that people write has shorter lines. */
export const maxShownLine = 1_000;

/** Places that an answer lists, as many as an error does. */
export const maxListedMatches = 20;
