/**
 * Decides which process makes its next call: every call of the port waits here until it is chosen.
 *
 * Method: calls run one at a time. After each the whole microtask queue is run down, so every
 * process has come to its next call, or ended, before the next choice; so the order depends on the
 * seed alone.
 *
 * I1  A process that died makes no call any more, and what it waited for never settles: a crash
 *     cannot be caught.
 * I2  Steps are counted and capped; a simulation that goes in circles ends and says so.
 * I3  Time passes by steps and by sleeping only. A sleeper may be chosen early, which moves the
 *     clock: the others were slow.
 */
import { type FaultPlan, noFaults, type SimulatedCall } from "./fault-plan.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Who makes calls. */
export interface Caller {
  readonly pid: number;
  readonly isAlive: boolean;
}

/** How much of a write is to be done; all other calls are done whole. */
export type Extent = "whole" | "part";

/** What the scheduler does to the world when a fault fires. */
export interface FaultEffects {
  kill(pid: number): void;
  losePower(): void;
  error(code: string, call: SimulatedCall): Error;
}

/** One call that was made, for a trace. */
export interface TracedCall extends SimulatedCall {
  readonly step: number;
  readonly outcome: string;
}

interface Waiting {
  readonly caller: Caller;
  readonly call: SimulatedCall;
  readonly run: (extent: Extent) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** What is true besides when a fault makes the call fail. */
  readonly failed: (() => void) | undefined;
  /** Only a sleeper has one. */
  wakeMs: number | undefined;
}

/** Passes with every step. */
const stepMs = 0.02;
/** How often a sleeper is chosen although others could go on. */
const earlyWakeChance = 0.03;

export class Scheduler {
  readonly #random: SeededRandom;
  readonly #effects: FaultEffects;
  readonly #maxSteps: number;
  #waiting: Waiting[] = [];
  #isPumping = false;
  #whenIdle: (() => void)[] = [];
  #lastCaller: Caller | undefined;
  /** How likely the same process goes on; drawn by the seed. */
  stickiness: number;
  plan: FaultPlan = noFaults;
  onCall: ((call: TracedCall) => void) | undefined;
  steps = 0;
  /** Who makes the call that is running. */
  currentPid = 0;
  nowMs = 0;
  /** The cap was met. */
  isExhausted = false;

  constructor(
    random: SeededRandom,
    effects: FaultEffects,
    options: { readonly maxSteps: number; readonly stickiness: number },
  ) {
    this.#random = random;
    this.#effects = effects;
    this.#maxSteps = options.maxSteps;
    this.stickiness = options.stickiness;
  }

  /** Makes a call when its turn has come. It never settles if the caller dies first. */
  enter<T>(
    caller: Caller,
    call: SimulatedCall,
    run: (extent: Extent) => T,
    failed?: () => void,
  ): Promise<T> {
    return this.#wait(caller, call, { run, failed, wakeMs: undefined });
  }

  async sleep(
    caller: Caller,
    milliseconds: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (!caller.isAlive || this.isExhausted) return new Promise(() => undefined);
    if (signal?.aborted) return;
    const call = { name: "os.sleep", about: `${milliseconds} ms`, pid: caller.pid };
    const wakeMs = this.nowMs + Math.max(milliseconds, 0);
    const wait = this.#wait(caller, call, { run: () => undefined, failed: undefined, wakeMs });
    const entry = this.#waiting.at(-1);
    const wake = (): void => {
      if (entry !== undefined) entry.wakeMs = undefined;
    };
    signal?.addEventListener("abort", wake, { once: true });
    await wait;
    signal?.removeEventListener("abort", wake);
  }

  /** Forgets what a dead process waits for. */
  drop(isDead: (caller: Caller) => boolean): void {
    this.#waiting = this.#waiting.filter(({ caller }) => !isDead(caller));
  }

