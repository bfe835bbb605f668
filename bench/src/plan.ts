/** How much is measured in each mode. */
import { olderName } from "./contenders/older-record.ts";
import { plainName } from "./contenders/peers.ts";
import type { RowPlan } from "./measures/in-a-row.ts";
import { ourName, type SizePlan } from "./measures/sizes.ts";
import type { Results } from "./results.ts";
import { type Kind, kibibyte, kinds, mebibyte } from "./sample.ts";

export interface Plan {
  /**
   * Edits of 4 KiB by each contender before anything is measured, an even number. After so many V8
   * has compiled what is used often; what the first edit of a process takes, P7 says.
   */
  readonly warmUps: number;
  readonly sizes: readonly SizePlan[];
  readonly inARow: readonly RowPlan[];
  /** Sizes whose steps and limits are taken apart. */
  readonly limits: readonly number[];
  readonly memory: readonly {
    readonly contender: string;
    readonly sizeBytes: number;
    readonly edit: Kind;
  }[];
  readonly delayBytes: number;
  readonly calls: readonly {
    readonly sizeBytes: number;
    readonly counts: readonly [few: number, many: number];
  }[];
  /** Edits of all processes together (P6). */
  readonly edits: number;
  readonly records: number;
  readonly rounds: {
    readonly steps: number;
    readonly memory: number;
    readonly delay: number;
    readonly processes: number;
    readonly recovery: number;
    readonly startUp: number;
  };
}

/** The plan with a share of its rounds; delays keep theirs, since the goal names the number. */
export function withShare(plan: Plan, share: number): Plan {
  const some = (rounds: number, least: number): number =>
    Math.max(least, Math.round(rounds * share));
  const { steps, memory, delay, processes, recovery, startUp } = plan.rounds;
  return {
    ...plan,
    sizes: plan.sizes.map((size) => ({ ...size, rounds: some(size.rounds, 2) })),
    inARow: plan.inARow.map((row) => ({ ...row, rounds: some(row.rounds, 2) })),
    rounds: {
      steps: some(steps, 2),
      memory: some(memory, 1),
      delay,
      processes: some(processes, 1),
      recovery: some(recovery, 2),
      startUp: some(startUp, 2),
    },
  };
}

/** Those of 128 MiB: the older record takes ten seconds for each edit there. */
const others = [ourName, plainName, "atomically", "steno", "node:fs", "node:fs + fsync"];
const once: readonly Kind[] = ["same length"];
const rest: readonly Kind[] = kinds.filter((kind) => kind !== "same length");

export const plans: Readonly<Record<Results["mode"], Plan>> = {
  full: {
    warmUps: 1000,
    inARow: [
      { sizeBytes: 4 * kibibyte, edits: 200, rounds: 15 },
      { sizeBytes: 64 * kibibyte, edits: 200, rounds: 15 },
      { sizeBytes: mebibyte, edits: 20, rounds: 11 },
    ],
    sizes: [
      { sizeBytes: 4 * kibibyte, kinds, rounds: 150 },
      { sizeBytes: 64 * kibibyte, kinds, rounds: 100 },
      { sizeBytes: mebibyte, kinds, rounds: 25 },
      { sizeBytes: 16 * mebibyte, kinds: once, rounds: 11 },
      { sizeBytes: 16 * mebibyte, kinds: rest, rounds: 7, only: others },
      { sizeBytes: 128 * mebibyte, kinds: once, rounds: 5 },
      { sizeBytes: 128 * mebibyte, kinds: rest, rounds: 5, only: [ourName, plainName] },
    ],
    limits: [4 * kibibyte, 64 * kibibyte, mebibyte, 16 * mebibyte, 128 * mebibyte],
    memory: [
      ...kinds.map((edit) => ({ contender: ourName, sizeBytes: 128 * mebibyte, edit })),
      { contender: ourName, sizeBytes: 16 * mebibyte, edit: "same length" },
      { contender: plainName, sizeBytes: 128 * mebibyte, edit: "same length" },
      { contender: olderName, sizeBytes: 128 * mebibyte, edit: "same length" },
    ],
    delayBytes: 128 * mebibyte,
    calls: [
      { sizeBytes: 4 * kibibyte, counts: [20, 120] },
      { sizeBytes: 16 * mebibyte, counts: [1, 6] },
    ],
    edits: 1000,
    records: 1000,
    rounds: { steps: 11, memory: 3, delay: 5, processes: 3, recovery: 11, startUp: 30 },
  },
  short: {
    warmUps: 400,
    inARow: [
      { sizeBytes: 4 * kibibyte, edits: 100, rounds: 3 },
      { sizeBytes: 64 * kibibyte, edits: 100, rounds: 3 },
      { sizeBytes: mebibyte, edits: 10, rounds: 3 },
    ],
    sizes: [
      { sizeBytes: 4 * kibibyte, kinds, rounds: 30 },
      { sizeBytes: 64 * kibibyte, kinds: once, rounds: 30 },
      { sizeBytes: mebibyte, kinds: once, rounds: 7 },
      { sizeBytes: 16 * mebibyte, kinds: once, rounds: 3, only: [ourName, plainName] },
      { sizeBytes: 128 * mebibyte, kinds: once, rounds: 2, only: [ourName, plainName] },
    ],
    limits: [4 * kibibyte, 128 * mebibyte],
    memory: [{ contender: ourName, sizeBytes: 128 * mebibyte, edit: "same length" }],
    delayBytes: 128 * mebibyte,
    calls: [{ sizeBytes: 4 * kibibyte, counts: [10, 40] }],
    edits: 200,
    records: 200,
    rounds: { steps: 3, memory: 1, delay: 2, processes: 1, recovery: 3, startUp: 8 },
  },
};
