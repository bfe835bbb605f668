// Method: the runs of `simulation.crash.test.ts`, with one protection of the engine taken out.
// Property: each such engine is caught within a number of seeds, so that a run without violations
// says something; those that this layer cannot catch, for a reason, pass as many.
import { describe, expect, it, vi } from "vitest";
import { type Mutant, mutants } from "../test/simulation/mutants.ts";
import { runSeed } from "../test/simulation/run.ts";
import { keepForEvidence } from "../test/simulation/suite.ts";

/** The slowest is caught within half of them. */
const seedsToCatch = 2_000;
/** Of a mutant that is not to be caught, to see that the words about it are true. */
const seedsToPass = 100;

const active = vi.hoisted(() => ({ module: "" }));

vi.mock("./transaction/verify.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("./transaction/verify.ts")>();
  return {
    ...original,
    verifyBefore: async (...given: Parameters<typeof original.verifyBefore>) => {
      if (active.module !== "no-verify") return original.verifyBefore(...given);
      return { state: "armed", prepared: given[1] };
    },
  };
});

vi.mock("./transaction/mutate.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("./transaction/mutate.ts")>();
  return {
    ...original,
    mutateTarget: async (...[context, armed]: Parameters<typeof original.mutateTarget>) => {
      if (active.module !== "truncate-first") return original.mutateTarget(context, armed);
      const { matched, record } = armed.prepared;
      await matched.file.setLength(0);
      await original.writeWhole("mutant", matched.file, 0, record.after);
      return { state: "mutated", armed };
    },
  };
});

vi.mock("./recovery/restore.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("./recovery/restore.ts")>();
  return {
    ...original,
    restore: (...[context, restoration]: Parameters<typeof original.restore>) => {
      const isDoubtful = restoration.isDoubtful && active.module !== "trusting-resolve";
      return original.restore(context, { ...restoration, isDoubtful });
    },
  };
});

interface Catch {
  readonly rule: string;
  readonly seed: number;
  readonly what: string;
}

/** The first violation of each rule, until one is found that `isEnough`. */
async function firstCatches(
  mutant: Mutant,
  seeds: number,
  isEnough: (rule: string) => boolean,
): Promise<readonly Catch[]> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  active.module = mutant.module ?? "";
  const catches = new Map<string, Catch>();
  for (let seed = 1; seed <= seeds && ![...catches.keys()].some(isEnough); seed++) {
    const { violations } = await runSeed(seed, mutant);
    for (const violation of violations) {
      const rule = violation.slice(0, violation.indexOf(":"));
      if (!catches.has(rule)) catches.set(rule, { rule, seed, what: violation });
    }
  }
  active.module = "";
  Error.stackTraceLimit = stackTraceLimit;
  return [...catches.values()];
}

/** What only those see who watch every call; the other rules look at files and answers only. */
const rulesOfTheMonitor = new Set(["EX", "I1", "I3", "I5", "KL", "ME", "S13"]);
const isForEvidence = process.env.FE_SIMULATION_EVIDENCE !== undefined;

describe("an engine with a protection taken out", () => {
  for (const mutant of mutants) {
    const { name, expected, why } = mutant;
    const isCaught = expected === "caught";
    const says = isCaught ? "is caught" : `is ${expected}: ${why}`;
    it(`S33 B14 ${name}: ${says}`, async () => {
      // For the evidence it is also said when it shows from outside.
      const isEnough = (rule: string): boolean => !isForEvidence || !rulesOfTheMonitor.has(rule);
      const seeds = isCaught || isForEvidence ? seedsToCatch : seedsToPass;
      const catches = await firstCatches(mutant, seeds, isEnough);
      keepForEvidence(`mutant ${name}`, { name, expected, why, catches, seeds });
      expect(catches.length > 0, JSON.stringify(catches)).toBe(isCaught);
    }, 300_000);
  }
});
