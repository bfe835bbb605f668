/**
 * Which call of a simulation fails, and how: at chosen steps, or drawn by a seed.
 *
 * A fault fires at the first call from its step on that can have it, so that none is lost because a
 * call of another kind stood at its step.
 */
import type { SeededRandom } from "./seeded-random.ts";

/** One call that is about to be made. */
export interface SimulatedCall {
  /** As `interceptOs` calls it; a part of a call that is several of the system has a `/`. */
  readonly name: string;
  /** Path or name that it is about, for the trace. */
  readonly about: string;
  /** Pid of the caller. */
  readonly pid: number;
}

/**
 * - `kill`: the process dies, before the call, after it, or in the middle of a write.
 * - `power`: all processes die, and the disk keeps what it keeps.
 * - `error`: the call fails with this code, and has changed nothing.
 * - `short`: a write writes only a part.
 */
export type Fault =
  | { readonly kind: "kill" | "power"; readonly moment: "before" | "during" | "after" }
  | { readonly kind: "error"; readonly code: "EIO" | "ENOSPC" }
  | { readonly kind: "short" };

/** Asked once per call; `undefined`: it goes as it should. */
export interface FaultPlan {
  at(step: number, call: SimulatedCall): Fault | undefined;
}

/** No faults at all. */
export const noFaults: FaultPlan = { at: () => undefined };

const takesSpace = new RegExp(
  "\\.(write|overwrite|createFile|createUnnamedFile|linkUnnamedFile|link|rename|moveTo)$" +
    "|\\.makeDirectory$|/create$|/mark$",
);
const writes = /\.(write|overwrite)$|\/mark$/;
/** By contract closing cannot fail; sleeping and asking for itself cannot either. */
const cannotFail = /\.close$|^os\.(sleep|probeProcess)$|\/close$/;

/** Whether the system could answer a call so. */
export function canHave(fault: Fault, name: string): boolean {
  switch (fault.kind) {
    case "short":
      return writes.test(name);
    case "error":
      return fault.code === "ENOSPC" ? takesSpace.test(name) : !cannotFail.test(name);
    default:
      return true;
  }
}

/** A fault, and the step from which on it may fire. */
export interface PlannedFault {
  readonly step: number;
  readonly fault: Fault;
  /** Only calls of this process, only these names. */
  readonly pid?: number;
  readonly names?: RegExp;
}

/** Fires each planned fault once. */
export function planFaults(planned: readonly PlannedFault[]): FaultPlan & {
  /** What has not fired yet. */
  readonly left: readonly PlannedFault[];
} {
  let left = [...planned];
  return {
    get left() {
      return left;
    },
    at(step, call) {
      const due = left.find(
        (one) =>
          step >= one.step &&
          canHave(one.fault, call.name) &&
          (one.pid === undefined || one.pid === call.pid) &&
          (one.names === undefined || one.names.test(call.name)),
      );
      if (due === undefined) return undefined;
      left = left.filter((one) => one !== due);
      return due.fault;
    },
  };
}

/** Faults at random steps below `maxStep`, some of them aimed at calls that change the disk. */
export function drawFaults(random: SeededRandom, count: number, maxStep: number): PlannedFault[] {
  return Array.from({ length: count }, () => {
    const fault = drawFault(random);
    return random.chance(0.35)
      ? { step: random.below(Math.ceil(maxStep / 2)), fault, names: random.pick(weakPoints) }
      : { step: random.below(maxStep), fault };
  });
}

/** Where a run is thin: short stretches that faults at random steps would seldom meet. */
const weakPoints: readonly RegExp[] = [
  /^target\.(overwrite|setLength)$/,
  /^(target|reader)\.sync$/,
  /^(file|directory)\.sync$/,
  /^directory\.(linkUnnamedFile|rename|unlink)$/,
  /finishRecord/,
];

function drawFault(random: SeededRandom): Fault {
  const kind = random.next();
  const moment = random.pick(["before", "during", "after"] as const);
  if (kind < 0.35) return { kind: "kill", moment };
  if (kind < 0.6) return { kind: "power", moment };
  if (kind < 0.75) return { kind: "error", code: "ENOSPC" };
  if (kind < 0.9) return { kind: "error", code: "EIO" };
  return { kind: "short" };
}
