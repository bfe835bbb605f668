/**
 * The port to the operating system: everything that journal and engine may ask of it.
 *
 * Nothing else in the project touches files, processes, time or chance; `createNodeOs` gives
 * the implementation on Node and the addon, a simulation can be another. So a run can be replayed,
 * and a simulation can stop it at every call: **every method returns a promise**, even where the
 * real one ends at once. What belongs together (open, identity, volume, access list) is one method.
 *
 * O1  A handle is close-on-exec: a child that inherited it would keep its lock.
 * O2  A method that fails throws `OsError` and has changed nothing, unless its text says otherwise.
 * O3  A file below a directory handle is reached by one name, without following a link.
 * O4  A 64-bit value is a `bigint`, never a `number`; a size is a `number`, since every size above
 *     2^53 is refused long before it could matter.
 * O5  Closing never fails, and twice is harmless: whatever `close(2)` answers, the handle is gone,
 *     and what had to be durable was synced before. Any other use after it throws `EBADF`.
 *
 * A path is a string. Bytes of a POSIX path that are not UTF-8 stand in it as U+DC80..U+DCFF (the
 * form of PEP 383, `bytesToPath`), so that no path is lost and `node:path` rules hold.
 *
 * Where a method names errors, these are the ones to expect; any other of the system can come too
 * (`EIO`, `ENOMEM`, `EMFILE`). A call of Linux stands for what it does there; docs/platforms.md
 * names those of macOS and Windows with their sources. What is said of macOS was compiled and never
 * run; what is said of Windows ran in Windows' node.exe under Wine, never on Windows.
 *
 * Longer than 300 lines because it is one contract: whoever implements it reads it from top to end.
 */

/**
 * What a directory entry is. `unknown`: a kind that this system has and this list has not. Windows:
 * `symlink` is a junction and a mounted volume too, and `unknown` a file whose content a filter
 * answers for (a cloud, deduplication).
 */
export type FileKind =
  | "regular"
  | "directory"
  | "symlink"
  | "fifo"
  | "socket"
  | "block-device"
  | "character-device"
  | "unknown";

/**
 * Where a file stands in its filesystem, as read from a handle.
 *
 * (volume, file) is not proof: ext4 gives an inode number to the next file at once. Two identities
 * are the same only if every part that both have is equal; see `sameFile`.
 */
export interface FileIdentity {
  /**
   * Volume id. Linux: `statfs(2)` `f_fsid`; on xfs the filesystem's UUID, since there `f_fsid` is
   * the device number, if a directory there can be read; `st_dev` where it is zero. macOS: the
   * volume's UUID (`getattrlist(2)`), else `f_fsid`, else `st_dev`. Windows: the serial number of
   * the volume. It outlives a reboot, but for `st_dev`, `f_fsid` on macOS, xfs and FAT, and what is
   * formatted anew.
   */
  readonly volume: bigint;
  /** Inode number, 64 bits. Windows: file id, 128 bits (`FILE_ID_INFO`); on FAT 64. */
  readonly file: bigint;
  /**
   * Birth time in ns since 1970 (`statx(2)`; macOS: `st_birthtimespec`), where the filesystem keeps
   * one. Windows: in steps of 100 ns, and only once it differs from the time of the last write.
   */
  readonly birthTimeNs?: bigint;
  /**
   * Inode generation (`FS_IOC_GETVERSION`); needs a handle that can read, so a pinned file has
   * none. macOS: `st_gen`, which is told to the superuser alone. Windows: none.
   */
  readonly generation?: bigint;
  /**
   * File handle of `name_to_handle_at(2)`, type and bytes in hex, where the filesystem has one.
   * Linux alone.
   */
  readonly handle?: string;
  /**
   * `st_dev`: a number of this boot only. It tells a copied image from its original. Windows: the
   * serial number again, so there it does not.
   */
  readonly device: bigint;
}

/** Who may do what with a file. Two are the same if every member is equal. */
export interface PermissionIdentity {
  /**
   * Permission bits with set-id and sticky, `0o7777` at most. Windows: what the access list gives
   * to others than the user, the system and administrators.
   */
  readonly mode: number;
  /** Owner: decimal uid (Windows: SID, empty if it is not told). */
  readonly owner: string;
  /** Group: decimal gid (Windows: SID, empty if it is not told). */
  readonly group: string;
  /**
   * SHA-256 of the access list in hex, `null` if there is none beside the mode. Linux: `acl(5)`,
   * with those of NFSv4 and richacl where a filesystem may have them. macOS: `acl(3)`. Windows: of
   * the whole list, see `accessListDigest`; `null` only if it is not understood.
   */
  readonly accessList: string | null;
  /**
   * SHA-256 of the file capabilities (`capabilities(7)`) in hex, `null` if there are none. A write
   * takes them away. Linux alone.
   */
  readonly capabilities: string | null;
}

