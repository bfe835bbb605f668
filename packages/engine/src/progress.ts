/**
 * How far an edit has come, for whoever watches it. Of a large file each step that goes through it
 * tells about once per MiB; without a watcher nothing is counted.
 *
 * G1  What is told are the step and sizes, never bytes.
 * G2  What the watcher does has no part in the edit: if it throws it is not called again, and the
 *     result says so. An edit must not end in the middle of its write for the sake of a display.
 */
import type { ByteSource } from "@fe/journal";

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
  /** How far in the file the step has come, in bytes: 0 when it begins, and never less again. */
  readonly doneBytes: number;
  /** Bytes of the version that the step goes through; 0 of `wait`. */
  readonly totalBytes: number;
}

/** Is told of the progress of an edit. */
export type OnProgress = (progress: EditProgress) => void;

/** The progress of one edit. */
export class ProgressReport {
  #tell: OnProgress | undefined;
  #current: EditProgress = { step: "match", doneBytes: 0, totalBytes: 0 };
  /** What the watcher threw, in a sentence (G2). */
  #failure: string | undefined;

  constructor(tell: OnProgress | undefined) {
    this.#tell = tell;
  }

  begin(step: ProgressStep, totalBytes: number): void {
    this.#set({ step, doneBytes: 0, totalBytes });
  }

  /** The step has come to this place; a place before one that was told already tells nothing. */
  reach(doneBytes: number): void {
    if (this.#tell === undefined || doneBytes <= this.#current.doneBytes) return;
    this.#set({ ...this.#current, doneBytes });
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

  /** What a caller should know. */
  warnings(): readonly string[] {
    return this.#failure === undefined ? [] : [this.#failure];
  }

  #set(progress: EditProgress): void {
    this.#current = progress;
    try {
      this.#tell?.(progress);
    } catch (error) {
      this.#tell = undefined;
      const why = error instanceof Error ? error.message : String(error);
      this.#failure = `onProgress failed and was not called again: ${why}`;
    }
  }
}
