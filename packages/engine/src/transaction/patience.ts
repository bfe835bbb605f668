/**
 * The patience of an engine: lost once, some time after `close` was called. It is no `AbortSignal`,
 * since Node warns of a leak where more than 10 listen to one of these.
 */
export class Patience {
  #isLost = false;
  readonly #waiting = new Set<() => void>();

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Calls back when it is lost; what is returned ends that. */
  onLost(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  lose(): void {
    this.#isLost = true;
    for (const callback of this.#waiting) callback();
    this.#waiting.clear();
  }
}