/** What kind of filesystem a file stands on. */
export interface FilesystemFacts {
  /**
   * Name such as `ext4`, `xfs`, `overlay`; Linux: `0x…` (the magic number of `statfs(2)`) where it
   * is not known. macOS: as `statfs(2)` gives it (`apfs`). Windows: in lower case (`ntfs`), or
   * `unknown`.
   */
  readonly type: string;
  /**
   * `pseudo`: the kernel makes the content up (proc, sysfs and their like), so it cannot be edited.
   * `network` and `fuse`: locks and syncs may mean less than they say. What no list knows counts as
   * `local` on Linux, as the system says on macOS, and as `network` on Windows if nothing is told.
   */
  readonly class: "local" | "network" | "fuse" | "pseudo";
}

/** What `fstat(2)` says. */
export interface EntryStatus {
  readonly kind: FileKind;
  /** As {@link FileIdentity.device}. */
  readonly device: bigint;
  /** As {@link FileIdentity.file}. */
  readonly file: bigint;
  readonly sizeBytes: number;
  /** How many names it has; 0 once the last is gone. */
  readonly linkCount: number;
  /** As {@link PermissionIdentity.mode}. */
  readonly mode: number;
  /** Decimal uid (Windows: SID). */
  readonly owner: string;
  /** Last modification, ns since 1970. */
  readonly modifiedNs: bigint;
}

/** What a handle says of an object, in one call. */
export interface ObjectStatus extends EntryStatus {
  readonly identity: FileIdentity;
  readonly filesystem: FilesystemFacts;
}

/**
 * Everything that is asked of a target, in one call. Its permission alone takes as many system
 * calls as all the rest.
 */
export interface FileStatus extends ObjectStatus {
  readonly permission: PermissionIdentity;
}

/** What is held until it is closed. */
export interface Closable {
  close(): Promise<void>;
}

/** An open file whose content can be read. */
export interface ReadableFile extends Closable {
  /** Of the object that is held, whatever its name leads to by now. */
  status(): Promise<FileStatus>;
  /**
   * Reads at `positionBytes` until `buffer` is full or the file ends; the position of the handle
   * does not move. Returns the count; fewer than `buffer.length` means end of file.
   */
  read(buffer: Uint8Array, positionBytes: number): Promise<number>;
  /**
   * `fsync(2)` (macOS: `F_FULLFSYNC`, and `fsync(2)` only where there is no such thing): content
   * and length are durable afterwards, as far as the disk does what it says. After a failure
   * nothing is known of what is durable, and a second one proves nothing (A4 of docs/protocol.md).
   *
   * Windows flushes only by a handle that may write, so for one that reads another is opened for
   * it. `EACCES`, `EPERM`: that is not permitted, and nothing was tried.
   */
  sync(): Promise<void>;
  /**
   * What {@link TargetFile.startExclusion} would answer now. It is tried and ended in one call, so
   * whoever opens the file in just that moment waits for some microseconds. Not for a handle that
   * keeps others out: it would let them in.
   */
  probeExclusion(): Promise<ExclusionAnswer>;
}

/**
 * A target, open for reading and writing. Its changing methods have names of their own, so that it
 * can be checked who calls them.
 */
