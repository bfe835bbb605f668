/** What one simulation does: machine, files, actors and faults, drawn from its seed beforehand. */
import { drawFaults, type PlannedFault, SeededRandom, type WorldOptions } from "@fe/native/testing";
import { crowd, type OutsideKind, type Profile } from "./profiles.ts";

/** One replacement; its texts stand nowhere else, so that every version says who was there. */
export interface PlannedEdit {
  readonly kind: "edit";
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  /** What proves, by being there, that this edit was applied. */
  readonly proof: string;
  readonly waitMs: number;
}

export type PlannedAction =
  | PlannedEdit
  | { readonly kind: "resolve"; readonly keep: "before" | "after" | "current" }
  | { readonly kind: "look" }
  /** An edit that finds nothing to replace, and settles what earlier ones left all the same. */
  | { readonly kind: "miss"; readonly path: string }
  | { readonly kind: "two-edits"; readonly edits: readonly PlannedEdit[] };

export interface PlannedProcess {
  readonly actions: readonly PlannedAction[];
  /** Closes its engine at the end; else it just exits. */
  readonly closes: boolean;
}

export interface OutsideAction {
  readonly kind: OutsideKind;
  readonly path: string;
  /** Only this action writes it. */
  readonly mark: string;
  readonly isSynced: boolean;
  /** Before it. */
  readonly pauseMs: number;
}

/** Processes that run at the same time, and the faults that hit them. */
export interface PlannedPhase {
  readonly processes: readonly PlannedProcess[];
  readonly outside: readonly OutsideAction[];
  readonly faults: readonly PlannedFault[];
  readonly powerLossAfter: boolean;
}

export interface Plan {
  readonly seed: number;
  readonly world: WorldOptions;
  /** Content by path. */
  readonly files: ReadonlyMap<string, string>;
  /** A second name of the first file. */
  readonly hardLink: string;
  /** The files that are edited when everything is over. */
  readonly livePaths: readonly string[];
  readonly phases: readonly PlannedPhase[];
  readonly powerLossAtEnd: boolean;
}

/** The directory of all files that are edited. */
export const homePath = "/home";
export const firstPath: string = `${homePath}/f`;
export const secondPath: string = `${homePath}/g`;
export const linkPath: string = `${homePath}/h`;

const outsideKinds: readonly OutsideKind[] = [
  ...(["header", "header", "header", "append", "append", "append"] as const),
  ...(["truncate", "truncate", "rewrite", "rewrite"] as const),
  ...(["rename-over", "rename-over", "make-anew", "make-anew"] as const),
  ...(["touch", "mode", "remove-locks"] as const),
];

/** The first file most often, so that edits meet. */
const editedPaths = [firstPath, firstPath, firstPath, firstPath, linkPath, secondPath];

/** How many of the runs are about an orphan and nothing else. */
const orphanChance = 0.05;

/** How the new text of an edit is longer or shorter than the old. */
const shapes = [
  { old: "", fresh: "" },
  { old: "", fresh: "+++++" },
  { old: "-----", fresh: "" },
] as const;

