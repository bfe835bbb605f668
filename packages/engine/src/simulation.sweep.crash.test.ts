// Method: one process on a simulated machine; every call of an edit, of a reclaim and of a
// resolution is hit once by every fault that it can have, and then all is judged.
// Fault model: SIGKILL and power loss before each call and in the middle of each write, EIO and
// ENOSPC at each call, a short write; a power loss twice, with other losses; the same after a sync
// that failed and lost what it was to write.
// Property: as in `simulation.crash.test.ts`; every planned fault must fire.
import { canHave, type Fault, type PlannedFault } from "@fe/native/testing";
import { describe, expect, it } from "vitest";
import { firstPath, linkPath, type Plan, type PlannedAction } from "../test/simulation/plan.ts";
import { runPlan } from "../test/simulation/run.ts";
import { Tally } from "../test/simulation/suite.ts";

const shapes = {
  "of the same length": { oldText: "<a>", newText: "(a)" },
  "that grows": { oldText: "<a>", newText: "(a+++++)" },
  "that shrinks": { oldText: "<a----->", newText: "(a)" },
  "that grows with others kept out": { oldText: "<a>", newText: "(a+++++)", hasLeases: true },
} as const;

interface Shape {
  readonly oldText: string;
  readonly newText: string;
  /** Whether the kernel can keep others out: then a write that fails is rolled back. */
  readonly hasLeases?: boolean;
}

const faults: readonly Fault[] = [
  { kind: "kill", moment: "before" },
  { kind: "kill", moment: "during" },
  { kind: "power", moment: "before" },
  { kind: "power", moment: "before" },
  { kind: "power", moment: "during" },
  { kind: "error", code: "EIO" },
  { kind: "error", code: "ENOSPC" },
  { kind: "short" },
];

function editOf({ oldText, newText }: Shape): PlannedAction {
  return { kind: "edit", path: firstPath, oldText, newText, proof: newText, waitMs: 0 };
}

/** The edit before was told that its target could not be synced, and lost a part of it. */
const failedSync: PlannedFault = {
  step: 0,
  fault: { kind: "error", code: "EIO" },
  names: /^target\.sync$/,
};

/** What happens before, undisturbed but for its own fault; then `action`, hit by `fault`. */
function planOf(
  seed: number,
  shape: Shape,
  before: PlannedFault | undefined,
  action: PlannedAction,
  fault: PlannedFault | undefined,
): Plan {
  const phase = (one: PlannedAction, hit: PlannedFault | undefined): Plan["phases"][number] => ({
    processes: [{ actions: [one], closes: true }],
    outside: [],
    faults: hit === undefined ? [] : [hit],
    powerLossAfter: false,
  });
  const { oldText, hasLeases = false } = shape;
  return {
    seed,
    world: {
      seed,
      sectorBytes: 16,
      maxSteps: 20_000,
      failedSyncLoses: before === failedSync,
      volume: { hasLeases },
    },
    files: new Map([[firstPath, `{x0}${oldText}........${oldText}{y0}`]]),
    hardLink: linkPath,
    livePaths: [firstPath],
    phases: [...(before === undefined ? [] : [phase(editOf(shape), before)]), phase(action, fault)],
    powerLossAtEnd: before === failedSync,
  };
}

/** The names of the calls of `action`, in order, and how many came before them. */
async function callsOf(
  shape: Shape,
  before: PlannedFault | undefined,
  action: PlannedAction,
): Promise<readonly string[]> {
  const names: string[] = [];
  // A fault that fires nowhere marks, by its first question, where the action begins.
  let asked = 0;
  await runPlan(planOf(1, shape, before, action, undefined), {
    onCall: ({ name, pid, step }) => {
      if (asked === 0) asked = step;
      names.push(`${pid} ${name}`);
    },
  });
  return names;
}

async function sweep(
  title: string,
  shape: Shape,
  before: PlannedFault | undefined,
  action: PlannedAction,
): Promise<void> {
  const all = await callsOf(shape, before, action);
  // Each phase, and what follows, has a process of its own.
  const pids = [...new Set(all.map((call) => call.split(" ")[0]))];
  const pid = Number(pids[before === undefined ? 0 : 1]);
  const names = all.filter((call) => call.startsWith(`${pid} `)).map((call) => call.split(" ")[1]);
  expect(names.length).toBeGreaterThan(20);
  const tally = new Tally(title);
  for (const [index, name] of names.entries()) {
    for (const [which, fault] of faults.entries()) {
      const isPossible = canHave(fault, name ?? "");
      const isDuring = "moment" in fault && fault.moment === "during";
      if (!isPossible || (isDuring && !canHave({ kind: "short" }, name ?? ""))) continue;
      const seed = index * faults.length + which + 1;
      const planned = { step: index + 1, fault };
      const outcome = await runPlan(planOf(seed, shape, before, action, planned));
      tally.add(outcome, () => `${title}: call ${index + 1}, ${name}, ${JSON.stringify(fault)}`);
      expect(outcome.faultsLeft, `${name} ${JSON.stringify(fault)}`).toBe(0);
    }
  }
  expect(tally.end().failures.join("\n")).toBe("");
}

/** Dies before, in, and after what the target is changed by. */
const deaths = {
  "before its first byte": { names: /^target\.overwrite$/, moment: "before" },
  "before its sync": { names: /^target\.sync$/, moment: "before" },
  "after its mark": { names: /finishRecord\/mark$/, moment: "after" },
} as const;

describe("every call of a simulated edit", () => {
  for (const [name, shape] of Object.entries(shapes)) {
    it(`S14 S33 I1 I8 ${name} may fail in every way`, async () => {
      await sweep(`an edit ${name}`, shape, undefined, editOf(shape));
    }, 60_000);
  }
});

describe("every call of the edit after", () => {
  for (const [when, { names, moment }] of Object.entries(deaths)) {
    it(`S16 S24 S33 I6 one that died ${when} may fail in every way`, async () => {
      const before = { step: 0, fault: { kind: "kill", moment }, names } as const;
      const action = { kind: "miss", path: firstPath } as const;
      await sweep(`the edit after one that died ${when}`, shapes["that grows"], before, action);
    }, 60_000);
  }
});

describe("every call after a sync that failed and lost what it was to write", () => {
  const actions: Readonly<Record<string, PlannedAction>> = {
    "of the edit after": { kind: "miss", path: firstPath },
    "of a resolution that keeps before": { kind: "resolve", keep: "before" },
    "of a resolution that keeps after": { kind: "resolve", keep: "after" },
    "of a resolution that keeps current": { kind: "resolve", keep: "current" },
  };
  for (const [which, action] of Object.entries(actions)) {
    for (const [name, shape] of Object.entries(shapes)) {
      it(`S14 S33 I6 ${which} may fail in every way, for an edit ${name}`, async () => {
        await sweep(`after a failed sync, ${which}, ${name}`, shape, failedSync, action);
      }, 60_000);
    }
  }
});

describe("every call of a resolution", () => {
  for (const keep of ["before", "after", "current"] as const) {
    it(`S17 S33 I5 that keeps ${keep} may fail in every way`, async () => {
      const fault = { kind: "kill", moment: "during" } as const;
      const before = { step: 0, fault, names: /^target\.overwrite$/ };
      const action = { kind: "resolve", keep } as const;
      await sweep(`a resolution that keeps ${keep}`, shapes["that grows"], before, action);
    }, 60_000);
  }
});