// In the engine transaction/mutate.ts alone does.
export interface TargetFile extends ReadableFile {
  /**
   * One `pwrite(2)`; returns the count written, which may be short. Errors: `ENOSPC`, `EDQUOT`,
   * `EFBIG`, `EIO`. After one of them part of the bytes may be there.
   */
  overwrite(buffer: Uint8Array, positionBytes: number): Promise<number>;
  /**
   * `ftruncate(2)`: cuts off, or adds zeros. Error: `EINVAL` for what is no length, before the
   * system is asked; it would take a negative one for 0.
   */
  setLength(sizeBytes: number): Promise<void>;
  /**
   * `fchmod(2)`: puts back set-id bits that the kernel cleared. Errors: `EPERM` (neither owner nor
   * root); Windows, which has no modes: `EOPNOTSUPP`.
   */
  setMode(mode: number): Promise<void>;
  /**
   * Asks the kernel to keep every other opener of the file out (Linux: a write lease), until this
   * handle is closed, {@link endExclusion} or the process ends. It is refused while any other
   * handle of the file is open, in this process too; pinned ones do not count. If so, it asks again
   * for up to `insistUs` microseconds (0 by default, at most a second) and blocks for as long: what
   * opens and closes the file in a loop has it closed for a microsecond or two at a time
   * (docs/protocol.md, step 6). Another `insistUs` is a `RangeError`.
   *
   * macOS has nothing of the kind: always `unsupported`. Windows: others may not write, rename or
   * remove the file, and are refused at once (`EBUSY`); who only reads is let in, and is no reason
   * to refuse it.
   */
  startExclusion(insistUs?: number): Promise<ExclusionAnswer>;
  /** Lets others in again; nothing, if nobody is kept out. */
  endExclusion(): Promise<void>;
  /** Whether it is held and nobody has asked for the file since. */
  isExclusionUnbroken(): Promise<boolean>;
  /**
   * Makes sure that the file can grow to `sizeBytes`; its length stays. `false`: this system cannot
   * say. A success may clear set-id bits and file capabilities, and moves the modification time; a
   * failure leaves bits and time as they were (file capabilities not). Errors: `ENOSPC`, `EDQUOT`,
   * `EFBIG`. Where blocks are shared (btrfs, APFS) the disk may be full all the same. Windows: room
   * is set aside only while others are kept out; else it is looked whether there is any (`ENOSPC`),
   * and the answer is `false`.
   */
  reserve(sizeBytes: number): Promise<boolean>;
}

/** What became of a wish to keep others out. */
export type ExclusionAnswer =
  /**
   * Others wait for at least so long, in ms from now, whatever they do. Infinite where they are
   * refused at once instead of being made to wait (Windows).
   */
  | { readonly granted: true; readonly holdsMs: number }
  | { readonly granted: false; readonly reason: ExclusionRefusal };

/**
 * `open-elsewhere`: another handle of the file is open. `not-owner`: the file belongs to somebody
 * else. `unsupported`: the filesystem has no such thing, or none that can be relied on.
 * `too-brief`: by a setting of the system, others are let in too soon (Linux: `lease-break-time`
 * under 5 s).
 */
export type ExclusionRefusal = "open-elsewhere" | "not-owner" | "unsupported" | "too-brief";

/** A file of the store: a record, a lock file, saved bytes. */
export interface StoreFile extends Closable {
  entryStatus(): Promise<EntryStatus>;
  /** As {@link ReadableFile.read}. */
  read(buffer: Uint8Array, positionBytes: number): Promise<number>;
  /** One `pwrite(2)`; returns the count written, which may be short. */
  write(buffer: Uint8Array, positionBytes: number): Promise<number>;
  /**
   * Lets the system begin to write these bytes to the disk, so that `sync` has less to wait for. A
   * hint: nothing is durable by it, and what fails is told by `sync`. Linux: `sync_file_range(2)`;
   * macOS and Windows have no such call, and it does nothing.
   */
  startWriteBack(positionBytes: number, lengthBytes: number): Promise<void>;
  /** As {@link ReadableFile.sync}. */
  sync(): Promise<void>;
  /**
   * Exclusive lock, never waiting: `flock(2)` `LOCK_EX|LOCK_NB` (Windows: `LockFileEx` of a byte
   * that no file has). `false`: another handle has it, in this process or another. Of the handle
   * that has it, `true` again. The kernel frees it when the handle is closed or its process dies.
   * Errors: `ENOLCK`, `EOPNOTSUPP` and their like, where the filesystem has no locks; on a network
   * a success may mean less.
   */
  tryLock(): Promise<boolean>;
}

/**
 * A file held by a handle that can neither read nor write (Linux `O_PATH`, macOS `O_EVTONLY`,
 * Windows the right to look alone), so that it stands in nobody's way; it pins the object, whatever
 * happens to its name. While it is held, Windows refuses to rename a directory above it.
 */
export interface PinnedFile extends Closable {
  status(): Promise<FileStatus>;
  /**
   * Opens this very object for reading, without blocking and without following anything. Errors:
   * `EACCES`, `EAGAIN` (somebody's lease), `EBUSY` (Windows: a share that denies reading); `ENOSYS`
   * on Linux without `/proc`. macOS, which opens by the object's present name: `ENOENT` once it has
   * none. Windows: `ESTALE`, where a system opens by name and another object stands there (Wine).
   */
  openForReading(): Promise<ReadableFile>;
  /**
   * Opens this very object for reading and writing; nothing is truncated. Errors: as
   * {@link openForReading}; `EROFS`; `EPERM` (immutable or append-only); `ETXTBSY` (Linux: a
   * running program).
   */
  openForWriting(): Promise<TargetFile>;
}

