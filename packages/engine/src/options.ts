/** What callers may ask for. */
// settle-request.ts and settle-options.ts check it.

import type { FileIdentity, PermissionIdentity } from "@fe/native";
import type { MatchPosition } from "./matching/match-error.ts";
import type { TextEdit } from "./matching/text-edit.ts";
import type { TextCodec } from "./matching/text-form.ts";
import type { UnifiedDiff } from "./matching/unified-diff.ts";
import type { OnProgress } from "./progress.ts";
import type { Version } from "./record-report.ts";

/** What to edit, and how: one replacement or several, never both. */
export type EditRequest = SingleEditRequest | SeveralEditsRequest;

/** One replacement, in the members of the request itself. */
export interface SingleEditRequest extends RequestBase, TextEdit {
  readonly edits?: undefined;
}

/** Several replacements. */
export interface SeveralEditsRequest extends RequestBase {
  /** In one transaction, in order to the text so far, all or nothing. */
  readonly edits: readonly TextEdit[];
  readonly oldString?: undefined;
  readonly newString?: undefined;
  readonly replaceAll?: undefined;
  readonly expectedReplacements?: undefined;
}

/** What requests of both kinds say. */
export interface RequestBase {
  /** Relative to the working directory, or absolute. */
  readonly path: string;
  /** SHA-256 in hex of what the file must hold now; anything else is `FE_CONTENT_CHANGED`. */
  readonly expectedSha256?: string;
  /**
   * `match-file`: if the file has one line break throughout, those of both strings are taken as
   * that. `exact`: no translation.
   * @default "match-file"
   */
  readonly lineEndings?: "match-file" | "exact";
  /**
   * In which encoding the texts are put into the file: `utf-16le`, `utf-16be`, `utf-16` (of these
   * two the one that the byte order mark says), or every name that iconv-lite knows, if ASCII
   * characters are bytes in it, such as `windows-1252`, `gbk` or `shift_jis`. The file is not
   * converted.
   * @default "utf-8", and a file that looks like UTF-16 is refused (`FE_INVALID_ENCODING`)
   */
  readonly encoding?: string;
}

/** How to go about it. */
export interface EditOptions {
  /**
   * Honoured until the moment before the first byte changes; from then on the edit ends by itself.
   */
  readonly signal?: AbortSignal;
  /**
   * Whether the kernel is to keep every other process from opening the file, from before it is read
   * until it is verified: `prefer` where it can, `require` or fail (`FE_EXCLUSION_UNAVAILABLE`),
   * `off`. Linux (a write lease, `F_SETLEASE(2const)`): others wait meanwhile, also this process
   * where it opens the file in the blocking way, which then waits for itself until the kernel's
   * time is over (`lease-break-time`). Windows: writers are refused at once, readers are let in.
   * macOS has nothing of the kind, so `require` always fails.
   * @default "prefer"
   */
  readonly exclusive?: "prefer" | "require" | "off";
  /**
   * How long to wait for another process's edit of the same file, in ms, counted from the head of
   * this process's queue; and, with `exclusive: "require"`, until the file is closed elsewhere.
   * @default 0
   */
  readonly waitMs?: number;
  /**
   * Whether the result is to say what changes, as unified diff of at most 1 MiB. It reads the file
   * up to the last change once more.
   * @default false
   */
  readonly diff?: boolean;
  /**
   * Is told how far the edit has come: at the beginning and the end of each step that can take
   * long, and between them no more often than once per MiB. It is called while the edit goes on, so
   * it has to be quick. If it throws, or a promise of its rejects, it is not called again, and the
   * result has a warning. What is open at the end of the edit is waited for, 1 s at most.
   */
  readonly onProgress?: OnProgress;
}

/** What `authorize` is asked about. */
export interface AuthorizeQuestion {
  /** As the caller named it; of `recovery.resolve`, as the record does. */
  readonly path: string;
  readonly realPath: string;
  readonly identity: FileIdentity;
  readonly permission: PermissionIdentity;
}

/** What `beforeCommit` is shown: each member as `EditResult` would have it. */
export interface CommitQuestion {
  readonly path: string;
  readonly realPath: string;
  readonly matches: readonly MatchPosition[];
  readonly replacements: number;
  readonly beforeSha256: string;
  readonly afterSha256: string;
  /** What changes, as unified diff of at most 1 MiB. */
  diff(): UnifiedDiff;
}

/**
 * What `preview` takes of {@link EditOptions}. An `exclusive` beside them, in an object that is for
 * both, has no effect: a preview keeps nobody out.
 */
