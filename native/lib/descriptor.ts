/**
 * An open descriptor, and the only way to its number.
 *
 * I1  After `close` or `take` the number is given to nobody: the system may have handed it to
 *     another file by then, and a late write would go there.
 * I2  The number is not closed while a call in the thread pool still works on it, for the same
 *     reason.
 */
import type { Addon } from "./binding.ts";
import { type ContentCalls, contentCalls } from "./content.ts";
import { attempt, attemptLater } from "./native-call.ts";
import { OsError } from "./os-error.ts";

export class Descriptor {
  /** Path or name that it was opened by, for messages. */
  readonly about: string;
  /** What reads and writes by its number. */
  readonly content: ContentCalls;
  readonly #addon: Addon;
  #number: number | undefined;
  #runningCalls = 0;
  #whenIdle: (() => void)[] = [];
  #closed: Promise<void> | undefined;

  constructor(addon: Addon, number: number, about: string) {
    this.#addon = addon;
    this.#number = number;
    this.about = about;
    this.content = contentCalls(addon);
  }

  get isOpen(): boolean {
    return this.#number !== undefined;
  }

  /**
   * Runs a call that ends at once; an error names `path`. Errors: `EBADF` after closing, and the
   * call's own.
   */
  use<T>(operation: string, call: (descriptor: number) => T, path: string = this.about): T {
    const number = this.#open(operation);
    return attempt(operation, path, () => call(number));
  }

  /** Runs a call that ends later. */
  async useLater<T>(operation: string, call: (descriptor: number) => Promise<T>): Promise<T> {
    const number = this.#open(operation);
    this.#runningCalls += 1;
    try {
      return await attemptLater(operation, this.about, () => call(number));
    } finally {
      this.#runningCalls -= 1;
      if (this.#runningCalls === 0) for (const wake of this.#whenIdle.splice(0)) wake();
    }
  }

  /** The addon's own sync; why not Node's is in src/flush_darwin.cc. */
  flush(operation: string): Promise<void> {
    return this.useLater(operation, (fd) => this.#addon.flush(fd));
  }

  /**
   * Gives the number away, still open, as soon as no call works on it; `undefined` if it is closed.
   * To every other caller it counts as closed from now on.
   */
  async take(): Promise<number | undefined> {
    const number = this.#number;
    this.#number = undefined;
    if (number !== undefined && this.#runningCalls > 0) {
      await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    }
    return number;
  }

  /** Closes; a second call is harmless and ends with the first. */
  close(): Promise<void> {
    this.#closed ??= this.take().then((number) => {
      if (number !== undefined) this.#addon.close(number);
    });
    return this.#closed;
  }

  #open(operation: string): number {
    if (this.#number === undefined) {
      throw new OsError("EBADF", operation, {
        path: this.about,
        message: "EBADF, the handle is closed",
      });
    }
    return this.#number;
  }
}