  /** Resolves when nobody waits for a call: all have ended, or died. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#pumpSoon();
    });
  }

  #wait<T>(
    caller: Caller,
    call: SimulatedCall,
    work: Pick<Waiting, "failed" | "wakeMs"> & { readonly run: (extent: Extent) => T },
  ): Promise<T> {
    // I1
    if (!caller.isAlive || this.isExhausted) return new Promise(() => undefined);
    return new Promise<T>((resolve, reject) => {
      const settle = resolve as (value: unknown) => void;
      this.#waiting.push({ caller, call, ...work, resolve: settle, reject });
      this.#pumpSoon();
    });
  }

  #pumpSoon(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    // Queued by a microtask, a tick comes after the last microtask.
    queueMicrotask(() => process.nextTick(() => this.#pump()));
  }

  #pump(): void {
    this.#isPumping = false;
    if (this.steps >= this.#maxSteps && this.#waiting.length > 0) {
      this.isExhausted = true;
      this.#waiting = [];
    }
    if (this.#waiting.length === 0) {
      for (const wake of this.#whenIdle.splice(0)) wake();
      return;
    }
    this.#makeCall(this.#choose());
    this.#pumpSoon();
  }

  #choose(): Waiting {
    const [only] = this.#waiting;
    const chosen = only !== undefined && this.#waiting.length === 1 ? only : this.#chooseOfMany();
    this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
    this.#lastCaller = chosen.caller;
    this.nowMs = Math.max(this.nowMs + stepMs, chosen.wakeMs ?? 0);
    return chosen;
  }

  #chooseOfMany(): Waiting {
    const { nowMs } = this;
    const awake = this.#waiting.filter(({ wakeMs }) => wakeMs === undefined || wakeMs <= nowMs);
    const mayWakeEarly = awake.length === 0 || this.#random.chance(earlyWakeChance);
    const candidates = mayWakeEarly ? this.#waiting : awake;
    const same = candidates.filter(({ caller }) => caller === this.#lastCaller);
    const isSticky = same.length > 0 && this.#random.chance(this.stickiness);
    let chosen = this.#random.pick(isSticky ? same : candidates);
    if (awake.length === 0) {
      // Nobody else can move the clock, so the sleepers wake in their order.
      for (const one of this.#waiting) {
        if ((one.wakeMs ?? 0) < (chosen.wakeMs ?? 0)) chosen = one;
      }
    }
    return chosen;
  }

  #makeCall(waiting: Waiting): void {
    const { call } = waiting;
    this.steps += 1;
    this.currentPid = call.pid;
    const fault = this.plan.at(this.steps, call);
    if (fault === undefined) {
      this.#run(waiting, "whole");
      return;
    }
    switch (fault.kind) {
      case "error":
        this.#trace(call, `fault: ${fault.code}`);
        waiting.failed?.();
        waiting.reject(this.#effects.error(fault.code, call));
        return;
      case "short":
        this.#run(waiting, "part");
        return;
      case "kill":
      case "power":
        if (fault.moment === "after") this.#runUnheard(waiting, "whole");
        if (fault.moment === "during" && /\.(write|overwrite)$|\/mark$/.test(call.name)) {
          this.#runUnheard(waiting, "part");
        }
        this.#trace(call, `fault: ${fault.kind} ${fault.moment}`);
        if (fault.kind === "kill") this.#effects.kill(call.pid);
        else this.#effects.losePower();
    }
  }

  #run({ call, run, resolve, reject }: Waiting, extent: Extent): void {
    let value: unknown;
    try {
      value = run(extent);
    } catch (error) {
      this.#trace(call, error instanceof Error ? error.message : String(error));
      reject(error);
      return;
    }
    if (this.onCall !== undefined) this.#trace(call, extent === "part" ? "short" : "done");
    resolve(value);
  }

  /** The caller dies with the call, so nobody hears its answer. */
  #runUnheard({ run }: Waiting, extent: Extent): void {
    try {
      run(extent);
    } catch {
      // Nobody is there to be told.
    }
  }

  #trace(call: SimulatedCall, outcome: string): void {
    this.onCall?.({ ...call, step: this.steps, outcome });
  }
}
