/**
 * The engine: what a program opens to edit files.
 *
 * It only ties the parts together; what an edit does is in `transaction/`, what becomes of a record
 * that an earlier edit left is in `recovery/`.
 */
import { openJournal, resolveUserDataDirectory } from "@fe/journal";
import { createNodeOs, type Os } from "@fe/native";
import type { Engine, Recovery } from "./engine-types.ts";
import { FeError } from "./errors.ts";
import {
  type EditEvent,
  factsOfResolution,
  factsOfUndo,
  type RecoveryEvent,
  withEditEvent,
  withRecoveryEvent,
} from "./events.ts";
import { type Examination, examineSystem } from "./examine/examine.ts";
import { type IdentityReport, identifyPath } from "./examine/identify.ts";
import { queueOf } from "./identity-queue.ts";
import type { EditOptions, EditRequest, EngineOptions, PreviewOptions } from "./options.ts";
import { fromOs } from "./os-failure.ts";
import { ProgressReport } from "./progress.ts";
import { concealRecord } from "./recovery/conceal.ts";
import { listLooked, listRecords } from "./recovery/lookup.ts";
import { resolveRecord } from "./recovery/resolve.ts";
import { listResolved } from "./recovery/resolved.ts";
import { showVersion } from "./recovery/show.ts";
import { undoResolution } from "./recovery/undo.ts";
import type { EditResult } from "./result.ts";
import { resolveRoots } from "./roots.ts";
import { checkEngineOptions, settleOptions } from "./settle-options.ts";
import { checkEditOptions, settleRequest } from "./settle-request.ts";
import { closingPatienceMs } from "./transaction/answer.ts";
import type { EngineContext } from "./transaction/context.ts";
import { Patience } from "./transaction/patience.ts";
import { previewEdit } from "./transaction/preview.ts";
import { runTransaction } from "./transaction/transaction.ts";
import { engineVersion } from "./version.ts";

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
    checkEngineOptions(options);
    const environment = await os.environment();
    const userDataDirectory = resolveUserDataDirectory(environment, options);
    // Only what is left out means no limit; null or an empty text is a mistake.
    const roots = options.roots === undefined ? undefined : await resolveRoots(os, options.roots);
    const settled = settleOptions(options, roots);
    const journal = await openJournal(os, { userDataDirectory, engineVersion });
    const patience = new Patience();
    return new OpenEngine({ os, journal, queue: queueOf(os), options: settled, patience });
  } catch (error) {
    throw fromOs(error, { action: "open the engine" });
  }
}

/** The path for an event, of a request that was not checked yet. */
function named(request: EditRequest): Pick<EditEvent, "path"> {
  const path: unknown = (request as EditRequest | null | undefined)?.path;
  return typeof path === "string" ? { path } : {};
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
      storePath: context.journal.directoryPath,
      list: () => told({ operation: "list" }, () => listLooked(context)),
      listResolved: () => told({ operation: "list" }, () => listResolved(context)),
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
    const call = { operation: "edit", ...named(request) } as const;
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
    const call = { operation: "preview", ...named(request) } as const;
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

  /** A hook that never answers must not keep the engine open; nothing else waits for ever. */
  #losePatience(): void {
    const { os, patience } = this.#context;
    const lose = (): void => patience.lose();
    os.sleep(closingPatienceMs, this.#hurry.signal).then(lose, lose);
  }

  async #close(): Promise<void> {
    if (this.#running.size > 0) this.#losePatience();
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
