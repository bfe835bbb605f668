/** Runs one simulation from its seed, and says what it broke. */
import {
  type Fault,
  type FaultPlan,
  planFaults,
  type SimulatedCall,
  SimulatedWorld,
  type TracedCall,
} from "@fe/native/testing";
import { Actor } from "./actors.ts";
import { Books, type MakeOs } from "./books.ts";
import { KeyLockRule } from "./key-lock-rule.ts";
import { Liveness } from "./liveness.ts";
import { Monitor } from "./monitor.ts";
import { Outsider } from "./outsider.ts";
import { drawPlan, homePath, type Plan, type PlannedPhase } from "./plan.ts";
import type { Profile } from "./profiles.ts";
import { sparingTheTold } from "./told-of-failed-sync.ts";

export interface RunOptions {
  readonly profile?: Profile;
  readonly makeOs?: MakeOs;
  readonly onCall?: (call: TracedCall) => void;
}

export interface Outcome {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly steps: number;
  readonly powerLosses: number;
  readonly deaths: number;
  /** Planned faults that met no call they could hit. */
  readonly faultsLeft: number;
  /** How often each answer was given. */
  readonly answers: ReadonlyMap<string, number>;
}

/** Runs the simulation of a seed. */
export function runSeed(seed: number, options: RunOptions = {}): Promise<Outcome> {
  return runPlan(drawPlan(seed, options.profile), options);
}

export async function runPlan(plan: Plan, options: RunOptions = {}): Promise<Outcome> {
  return new Simulation(plan, options).run();
}

class Simulation {
  readonly #plan: Plan;
  readonly #makeOs: MakeOs;
  readonly #world: SimulatedWorld;
  readonly #books: Books;
  readonly #monitor: Monitor;
  #deaths = 0;
  #faultsLeft = 0;
  #powerLosses = 0;

  constructor(plan: Plan, options: RunOptions) {
    this.#plan = plan;
    this.#makeOs = options.makeOs ?? ((os) => os);
    this.#world = new SimulatedWorld(plan.world);
    this.#world.scheduler.onCall = options.onCall;
    this.#books = new Books(this.#world, plan.files);
    this.#makeFiles();
    this.#monitor = new Monitor(this.#books);
    new KeyLockRule(this.#books);
    this.#world.observe(({ kind }) => {
      if (kind === "power-loss") this.#powerLosses += 1;
      if (kind === "death") this.#deaths += 1;
    });
  }

  async run(): Promise<Outcome> {
    const { phases, powerLossAtEnd, seed, livePaths } = this.#plan;
    for (const phase of phases) await this.#runPhase(phase);
    const liveness = new Liveness(this.#books, this.#makeOs);
    await this.#alone(() => liveness.check(livePaths));
    if (powerLossAtEnd) {
      this.#world.losePower();
      await this.#alone(() => liveness.check(livePaths));
    }
    return {
      seed,
      violations: this.#books.violations,
      steps: this.#world.scheduler.steps,
      powerLosses: this.#powerLosses,
      deaths: this.#deaths,
      faultsLeft: this.#faultsLeft,
      answers: this.#books.answers,
    };
  }

  #makeFiles(): void {
    const { disk, owner } = this.#world;
    const home = disk.makeDirectory(disk.root, homePath.slice(1), 0o755, owner);
    disk.makeDirectory(disk.root, "data", 0o700, owner);
    for (const [path, content] of this.#plan.files) {
      const file = disk.makeFile(home, path.slice(homePath.length + 1), 0o644, owner);
      file.settle(Buffer.from(content, "latin1"), file.mode);
      this.#books.open(file, ["{x0}", "{y0}"]);
      if (path === [...this.#plan.files.keys()][0]) {
        disk.link(file, home, this.#plan.hardLink.slice(homePath.length + 1), "link");
      }
    }
    this.#world.syncAll();
    const { phases } = this.#plan;
    this.#books.texts.push("{x0}", "{y0}");
    for (const { processes, outside } of phases) {
      for (const { mark } of outside) this.#books.texts.push(`{${mark}}`);
      for (const action of processes.flatMap(({ actions }) => actions)) {
        if (action.kind === "edit") this.#books.texts.push(action.newText);
        if (action.kind !== "two-edits") continue;
        for (const { newText } of action.edits) this.#books.texts.push(newText);
      }
    }
  }

  async #runPhase({ processes, outside, faults, powerLossAfter }: PlannedPhase): Promise<void> {
    const { scheduler } = this.#world;
    const from = scheduler.steps;
    const planned = faults.map((fault) => ({ ...fault, step: fault.step + from }));
    const plan = planFaults(planned);
    scheduler.plan = this.#noting(sparingTheTold(plan, this.#books));
    for (const process of processes) this.#go(() => this.#runProcess(process));
    if (outside.length > 0) {
      this.#go(() => new Outsider(this.#books, this.#monitor).run(outside));
    }
    await this.#untilIdle();
    scheduler.plan = { at: () => undefined };
    this.#faultsLeft += plan.left.length;
    if (powerLossAfter) this.#world.losePower();
    else this.#world.killAll();
  }

  async #runProcess(planned: PlannedPhase["processes"][number]): Promise<void> {
    const actor = await Actor.start(this.#books, this.#makeOs);
    await actor.run(planned);
  }

  async #alone(work: () => Promise<void>): Promise<void> {
    let isDone = false;
    this.#go(async () => {
      await work();
      isDone = true;
    });
    await this.#untilIdle();
    if (!isDone) this.#books.violation("L1", "the last process waits for ever");
    this.#world.killAll();
  }

  /** Starts work whose process may die, so that nobody can wait for its end. */
  #go(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#books.violation("threw", text);
    });
  }

  async #untilIdle(): Promise<void> {
    await this.#world.scheduler.idle();
    if (this.#world.scheduler.isExhausted) this.#books.violation("L1", "it goes in circles");
  }

  /** Tells the books of the faults that a process lives to see. */
  #noting(plan: FaultPlan): FaultPlan {
    return {
      at: (step: number, call: SimulatedCall): Fault | undefined => {
        const fault = plan.at(step, call);
        if (fault?.kind === "error" || fault?.kind === "short") this.#books.fault(call.pid);
        return fault;
      },
    };
  }
}
