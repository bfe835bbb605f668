/**
 * Lets other work go on in time. Reading from memory or a cache may end at once, so awaiting it is
 * no pause; and there is no clock here, so that a run can be replayed: work is counted instead.
 */
import { setImmediate } from "node:timers/promises";

/** So much work, in bytes looked at once, takes a millisecond or two. */
const pauseAfter = 1024 * 1024;

/** Counts the work of one call. */
export class WorkMeter {
  readonly #signal: AbortSignal | undefined;
  #spent = 0;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /**
   * To be called after some work, in bytes looked at once. `undefined`: no pause is due.
   *
   * Errors: the signal's reason, as a rejection, once it aborted.
   */
  spend(bytes: number): Promise<void> | undefined {
    this.#spent += bytes;
    if (this.#spent < pauseAfter) return undefined;
    this.#spent = 0;
    return this.#pause();
  }

  throwIfAborted(): void {
    this.#signal?.throwIfAborted();
  }

  async #pause(): Promise<void> {
    await setImmediate();
    this.throwIfAborted();
  }
}
