/**
 * How far an edit has come, for whoever watches it. Of a large file each step that goes through it
 * tells about once per MiB; without a watcher nothing is counted.
 *
 * G1  What is told are the step and sizes, never bytes.
 * G2  What the watcher does has no part in the edit: if it throws, or if a promise that it returned
 *     rejects, it is not called again, and the result says so. An edit must not end in the middle
 *     of its write for the sake of a display, and so no rejection may be left to the process.
 */
import type { ByteSource } from "@fe/journal";
import type { Os } from "@fe/native";

/**
 * How long the end of an edit waits for promises of the watcher, so that the result can tell what
 * became of them. A guess; they may have to be forgotten, since nobody else can end them.
 */
const lastWordMs = 1_000;

/**
 * The steps that can take long, in their order; waiting and those up to `prepare` may come again.
 *
 * - `wait`: another process's edit of the file, or another program that has it open.
 * - `match`: the file is read and the old text looked for.
 * - `prepare`: both versions are written to the recovery record.
 * - `verify`: the file is compared with the record, right before the first byte changes.
 * - `write`: the new bytes are written. From here on an abort signal is not honoured any more.
 * - `confirm`: the file is read back and compared.
 */
export type ProgressStep = "wait" | "match" | "prepare" | "verify" | "write" | "confirm";

/** What `onProgress` is told. */
export interface EditProgress {
  readonly step: ProgressStep;
  /**
   * How far in the file the step has come, in bytes: 0 when it begins, never less again, and
   * `totalBytes` when it succeeded.
   */
  readonly doneBytes: number;
  /** Bytes of the version that the step goes through; 0 of `wait`. */
  readonly totalBytes: number;
}

/**
 * Is told of the progress of an edit. What it returns is not looked at, unless it is a promise:
 * that is not waited for before the next call, and its rejection counts as a throw.
 */
export type OnProgress = (progress: EditProgress) => unknown;

/** Between its beginning and its end a step is told of no more often than this. */
const betweenBytes = 1024 * 1024;

/** The progress of one edit. */
export class ProgressReport {
  #tell: OnProgress | undefined;
  #current: EditProgress = { step: "match", doneBytes: 0, totalBytes: 0 };
  /** What became of the watcher, in a sentence (G2). */
  #failure: string | undefined;
  /** What it returned and has not come to an end. */
  readonly #pending = new Set<Promise<void>>();

  constructor(tell: OnProgress | undefined) {
    this.#tell = tell;
  }

  begin(step: ProgressStep, totalBytes: number): void {
    this.#set({ step, doneBytes: 0, totalBytes });
  }

  /** The step has come to this place. A place at or before one that was told tells nothing. */
  reach(doneBytes: number): void {
    if (this.#tell === undefined) return;
    const { doneBytes: toldBytes, totalBytes } = this.#current;
    const isDue = doneBytes >= totalBytes || doneBytes - toldBytes >= betweenBytes;
    if (doneBytes > toldBytes && isDue) this.#set({ ...this.#current, doneBytes });
  }

  /** The step is done. */
  complete(): void {
    this.reach(this.#current.totalBytes);
  }

  /** The source, whose reading is progress of the step that is going on. */
  of(source: ByteSource): ByteSource {
    if (this.#tell === undefined) return source;
    return {
      ...source,
      read: async (buffer, positionBytes) => {
        const count = await source.read(buffer, positionBytes);
        this.reach(positionBytes + count);
        return count;
      },
    };
  }

  /** What a caller should know, at the end of the edit. */
  async warnings(os: Os): Promise<readonly string[]> {
    if (this.#pending.size > 0) await this.#awaitLastWord(os);
    return this.#failure === undefined ? [] : [this.#failure];
  }

  async #awaitLastWord(os: Os): Promise<void> {
    const ended = new AbortController();
    const all = Promise.all(this.#pending).finally(() => ended.abort());
    await Promise.race([all, os.sleep(lastWordMs, ended.signal)]);
    if (this.#pending.size === 0) return;
    this.#failure ??= "a promise of onProgress was open when the edit ended; its end is not told";
  }

  #set(progress: EditProgress): void {
    this.#current = progress;
    if (this.#tell === undefined) return;
    try {
      const returned = this.#tell(progress);
      if (isThenable(returned)) this.#watch(returned);
    } catch (error) {
      this.#fail(error);
    }
  }

  #watch(returned: PromiseLike<unknown>): void {
    const watched: Promise<void> = Promise.resolve(returned)
      .then(
        () => {},
        (error: unknown) => this.#fail(error),
      )
      .finally(() => this.#pending.delete(watched));
    this.#pending.add(watched);
  }

  #fail(error: unknown): void {
    this.#tell = undefined;
    this.#failure ??= `onProgress failed and was not called again: ${wordsOf(error)}`;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined | null)?.then === "function";
}

/** Anything can be thrown, also what has no words. */
function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "it threw what cannot be told";
  }
}
