/**
 * Within one process: edits of one identity take turns, first come first served (S10).
 *
 * It knows nothing of other processes; those meet at the key lock. One queue per `Os`, which is one
 * per process and copy of the package; two copies in one process meet at the key lock too.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Os } from "@fe/native";

/** A turn that somebody has; to be ended exactly once, a second time is harmless. */
export type EndTurn = () => void;

/** Turns by key. */
export class IdentityQueue {
  /** Per key, those who wait; a key is present while somebody has the turn. */
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Keys whose hooks run in the present chain of calls. */
  readonly #inHooks = new AsyncLocalStorage<ReadonlySet<string>>();

  /**
   * Whether the caller runs inside a hook of an edit of this key, so that waiting would never end.
   */
  isInsideHookOf(key: string): boolean {
    return this.#inHooks.getStore()?.has(key) ?? false;
  }

  /** Runs an embedder's hook, remembering for whom. */
  runHook<T>(key: string, hook: () => Promise<T>): Promise<T> {
    return this.#inHooks.run(new Set([...(this.#inHooks.getStore() ?? []), key]), hook);
  }

  /** Waits for the turn without limit of time; rejects with the signal's reason when it aborts. */
  async take(key: string, signal: AbortSignal | undefined): Promise<EndTurn> {
    signal?.throwIfAborted();
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, new Set());
    } else {
      await this.#wait(waiting, signal);
    }
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#passOn(key);
    };
  }

  #wait(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(start);
        reject(signal?.reason);
      };
      waiting.add(start);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  #passOn(key: string): void {
    const waiting = this.#waiting.get(key);
    const next = waiting?.values().next().value;
    if (waiting === undefined || next === undefined) {
      this.#waiting.delete(key);
      return;
    }
    waiting.delete(next);
    next();
  }
}

const queues = new WeakMap<Os, IdentityQueue>();

/** The queue of this process. */
export function queueOf(os: Os): IdentityQueue {
  const known = queues.get(os);
  if (known !== undefined) return known;
  const made = new IdentityQueue();
  queues.set(os, made);
  return made;
}
