/** The kinds of simulations; what one does is drawn by `plan.ts`. */

/** What another program does. */
export type OutsideKind =
  | "header"
  | "middle"
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
  /** The most that another program does in a phase. */
  readonly maxOutside: number;
  readonly maxFaults: number;
  /** The longest that another program waits before it does something; an edit takes 1 to 2 ms. */
  readonly maxPauseMs: number;
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
  maxOutside: 3,
  maxPauseMs: 0,
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

/** Others open the file and write to it all the time; nothing fails. */
export const contended: Profile = {
  ...crowd,
  processes: [1],
  outsideChance: 1,
  maxOutside: 6,
  maxPauseMs: 2,
  outsideKinds: ["middle"],
  maxFaults: 0,
};

/** Three processes at the same files. */
export const throng: Profile = { ...crowd, processes: [3], alwaysLocks: true };
