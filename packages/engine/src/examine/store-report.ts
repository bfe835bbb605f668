/** What is found out of the recovery store. */
import type { StorePlace } from "@fe/journal";
import type { FilesystemFacts } from "@fe/native";

/** The recovery store, as far as it can be known. */
export interface StoreReport {
  /** Of its directory, absolute. */
  readonly path: string;
  /**
   * `absent`: the first edit makes it. `unusable`: edits fail, also where it cannot be made; `why`
   * says so.
   */
  readonly state: "usable" | "absent" | "unusable";
  /** Of an `unusable` one: a sentence without full stop. */
  readonly why?: string;
  readonly filesystem?: FilesystemFacts;
  /** Of a store that is not there: the nearest directory above it that is. */
  readonly place?: Omit<StorePlace, "refusal">;
  /** Whether a second lock of one file is refused. */
  readonly locks?: boolean;
  /** Whether a record can be written without a name first: `false` on macOS and Windows. */
  readonly unnamedFiles?: boolean;
  /**
   * Whether a sync of the directory succeeds. Without it no edit is made. On Windows a success is
   * no proof that names are durable.
   */
  readonly directorySync?: boolean;
  /** How many records stand in it, of files that the roots allow to be seen. */
  readonly records?: number;
}

/** The store, and what an edit would fail with there. */
export interface StoreFinding {
  readonly report: StoreReport;
  /** As the port or the journal answered. */
  readonly failure?: unknown;
}