/** A directory held the same way. */
export interface PinnedDirectory extends Closable {
  status(): Promise<ObjectStatus>;
}

/** The handles of step 2, with what they say. */
export interface OpenedTarget {
  readonly parent: PinnedDirectory;
  readonly parentStatus: FileStatus;
  readonly target: PinnedFile;
  readonly targetStatus: FileStatus;
}

/** What a walk finds at a path now. */
export interface InspectedTarget {
  readonly parentStatus: ObjectStatus;
  readonly targetStatus: ObjectStatus;
}

/** What became of {@link StoreDirectory.publishUnnamedFile}. */
export interface PublishReport {
  /** Whether the name was made: if so and there is an error, it has to go. */
  readonly hasName: boolean;
  /** `undefined`: all is durable. Else why not; what comes after the failed part was not tried. */
  readonly error: Error | undefined;
}

/** What the one call that ends a transaction did; see {@link StoreDirectory.finishRecord}. */
export interface FinishReport {
  /** `undefined`: the committed mark was written. Else why not. */
  readonly markError: Error | undefined;
  /** `removed`, `absent` (somebody reclaimed it, row C), or why it is still there. */
  readonly record: "removed" | "absent" | Error;
  readonly lock: "removed" | "absent" | Error;
}

/** What {@link StoreDirectory.finishRecord} works on. */
export interface FinishRequest {
  readonly record: StoreFile;
  readonly recordName: string;
  /** The committed phase block, and where it stands in the record. */
  readonly phaseBlock: Uint8Array;
  readonly phasePositionBytes: number;
  /** The key lock; `undefined` in a store without locks. */
  readonly lock: { readonly file: StoreFile; readonly name: string } | undefined;
}

/**
 * A directory of the store. Names are single components; empty, `.`, `..`, `/` and NUL in one throw
 * `EINVAL`. A method that changes names throws `EACCES`, `EROFS`, `ENOSPC` and `EDQUOT` as well.
 * Windows: `EBUSY`, `EACCES` or `EPERM` too while a scanner has the file open, for a moment only.
 */
