/** Runs many seeds and sums them up; what the tests and the command have in common. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crowd, failingDisk, type Profile, vandal } from "./profiles.ts";
import { type Outcome, type RunOptions, runSeed } from "./run.ts";

export interface Summary {
  readonly title: string;
  readonly runs: number;
  readonly steps: number;
  readonly powerLosses: number;
  readonly seconds: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
}

export const profiles: Readonly<Record<string, Profile>> = {
  crowd,
  vandal,
  "failing-disk": failingDisk,
};

/** The command that runs one seed again and prints every call. */
export function replayCommand(seed: number, profile: string): string {
  const more = profile === "crowd" ? "" : ` --profile ${profile}`;
  return `pnpm --filter @fe/engine run test:simulation --seed ${seed}${more}`;
}

/** Sums up runs; `describe` says how a run that failed is had again. */
export class Tally {
  readonly #title: string;
  readonly #startedMs = performance.now();
  readonly #answers: Record<string, number> = {};
  readonly #failures: string[] = [];
  #runs = 0;
  #steps = 0;
  #powerLosses = 0;

  constructor(title: string) {
    this.#title = title;
  }

  get failureCount(): number {
    return this.#failures.length;
  }

  add(outcome: Outcome, describe: () => string): void {
    this.#runs += 1;
    this.#steps += outcome.steps;
    this.#powerLosses += outcome.powerLosses;
    for (const [answer, count] of outcome.answers) {
      this.#answers[answer] = (this.#answers[answer] ?? 0) + count;
    }
    if (outcome.violations.length === 0) return;
    this.#failures.push([describe(), ...outcome.violations].join("\n  "));
  }

  /** What was seen; kept for the evidence if that is being written. */
  end(): Summary {
    const summary = {
      title: this.#title,
      runs: this.#runs,
      steps: this.#steps,
      powerLosses: this.#powerLosses,
      seconds: (performance.now() - this.#startedMs) / 1000,
      answers: this.#answers,
      failures: this.#failures,
    };
    keepForEvidence(this.#title, summary);
    return summary;
  }
}

/** No more failures are gathered than somebody would read. */
const maxFailures = 5;

export async function runSeeds(
  title: string,
  seeds: { readonly from: number; readonly count: number; readonly profile: string },
  options: RunOptions = {},
): Promise<Summary> {
  const { from, count, profile } = seeds;
  const known = profiles[profile];
  if (known === undefined) throw new Error(`There is no profile "${profile}"`);
  // Errors are made and thrown away by the thousand; nobody reads their stacks.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const tally = new Tally(title);
  for (let seed = from; seed < from + count && tally.failureCount < maxFailures; seed++) {
    const outcome = await runSeed(seed, { ...options, profile: known });
    tally.add(outcome, () => `seed ${seed}, again with: ${replayCommand(seed, profile)}`);
  }
  Error.stackTraceLimit = stackTraceLimit;
  return tally.end();
}

/** Where `scripts/simulation.mjs` gathers the parts of `docs/evidence/simulation.md`. */
export function keepForEvidence(title: string, value: unknown): void {
  if (process.env.FE_SIMULATION_EVIDENCE === undefined) return;
  const folder = fileURLToPath(new URL("../../node_modules/.cache/simulation/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const name = title.replaceAll(/[^a-z0-9]+/gi, "-");
  writeFileSync(`${folder}${name}.json`, JSON.stringify(value, undefined, 2));
}
