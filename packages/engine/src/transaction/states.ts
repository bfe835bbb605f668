/**
 * The states of an edit: what may be trusted in each, and which step makes it.
 *
 * Each step takes one state and returns the next, so a step cannot be skipped; only the step's own
 * file makes its state. `docs/protocol.md` section 5 has the table with what a crash leaves in
 * each.
 */
import type { ByteSource, KeyLock, LiveRecord } from "@fe/journal";
import type {
  FileIdentity,
  FileStatus,
  FinishReport,
  PermissionIdentity,
  PinnedDirectory,
  PinnedFile,
  TargetFile,
} from "@fe/native";
import type { Located } from "../matching/locate.ts";
import type { ReadingTags } from "./reading-tags.ts";

/** Step 1. The path was resolved once, and lies where an edit is allowed. */
export interface ResolvedTarget {
  readonly state: "resolved";
  /** As the caller named it. */
  readonly path: string;
  readonly realPath: string;
}

/** Step 2. Parent and object are held, by handles that stand in nobody's way. */
export interface OpenTarget {
  readonly state: "open";
  readonly resolved: ResolvedTarget;
  readonly parent: PinnedDirectory;
  readonly parentStatus: FileStatus;
  readonly target: PinnedFile;
  readonly targetStatus: FileStatus;
}

/**
 * Step 3. A regular file of allowed size; its key finds queue and record, and proves nothing more.
 */
export interface IdentifiedTarget {
  readonly state: "identified";
  readonly open: OpenTarget;
  readonly key: string;
}

/** Step 4. No other edit of this identity runs in this process until `leaveQueue`. */
export interface QueuedTarget {
  readonly state: "queued";
  readonly identified: IdentifiedTarget;
  /** The key that is queued for; differs from that of step 3 after a copy-up. */
  readonly key: string;
  leaveQueue(): void;
}

/** Step 5. The key lock is held and no record of this identity or path is left. */
export interface SettledTarget {
  readonly state: "settled";
  readonly queued: QueuedTarget;
  readonly keyLock: KeyLock;
  /** What a caller should know of the store. */
  readonly warnings: readonly string[];
}

/**
 * What every later look is compared with. Target and permission come from the first handle that was
 * open for writing, and the parent from its handle just after that: on overlayfs it is this opening
 * that gives both their identity.
 * Looking again never sets a new one.
 */
export interface Baseline {
  readonly target: FileIdentity;
  readonly parent: FileIdentity;
  readonly permission: PermissionIdentity;
}

/** Who is kept out, and whether that still holds; made by `exclude.ts`. */
export interface Exclusion {
  /** Why only cooperating processes are kept out; `undefined`: the kernel keeps everyone out. */
  readonly why: string | undefined;
  /** For how long others have been kept out, in ms. */
  lastedMs(): Promise<number>;
  /** Whether nobody else can have opened the file since. */
  holds(): Promise<boolean>;
  /** Lets others in before the handle is closed, with which it ends in any case. */
  end(): Promise<void>;
}

interface HeldParts {
  readonly settled: SettledTarget;
  readonly baseline: Baseline;
  readonly file: TargetFile;
  readonly exclusion: Exclusion;
}

/**
 * Step 6. The object is open for writing, and nobody else can open it, as far as the system can and
 * the caller wished; nothing is read yet.
 */
export interface HeldTarget extends HeldParts {
  readonly state: "held";
  readonly sizeBytes: number;
}

/** Steps 7 and 8. Its bytes are read, the edit is located in them, and `beforeCommit` agreed. */
export interface MatchedEdit extends HeldParts {
  readonly state: "matched";
  /** The before-image: in memory if small, else read from the target. */
  readonly before: ByteSource;
  /** Whether `before` is in memory, so that the target may change under it. */
  readonly inMemory: boolean;
  /** Its sum of the before-image is the SHA-256, if `tags` is `undefined`. */
  readonly located: Located;
  /** What made that sum in place of SHA-256, and makes that of the next reading. */
  readonly tags: ReadingTags | undefined;
  /** The after-image: in memory as well, if it is small too; else what the splices make. */
  readonly after: ByteSource;
}

/** Step 9. The record is durable, by content and by name; the target is untouched (I1). */
export interface PreparedEdit {
  readonly state: "prepared";
  readonly matched: MatchedEdit;
  readonly record: LiveRecord;
  /** The before-image from a place that the mutation does not change. */
  readonly before: ByteSource;
}

/**
 * Step 10. Identities and all bytes are still those of the record; the next call changes a byte.
 */
export interface ArmedEdit {
  readonly state: "armed";
  readonly prepared: PreparedEdit;
}

/** Step 11. All new bytes are in the target, its length is set, and it is synced. */
export interface MutatedEdit {
  readonly state: "mutated";
  readonly armed: ArmedEdit;
}

/** Step 12. The after-image was read back through the handle; the identities are the same (I7). */
export interface ConfirmedEdit {
  readonly state: "confirmed";
  readonly mutated: MutatedEdit;
  readonly metadataChanges: readonly string[];
  /** Why only cooperating processes were kept out; `undefined`: the kernel kept everyone out. */
  readonly cooperativeWhy: string | undefined;
}

/** Step 13. The record says committed, or at least the target is known to be durable and whole. */
export interface CommittedEdit {
  readonly state: "committed";
  readonly confirmed: ConfirmedEdit;
  readonly report: FinishReport;
}