export interface StoreDirectory extends Closable {
  status(): Promise<ObjectStatus>;
  /** Names of all entries but `.` and `..`, in no order. */
  list(): Promise<string[]>;
  /**
   * `fstatat(2)` without following a link; `undefined`: there is no such name. Not an error, since
   * most that is looked for is not there, and an exception costs more than the look.
   */
  entryStatus(name: string): Promise<EntryStatus | undefined>;
  /**
   * Those of `names` whose files hold `bytes` within their first `withinBytes` (1 MiB at most), in
   * the order of `names`: one look at many, off the event loop. Left out is what `openFile` or the
   * disk (`EIO`) would refuse. It is no one moment: a file may come or go meanwhile.
   */
  findInHeads(names: readonly string[], bytes: Uint8Array, withinBytes: number): Promise<string[]>;
  /**
   * Opens a regular file. Errors: `ENOENT`; `ELOOP` (a symbolic link); `EFTYPE` (any other kind,
   * found without opening it, so a FIFO cannot hang and a device feels nothing); `EACCES`.
   */
  openFile(name: string, access: "read" | "read-write"): Promise<StoreFile>;
  /**
   * Opens a regular file for reading and writing, or makes it with this mode, which is exact
   * whatever the umask; of one that is there the mode stays. Errors: as {@link openFile} and
   * {@link createFile}; `EAGAIN`, if it comes and goes 100 times.
   */
  openOrCreateFile(name: string, mode: number): Promise<StoreFile>;
  /**
   * Makes a file that was not there. Error: `EEXIST`. Mode is exact whatever the umask; Windows
   * makes only what is private, and answers `EINVAL` to bits for others.
   */
  createFile(name: string, mode: number): Promise<StoreFile>;
  /**
   * Makes a file without a name (Linux `O_TMPFILE`). Error: `EOPNOTSUPP`, where there are none: on
   * some filesystems, and everywhere on macOS and Windows.
   */
  createUnnamedFile(mode: number): Promise<StoreFile>;
  /** Gives an unnamed file its name, never in another's place. Errors: `EEXIST`, `EOPNOTSUPP`. */
  linkUnnamedFile(file: StoreFile, name: string): Promise<void>;
  /**
   * Makes an unnamed file durable under its name, as one call: sync the file, give it its name
   * (never in another's place: `EEXIST`), sync the directory, in this order. A process that dies in
   * between leaves what it had come to. Throws nothing.
   */
  publishUnnamedFile(file: StoreFile, name: string): Promise<PublishReport>;
  /** A second name for a file. Error: `EEXIST`. */
  link(from: string, to: string): Promise<void>;
  /**
   * Renames, never in another's place. Errors: `EEXIST`, `ENOENT`. Linux: `renameat2(2)`
   * `RENAME_NOREPLACE`; macOS: `RENAME_EXCL`; where a filesystem has neither, `link` and `unlink`,
   * so the file has two names for a moment, and both if the process dies in it.
   */
  rename(from: string, to: string): Promise<void>;
  /** Moves an entry into another directory, never in another's place. Error: `EEXIST`, `EXDEV`. */
  moveTo(from: string, directory: StoreDirectory, to: string): Promise<void>;
  /**
   * Removes a name. Errors: `ENOENT`; `EISDIR` or `EPERM` of a directory. Windows, on FAT and
   * shares: by way of a name `.fe-removed-…`, which is left if the process dies in between; it is
   * not listed.
   */
  unlink(name: string): Promise<void>;
  /**
   * Error: `EEXIST`. Mode is exact whatever the umask; Windows makes only what is private, and
   * answers `EINVAL` to bits for others.
   */
  makeDirectory(name: string, mode: number): Promise<void>;
  /** Errors: `ELOOP`, `ENOTDIR`, `ENOENT`. */
  openDirectory(name: string): Promise<StoreDirectory>;
  /**
   * Names that were made or removed are durable afterwards; of a failure as
   * {@link ReadableFile.sync} says. Windows: the directory is flushed, but no source says that its
   * names are durable then; `EOPNOTSUPP`, if this user may not change the directory.
   */
  sync(): Promise<void>;
  /**
   * Steps 13 and 14 as one call: write the committed mark, unlink the record, unlink the lock file,
   * let go of both locks and handles, in this order, each tried whatever became of those before.
   * The system may get the room of the record back a moment later. Throws nothing.
   */
  finishRecord(request: FinishRequest): Promise<FinishReport>;
}

/**
 * What tells one process from every other that there was or will be. A part that the system does
 * not tell (a sandbox, a container without `/proc`) is absent, and then proves nothing.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * Start time, where it can be read; to be compared with one of the same host only. Clock ticks
   * since boot (`proc_pid_stat(5)`, field 22), what a time namespace adds taken off; macOS:
   * microseconds since 1970 (`proc_pidinfo`); Windows: 100 ns since 1601 (`GetProcessTimes`).
   */
  readonly startTime?: bigint;
  /**
   * Another at every start of the machine: `/proc/sys/kernel/random/boot_id`; macOS:
   * `kern.bootsessionuuid`; Windows: `start-` and the count of starts (`BootId` of the registry),
   * where it is kept.
   */
  readonly bootId?: string;
  /** Time of the boot, ms since 1970; moves with the clock. */
  readonly bootTimeMs?: number;
  /** Inode number of the pid namespace (`namespaces(7)`). Linux alone. */
  readonly pidNamespace?: bigint;
  /**
   * SHA-256, in hex, of `fe-host:` and the machine id: `machine-id(5)`; macOS: `gethostuuid(2)`;
   * Windows: `MachineGuid` of the registry. Absent = unknown. Two copies of an image share one.
   */
  readonly hostId?: string;
}

/**
 * What `kill(pid, 0)` says (Windows: `OpenProcess`), with the start time of what stands there now
 * if it can be read. A pid that is in use again answers like the first; so does a zombie, but for
 * Windows, where one that has ended is `absent`.
 */
export interface ProcessProbe {
  /**
   * `denied`: there is one, and it belongs to somebody else (`EPERM`; Windows: access denied).
   * `unclear`: the number is none of a process, or the system answered something else.
   */
  readonly answer: "exists" | "absent" | "denied" | "unclear";
  readonly startTime?: bigint;
}

