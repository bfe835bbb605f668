/**
 * The engine: what a program opens to edit files.
 *
 * It only ties the parts together; what an edit does is in `transaction/`, what becomes of a record
 * that an earlier edit left is in `recovery/`.
 */
import { openJournal, resolveUserDataDirectory } from "@fe/journal";
import { createNodeOs, type Os } from "@fe/native";
import { FeError } from "./errors.ts";
import {
  factsOfResolution,
  factsOfUndo,
  type RecoveryEvent,
  withEditEvent,
  withRecoveryEvent,
} from "./events.ts";
import { type Examination, examineSystem } from "./examine/examine.ts";
import { type IdentityReport, identifyPath } from "./examine/identify.ts";
import { queueOf } from "./identity-queue.ts";
import {
  checkEditOptions,
  type EditOptions,
  type EditRequest,
  type EngineOptions,
  type PreviewOptions,
  type ResolveOptions,
  settleOptions,
  settleRequest,
  type UndoOptions,
} from "./options.ts";
import { fromOs } from "./os-failure.ts";
import { ProgressReport } from "./progress.ts";
import type { RecordReport, Version } from "./record-report.ts";
import { concealRecord } from "./recovery/conceal.ts";
import { listRecords } from "./recovery/lookup.ts";
import { resolveRecord } from "./recovery/resolve.ts";
import { showVersion } from "./recovery/show.ts";
import { undoResolution } from "./recovery/undo.ts";
import type { EditResult, ResolveResult, ShownVersion, UndoResult } from "./result.ts";
import { resolveRoots } from "./roots.ts";
import type { EngineContext } from "./transaction/context.ts";
import { previewEdit } from "./transaction/preview.ts";
import { runTransaction } from "./transaction/transaction.ts";
import { engineVersion } from "./version.ts";

/** Recovery records: reads change nothing; only `resolve` does, and only at a person's word. */
export interface Recovery {
  /**
   * Every record whose target lies below the roots, in order of time; none, if there is no store.
   * Takes no lock. Errors: `FE_STORE_NOT_PRIVATE`, `FE_IO`.
   */
  list(): Promise<readonly RecordReport[]>;
  /**
   * One version's bytes; the caller closes it. `id`: a record's id or a unique prefix of 8 or more.
   * Errors: `FE_INVALID_REQUEST` (no id, or more than one begins so), `FE_NOT_FOUND`,
   * `FE_RECORD_UNSAFE` (it cannot be read, or names no file), `FE_NOT_REGULAR`,
   * `FE_PERMISSION_DENIED`.
   */
  show(id: string, version: Version): Promise<ShownVersion>;
  /**
   * Carries a person's choice out and removes the record; the bytes that the file held are saved
   * first, and `undo` brings them back. It keeps nobody out meanwhile, and never waits. Errors:
   * `FE_INVALID_REQUEST`, `FE_NOT_FOUND`, `FE_POLICY_DENIED` (`authorize`), `FE_BUSY` (its edit is
   * still at work), `FE_CONTENT_CHANGED` (not `expectSha256`), `FE_TARGET_REPLACED`,
   * `FE_RECORD_UNSAFE` (the file is another one by now, or the record cannot be read: only `keep:
   * "current"` is possible), `FE_PERMISSION_DENIED`, `FE_NO_SPACE`, `FE_SYNC_FAILED`, `FE_IO`, all
   * with effect `none`; `FE_OUTCOME_UNKNOWN`, with `unknown`: the record is kept.
   */
  resolve(id: string, options: ResolveOptions): Promise<ResolveResult>;
  /**
   * Takes a resolution that wrote to the file back, by an edit of the whole file; `id` is that of
   * the record. Done twice, it takes itself back. Errors: `FE_NOT_FOUND` (nothing is saved, or
   * not any more: 20, 1 GiB and 30 days are kept), `FE_CONTENT_CHANGED` (the file does not hold
   * what the resolution wrote), `FE_TARGET_REPLACED`, and those of an edit. `authorize` is asked by
   * that edit, after the file was read and saved.
   */
  undo(id: string, options?: UndoOptions): Promise<UndoResult>;
}

/**
 * An open engine. A failure is an `FeError`; docs/errors.md says what each code means. Any method
 * answers `FE_CLOSED` after `close`, and `FE_IO` to what nobody expects of a system. Tested on
 * Linux; on macOS never run, on Windows under Wine only (docs/platforms.md).
 */
export interface Engine extends AsyncDisposable {
  /**
   * Replaces exact text in a file, in place: same inode, with a durable record of both versions
   * before the first byte changes. Rejects with `FeError`; its `code` alone says whether the file
   * may have changed (only `FE_OUTCOME_UNKNOWN` may have).
   */
  edit(request: EditRequest, options?: EditOptions): Promise<EditResult>;
  /**
   * What `edit` would do: the same answer with `status: "unchanged"` and `dryRun`, or the same
   * error. Changes nothing and takes no lock, so another program may change the file before an
   * edit does; `expectedSha256` of that one notices.
   */
  preview(request: EditRequest, options?: PreviewOptions): Promise<EditResult>;
  readonly recovery: Recovery;
  /**
   * What a file is, exactly, and who may do what with it. Reads only, and not its content;
   * `authorize` is not asked. Errors: `FE_INVALID_REQUEST`, `FE_NOT_FOUND`, `FE_OUTSIDE_ROOT`,
   * `FE_LINK_REFUSED`, `FE_POLICY_DENIED`, `FE_PERMISSION_DENIED`; macOS, a FIFO: `FE_NOT_REGULAR`.
   */
  identify(path: string): Promise<IdentityReport>;
  /**
   * What this system, the recovery store, and the filesystem of a file can do, with advice. Makes
   * nothing that stays. Errors: as {@link Engine.identify}, if a file is named.
   */
  examine(path?: string): Promise<Examination>;
  /**
   * The directories that targets must lie below: real paths, as they were found when the engine was
   * opened; nothing that becomes of a link later moves them. `undefined`: no limit.
   */
  readonly roots: readonly string[] | undefined;
  /**
   * Waits for running edits and lets go of everything. Twice is harmless. Errors: `FE_IO`, if the
   * removal of a record could not be made durable: after a power loss it may ask a question again;
   * the edits themselves are done.
   */
  close(): Promise<void>;
}

