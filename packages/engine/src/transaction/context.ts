/** What every step of a transaction is handed. */
import type { Journal } from "@fe/journal";
import type { Os } from "@fe/native";
import type { IdentityQueue } from "../identity-queue.ts";
import type { EditOptions, SettledOptions, SettledRequest } from "../options.ts";
import type { ProgressReport } from "../progress.ts";
import type { RecoveredRecord } from "../result.ts";
import type { Patience } from "./patience.ts";

/** The same for all edits of one engine. */
export interface EngineContext {
  readonly os: Os;
  readonly journal: Journal;
  readonly queue: IdentityQueue;
  readonly options: SettledOptions;
  /** Lost when `close` has waited long enough for the answers of hooks. */
  readonly patience: Patience;
}

/** One edit. */
export interface TransactionContext extends EngineContext {
  readonly request: SettledRequest;
  readonly edit: EditOptions;
  readonly progress: ProgressReport;
}

/** An edit that runs: what it has done beside editing, and tells however it ends. */
export interface RunningContext extends TransactionContext {
  /** Written by step 5 of any of its attempts. */
  readonly settled: {
    /** The record that was reclaimed last, if any was. */
    recovered: RecoveredRecord | undefined;
  };
}