/** What the resolver of the user-data directory needs to know. */
export interface ProcessEnvironment {
  /** What is neither macOS nor Windows counts as Linux. */
  readonly platform: "linux" | "darwin" | "win32";
  /** As `os.homedir()` of Node gives it. */
  readonly homeDirectory: string;
  /** A copy, in which a name is found by its case alone, on Windows too. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Pure rules for path text on this system. Nothing here asks the system, and nothing throws. POSIX:
 * byte for byte. Windows: `windowsPaths`.
 */
export interface PathRules {
  /** Whether `path` is `root` or lies below it; both are real paths. Judged by whole components. */
  isWithin(root: string, path: string): boolean;
  /**
   * As {@link PathRules.isWithin}, but in doubt true: for what must never be reached, where one
   * object may have two spellings.
   */
  mayBeWithin(directory: string, path: string): boolean;
  /** Parent of an absolute path. The root is its own parent. */
  parentOf(path: string): string;
  /** Last component. */
  nameOf(path: string): string;
  join(directory: string, name: string): string;
  isAbsolute(path: string): boolean;
}

/** The port itself. */
export interface Os {
  readonly paths: PathRules;

  /**
   * The real path: absolute, every link resolved, without `.` and `..`. `followLast: false` leaves
   * the last component as it is, so that a link there is met by {@link Os.openTarget} as `ELOOP`.
   * A relative path starts at the working directory. Errors: `ENOENT`, `ENOTDIR`, `EACCES`, `ELOOP`
   * (too many links), `ENAMETOOLONG`, `EINVAL` (empty, with a NUL, or with a surrogate that stands
   * for no byte). With `followLast: false` the last component need not be there; one that is no
   * name (`/`, `.`, `..`, a slash at the end) is followed all the same.
   *
   * Windows: short names, junctions and `subst` are resolved, every name in the case that is on
   * disk, but for a last one that is not followed; `..` is taken off before any link is looked at;
   * `PathRefusedError` for a text that leads to no file.
   */
  resolveRealPath(path: string, options: { readonly followLast: boolean }): Promise<string>;
  /**
   * Walks a real path from the root without following a link and holds its parent and the object,
   * of whatever kind; nothing is opened for reading. Errors: `ENOENT`; `ELOOP` (a link on the way,
   * or the object is one); `ENOTDIR`; `EACCES`. macOS cannot hold a FIFO, socket or device without
   * opening it: `EFTYPE`.
   */
  openTarget(realPath: string): Promise<OpenedTarget>;
  /** The same walk, but only looks and lets go. Errors: as {@link Os.openTarget}. */
  inspectTarget(realPath: string): Promise<InspectedTarget>;
  /**
   * Opens a directory by its path, one of the store or one whose names are to be listed; links on
   * the way are the user's own and followed. Errors: `ENOENT`, `ENOTDIR`, `EACCES`, `ELOOP`.
   */
  openStoreDirectory(path: string): Promise<StoreDirectory>;
  /**
   * Asks whether this user may read and write the file at a path, or make names in the directory
   * there, and opens nothing, so that no lease is broken, no watcher told and nothing copied up:
   * mode, access list, read-only filesystem, immutable flag, as `access(2)` judges them. No error
   * proves little: that a file is append-only, a running program or kept by others is told by
   * opening alone, and on Windows all but the read-only attribute. `access(2)` judges by the real
   * user, so it is not asked if the process acts as another. Links are followed. Errors: `EACCES`,
   * `EPERM` (immutable), `EROFS`, `ENOENT`, `ENOTDIR`, `ELOOP`.
   */
  checkWritable(path: string): Promise<void>;

  /** This process. All but `bootTimeMs` is read once. */
  self(): Promise<ProcessIdentity>;
  /** Effective uid, decimal (Windows: SID of the token's user): who must own the store. */
  effectiveOwner(): Promise<string>;
  /** Whether there is such a process. Throws nothing; a `pid` that is none is `unclear`. */
  probeProcess(pid: number): Promise<ProcessProbe>;
  /** Read anew each time. */
  environment(): Promise<ProcessEnvironment>;

  /** Wall clock, ms since 1970. For people only; no decision rests on it. */
  now(): Promise<number>;
  /** A clock that never goes back, in ms with fractions, from a moment of its own. */
  monotonicMs(): Promise<number>;
  /** Sleeps, for 2^31 - 1 ms at most; ends early, without an error, when `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A random UUID (version 4). */
  randomId(): Promise<string>;
  /** A random integer from 0 to `bound - 1`; `bound` is from 1 to 2^48 - 1. */
  randomBelow(bound: number): Promise<number>;
}
