/** All that one run found out; what is written to `bench/results`. */
import type { Machine } from "./machine.ts";
import type { RowResult } from "./measures/in-a-row.ts";
import type { Limits } from "./measures/limits.ts";
import type { ProcessResult } from "./measures/processes.ts";
import type { RecoveryResult } from "./measures/recovery.ts";
import type { CallsResult, DelayResult, MemoryResult } from "./measures/resources.ts";
import type { SizeResult } from "./measures/sizes.ts";
import type { StartUpResult } from "./measures/start-up.ts";
import type { Steps } from "./measures/steps.ts";

export interface Results {
  readonly mode: "full" | "short";
  /** Share of the rounds of the plan that were run; 1 if all. */
  readonly share: number;
  readonly machine: Machine;
  /** What each contender does otherwise, by name. */
  readonly contenders: Readonly<Record<string, string>>;
  /** Edits of each contender before anything was measured. */
  readonly warmUps?: number;
  readonly sizes: readonly SizeResult[];
  /** Absent in results of older runs. */
  readonly inARow?: readonly RowResult[];
  readonly limits: readonly Limits[];
  readonly steps: readonly Steps[];
  readonly memory: readonly MemoryResult[];
  readonly delays: readonly DelayResult[];
  readonly calls: readonly CallsResult[];
  readonly processes: readonly ProcessResult[];
  readonly recovery: RecoveryResult;
  readonly startUp: StartUpResult;
}