class Planner {
  readonly #random: SeededRandom;
  readonly #profile: Profile;
  readonly #texts = new Map<string, string[]>([
    [firstPath, []],
    [secondPath, []],
  ]);
  #edits = 0;
  #marks = 0;
  #touchesSecond = false;

  constructor(seed: number, profile: Profile) {
    this.#random = new SeededRandom(seed ^ 0x5ca1ab1e); // Unlike the seed of the world.
    this.#profile = profile;
  }

  plan(seed: number): Plan {
    const random = this.#random;
    const phases = random.chance(orphanChance)
      ? this.#orphanPhases()
      : Array.from({ length: random.pick([1, 1, 2]) }, (_, index) => this.#phase(index));
    const usesSecond = (this.#texts.get(secondPath)?.length ?? 0) > 0 || this.#touchesSecond;
    return {
      seed,
      world: this.#world(seed),
      files: this.#files(),
      hardLink: linkPath,
      livePaths: [
        firstPath,
        ...(usesSecond ? [secondPath] : []),
        ...(random.chance(0.3) ? [linkPath] : []),
      ],
      phases,
      powerLossAtEnd: random.chance(0.2),
    };
  }

  #world(seed: number): WorldOptions {
    const random = this.#random;
    return {
      seed,
      sectorBytes: random.pick([16, 64, 512]),
      maxSteps: 30_000,
      failedSyncLoses: this.#profile.failedSyncLoses,
      stickiness: random.pick([0, 0.5, 0.9]),
      volume: {
        reusesNumbers: random.chance(0.7),
        hasUnnamedFiles: random.chance(0.8),
        hasGenerations: random.chance(0.8),
        hasLeases: random.chance(0.5),
        locks:
          random.chance(0.9) || this.#profile.alwaysLocks === true
            ? "exclusive"
            : random.pick(["granted", "none"]),
        // Neighbours that a double cannot tell apart.
        nextNumber: random.chance(0.2) ? 9_007_199_254_740_992n : 12n,
      },
    };
  }

  #phase(index: number): PlannedPhase {
    const random = this.#random;
    const { processes, outsideChance, maxOutside, maxFaults } = this.#profile;
    const count = random.pick(processes);
    const hasOutside = random.chance(outsideChance);
    const faults = random.below(maxFaults + 1);
    return {
      processes: Array.from({ length: count }, () => this.#process(index)),
      outside: hasOutside
        ? Array.from({ length: 1 + random.below(maxOutside) }, () => this.#outside())
        : [],
      faults: drawFaults(random, faults, 60 + 60 * count),
      powerLossAfter: random.chance(0.4),
    };
  }

  /**
   * An edit dies at its weakest point, another settles what it left and changes nothing itself, or
   * a person does, and the power fails: what chance alone would seldom bring together.
   */
  #orphanPhases(): readonly PlannedPhase[] {
    const random = this.#random;
    const names = random.pick([/^target\.sync$/, /^target\.overwrite$/, /finishRecord/]);
    const moment = random.pick(["before", "during", "after"] as const);
    const edit = this.#edit(firstPath);
    const phase = { outside: [], faults: [], powerLossAfter: false };
    const fault: PlannedFault = this.#profile.failedSyncLoses
      ? { step: 0, fault: { kind: "error", code: "EIO" }, names: /^target\.sync$/ }
      : { step: 0, fault: { kind: "kill", moment }, names };
    return [
      {
        ...phase,
        processes: [{ actions: [edit], closes: false }],
        faults: [fault],
      },
      {
        ...phase,
        processes: [{ actions: [this.#afterOrphan()], closes: random.chance(0.5) }],
        powerLossAfter: true,
      },
    ];
  }

  /** Who settles it: an edit, or a person, if a person will be needed. */
  #afterOrphan(): PlannedAction {
    const random = this.#random;
    if (this.#profile.failedSyncLoses && random.chance(0.6)) {
      return { kind: "resolve", keep: random.pick(["before", "after", "current"]) };
    }
    return { kind: "miss", path: firstPath };
  }

  #process(phase: number): PlannedProcess {
    const random = this.#random;
    const actions = Array.from({ length: random.pick([1, 1, 2]) }, () => this.#action(phase));
    return { actions, closes: random.chance(0.5) };
  }

  #action(phase: number): PlannedAction {
    const random = this.#random;
    const kind = random.next();
    // In the first phase there is less to resolve.
    if (kind < (phase === 0 ? 0.1 : 0.3)) {
      return { kind: "resolve", keep: random.pick(["before", "after", "current"]) };
    }
    if (kind > 0.96) return { kind: "look" };
    if (kind < 0.38) return { kind: "miss", path: random.pick([firstPath, firstPath, linkPath]) };
    if (kind > 0.87) return { kind: "two-edits", edits: [this.#edit(), this.#edit()] };
    return this.#edit();
  }

  #edit(fixedPath?: string): PlannedEdit {
    const random = this.#random;
    const name = String.fromCharCode(97 + this.#edits);
    this.#edits += 1;
    const { old, fresh } = random.pick(shapes);
    const path = fixedPath ?? random.pick(editedPaths);
    const oldText = `<${name}${old}>`;
    this.#texts.get(path === secondPath ? secondPath : firstPath)?.push(oldText);
    const newText = `(${name}${fresh})`;
    return {
      kind: "edit",
      path,
      oldText,
      newText,
      proof: newText,
      waitMs: random.pick([0, 0, 30]),
    };
  }

  #outside(): OutsideAction {
    const random = this.#random;
    const { maxPauseMs } = this.#profile;
    this.#marks += 1;
    const path = random.pick([firstPath, firstPath, firstPath, secondPath]);
    this.#touchesSecond ||= path === secondPath;
    return {
      kind: random.pick(this.#profile.outsideKinds ?? outsideKinds),
      path,
      mark: `x${this.#marks}`,
      isSynced: random.chance(0.6),
      // Not drawn where there are none, so that a seed stays the run that it was.
      pauseMs: maxPauseMs === 0 ? 0 : random.next() * maxPauseMs,
    };
  }

  /** Each old text twice, far apart: a file with one of them replaced is torn. */
  #files(): ReadonlyMap<string, string> {
    const padding = ".".repeat(this.#random.chance(0.2) ? 1100 : 8);
    return new Map(
      [...this.#texts].map(([path, texts]) => {
        const all = texts.join("");
        return [path, `{x0}${all}${padding}${all}{y0}`];
      }),
    );
  }
}

export function drawPlan(seed: number, profile: Profile = crowd): Plan {
  return new Planner(seed, profile).plan(seed);
}
