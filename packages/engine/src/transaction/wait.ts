/**
 * How long an edit may wait for another process: counted from the head of this process's queue, the
 * time inside hooks not counted. Between two looks nothing is held but the pinned target.
 */
import type { Os } from "@fe/native";

/**
 * The first pause between two looks, and the longest; each may be twice as long as the one before.
 * Most of what is waited for takes some milliseconds. Jitter keeps two waiters out of step.
 */
const firstPauseMs = 2;
const maxPauseMs = 20;

/** The budget of one edit. */
export class WaitBudget {
  readonly #os: Os;
  #deadlineMs: number;
  #pauseMs = firstPauseMs;
  readonly #onWait: () => void;

  private constructor(os: Os, deadlineMs: number, onWait: () => void) {
    this.#os = os;
    this.#deadlineMs = deadlineMs;
    this.#onWait = onWait;
  }

  /** Starts the clock. `onWait` is called before each pause. */
  static async start(os: Os, waitMs: number, onWait: () => void): Promise<WaitBudget> {
    return new WaitBudget(os, (await os.monotonicMs()) + waitMs, onWait);
  }

  /** Runs something whose time does not count. */
  async exclude<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = await this.#os.monotonicMs();
    try {
      return await work();
    } finally {
      this.#deadlineMs += (await this.#os.monotonicMs()) - startedMs;
    }
  }

  /** Pauses before another look; `false`: the time is over. */
  async pause(signal: AbortSignal | undefined): Promise<boolean> {
    const leftMs = this.#deadlineMs - (await this.#os.monotonicMs());
    if (leftMs <= 0) return false;
    this.#onWait();
    const pauseMs = Math.min(leftMs, 1 + (await this.#os.randomBelow(this.#pauseMs)));
    this.#pauseMs = Math.min(maxPauseMs, 2 * this.#pauseMs);
    await this.#os.sleep(pauseMs, signal);
    return true;
  }
}