/** How long the engine rests before it syncs removed names; a guess, longer than a burst's gaps. */
const idleMs = 100;

let processOs: Os | undefined;

/** One port per process, so that all its engines share one queue. */
function osOfThisProcess(): Os {
  const os = processOs ?? createNodeOs();
  processOs = os;
  return os;
}

/**
 * Opens an engine. Nothing is created, read or recovered by it. Errors: `FE_INVALID_REQUEST`,
 * `FE_NOT_FOUND` (a root), `FE_NATIVE_UNAVAILABLE`.
 *
 * @example
 * ```ts
 * const engine = await openEngine({ roots: [projectDirectory] });
 * const result = await engine.edit({ path: "notes.md", oldString: "draft", newString: "final" });
 * await engine.close();
 * ```
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  let os: Os;
  try {
    os = osOfThisProcess();
  } catch (error) {
    throw fromOs(error, { action: "open the engine" });
  }
  return openEngineWith(os, options);
}

/** {@link openEngine} over another port; public as `@fe/engine/testing`. */
export async function openEngineWith(os: Os, options: EngineOptions = {}): Promise<Engine> {
  try {
    const environment = await os.environment();
    const userDataDirectory = resolveUserDataDirectory(environment, options);
    const roots = options.roots && (await resolveRoots(os, options.roots));
    const settled = settleOptions(options, roots);
    const journal = await openJournal(os, { userDataDirectory, engineVersion });
    return new OpenEngine({ os, journal, queue: queueOf(os), options: settled });
  } catch (error) {
    throw fromOs(error, { action: "open the engine" });
  }
}

class OpenEngine implements Engine {
  readonly recovery: Recovery;
  readonly roots: readonly string[] | undefined;
  readonly #context: EngineContext;
  readonly #running = new Set<Promise<unknown>>();
  readonly #hurry = new AbortController();
  #closing: Promise<void> | undefined;
  #lateSync: Promise<void> | undefined;

  constructor(context: EngineContext) {
    this.#context = context;
    this.roots = context.options.roots;
    const told = <T>(
      call: Pick<RecoveryEvent, "operation" | "id">,
      work: () => Promise<T>,
      factsOf?: (result: T) => Partial<RecoveryEvent>,
    ): Promise<T> => withRecoveryEvent(context.os, call, () => this.#run(work), factsOf);
    this.recovery = {
      list: () => told({ operation: "list" }, () => listRecords(context)),
      show: (id, version) =>
        told({ operation: "show", id }, () => showVersion(context, id, version)),
      resolve: (id, options) =>
        told(
          { operation: "resolve", id },
          () => resolveRecord(context, id, options),
          factsOfResolution,
        ),
      undo: (id, options = {}) =>
        told({ operation: "undo", id }, () => undoResolution(context, id, options), factsOfUndo),
    };
  }

  edit(request: EditRequest, options: EditOptions = {}): Promise<EditResult> {
    const call = { operation: "edit", path: request?.path } as const;
    return withEditEvent(this.#context.os, call, () =>
      this.#run(async () => {
        checkEditOptions(options);
        const settled = await settleRequest(request);
        const progress = new ProgressReport(options.onProgress);
        return runTransaction({ ...this.#context, request: settled, edit: options, progress });
      }),
    );
  }

  preview(request: EditRequest, options: PreviewOptions = {}): Promise<EditResult> {
    const call = { operation: "preview", path: request?.path } as const;
    return withEditEvent(this.#context.os, call, () =>
      this.#run(async () => {
        checkEditOptions(options);
        const settled = await settleRequest(request);
        const progress = new ProgressReport(options.onProgress);
        return previewEdit({ ...this.#context, request: settled, edit: options, progress });
      }),
    );
  }

  identify(path: string): Promise<IdentityReport> {
    return this.#run(() => identifyPath(this.#context, path));
  }

  examine(path?: string): Promise<Examination> {
    const countRecords = async () => (await listRecords(this.#context)).length;
    return this.#run(() => examineSystem(this.#context, path, countRecords));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) {
      throw new FeError("FE_CLOSED", "The engine is closed", { hint: "Open another one" });
    }
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw concealRecord(this.#context, error);
    } finally {
      this.#running.delete(running);
      this.#lateSync ??= this.#syncWhenIdle();
    }
  }

  /**
   * The one directory sync of step 14: removed names become durable when nothing else is to be
   * done. Without it a removed record may come back after a power loss, which costs a question and
   * no byte; so its failure is told by `close`. It is not tried again (A4).
   */
  async #syncWhenIdle(): Promise<void> {
    const { os, journal } = this.#context;
    try {
      do {
        await os.sleep(idleMs, this.#hurry.signal);
      } while (this.#running.size > 0 && this.#closing === undefined);
      await journal.syncIfNeeded();
    } catch {
      // Nobody waits for this answer; the journal keeps it for `close`.
    } finally {
      this.#lateSync = undefined;
    }
  }

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#running]);
    this.#hurry.abort();
    await this.#lateSync;
    try {
      await this.#context.journal.close();
    } catch (error) {
      throw fromOs(error, { action: "make the removal of a record durable" });
    }
  }
}