export type PreviewOptions = Pick<EditOptions, "signal" | "diff" | "onProgress" | "waitMs">;

/** Options of `openEngine`. */
export interface EngineOptions {
  /** Directories that targets must lie below, after links are resolved. @default no limit */
  readonly roots?: readonly string[];
  /**
   * The embedder's access decision, asked by `edit` and `preview` before anything of the file is
   * read, with no lock held and without a time limit; by `edit` once more, after the last lock was
   * taken and before the file is opened, and then it has 5 s. `false`, a throw, and no answer in
   * these 5 s is `FE_POLICY_DENIED`, which says nothing of what the file holds. The first asking
   * waits until `signal` aborts or the engine is closed (`FE_CLOSED`, 5 s later), and other edits
   * of the file in this process wait with it. `recovery.resolve` asks too, in the same way, unless
   * the file is gone; `recovery.list` and `show`, `identify` and `examine` do not.
   */
  readonly authorize?: (question: AuthorizeQuestion) => boolean | Promise<boolean>;
  /**
   * A last look at what would be written; may take minutes. `false` or a throw: `FE_POLICY_DENIED`.
   * No answer: as of the first asking of `authorize`.
   */
  readonly beforeCommit?: (question: CommitQuestion) => boolean | Promise<boolean>;
  /**
   * The size limit in bytes, for the version before and the version after, each. `Infinity`
   * turns it off; the recovery store's own limit of 128 MiB a version stays.
   * @default 134217728
   */
  readonly maxFileBytes?: number;
  /** Absolute path of the user-data directory. @default by platform rule, see `@fe/journal` */
  readonly userDataDirectory?: string;
  /** An Electron app gives its own `app.name`. @default `FE_APP_NAME` or `fe` */
  readonly appName?: string;
  /** In Electron `app.getPath("appData")`; the command finds this store by app name and profile. */
  readonly electronAppData?: string;
  /** Another profile has a store of its own. @default `FE_PROFILE` or `default` */
  readonly profile?: string;
  /** `false`: a symbolic link as last component is `FE_LINK_REFUSED`. @default true */
  readonly followSymlinks?: boolean;
}

/** Options of `recovery.resolve`: the version to keep, or the bytes themselves, never both. */
export type ResolveOptions = KeepVersion | KeepContent;

/** A version of the record is to be kept. */
export interface KeepVersion extends ResolveBase {
  /** Which bytes the file is to hold. `current` leaves the file as it is. */
  readonly keep: Version;
  readonly content?: undefined;
}

/** Other bytes are to be kept. */
export interface KeepContent extends ResolveBase {
  /** The bytes themselves, such as a merge of both versions; one or more. */
  readonly content: Uint8Array;
  readonly keep?: undefined;
}

/** What resolutions of both kinds say. */
export interface ResolveBase {
  /**
   * SHA-256 in hex of what stands at the path now, as it was shown, whichever file it is; otherwise
   * `FE_CONTENT_CHANGED`, also where no file is.
   */
  readonly expectSha256?: string;
  /** Stops the resolution until the first byte is written; from there on it goes to its end. */
  readonly signal?: AbortSignal;
}

/** Options of `recovery.undo`, which is an edit. */
export interface UndoOptions extends EditOptions {
  /** SHA-256 in hex of what the file holds now; otherwise `FE_CONTENT_CHANGED`. */
  readonly expectSha256?: string;
  /** In place of what the file held: this version of the record that was resolved. */
  readonly keep?: "before" | "after";
}

/** The whole content of a file, in place of edits; how a resolution is taken back. */
export interface WholeContent {
  readonly bytes: Uint8Array;
  /** The file that it is for. */
  readonly target: FileIdentity;
  /** Where the same bytes are saved, if they are. */
  readonly savedAt?: string;
}

/** A request with every default filled in. */
export interface SettledRequest {
  readonly path: string;
  readonly edits: readonly TextEdit[];
  readonly expectedSha256: string | undefined;
  readonly lineEndings: "match-file" | "exact";
  /** `undefined`: UTF-8. */
  readonly codec: TextCodec | undefined;
  /** Otherwise UTF-8 is only what is assumed. */
  readonly isEncodingNamed: boolean;
  readonly whole?: WholeContent;
}

/** Engine options with every default filled in; roots are real paths by then. */
export interface SettledOptions {
  readonly roots: readonly string[] | undefined;
  readonly authorize: EngineOptions["authorize"];
  readonly beforeCommit: EngineOptions["beforeCommit"];
  readonly maxFileBytes: number;
  readonly followSymlinks: boolean;
}
