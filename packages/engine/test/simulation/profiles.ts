/** The kinds of simulations; what one does is drawn by `plan.ts`. */

/** What another program does. */
export type OutsideKind =
  | "header"
  | "append"
  | "truncate"
  | "rewrite"
  | "rename-over"
  | "make-anew"
  | "touch"
  | "mode"
  | "remove-locks";

/** What kind of runs are drawn. */
export interface Profile {
  readonly processes: readonly number[];
  readonly outsideChance: number;
  readonly maxFaults: number;
  /** Whether what a failed sync was to write may be gone although it still can be read. */
  readonly failedSyncLoses: boolean;
  /** What another program does, if not anything. */
  readonly outsideKinds?: readonly OutsideKind[];
  /** Only stores whose locks exclude. */
  readonly alwaysLocks?: boolean;
}

/** Everything at once. */
export const crowd: Profile = {
  processes: [1, 1, 2, 2, 3],
  outsideChance: 0.5,
  maxFaults: 3,
  failedSyncLoses: false,
};

/** A person who deletes everybody's lock files, again and again. */
export const vandal: Profile = {
  ...crowd,
  processes: [3],
  outsideChance: 1,
  outsideKinds: ["remove-locks"],
};

/**
 * A sync that fails may lose what it was to write, which can be read all the same until the power
 * fails.
 */
export const failingDisk: Profile = { ...crowd, failedSyncLoses: true };

/** Three processes at the same files. */
export const throng: Profile = { ...crowd, processes: [3], alwaysLocks: true };
