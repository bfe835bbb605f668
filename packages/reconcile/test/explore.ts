/** Tries every order of the steps of a model, and says which of the properties is broken first. */
import { advance, failSync, firstStep, isSync, kill } from "./protocol-model.ts";
import { critical, hasEnded, type State, type Variant } from "./protocol-state.ts";

/** What happens beside the steps. */
export interface Events {
  readonly processes: number;
  readonly kills: number;
  /** How often somebody deletes the lock file at its name. */
  readonly lockRemovals: number;
  /** How many syncs of the file fail. Given, there is a disk below it. @default none */
  readonly syncFailures?: number;
}

/** The record that stands there at the beginning; its owner is dead. */
export const orphans = ["none", "before", "torn", "after", "committed"] as const;

export interface Exploration {
  readonly states: number;
  /** The first way to each broken property: what broke, and the steps to it. */
  readonly broken: ReadonlyMap<string, readonly string[]>;
}

/**
 * The file is whole and a person must decide all the same: no byte is lost, and the answer is easy.
 */
export const askedForNothing = "a person is asked for nothing";

/** A power loss now would leave a file that nobody meant, or not what was said to be applied. */
export const tornDisk = "a torn disk has no record";

/** Bit of the edit that left the orphan. */
const orphanBit = 1 << 6;

function initial(
  orphan: (typeof orphans)[number],
  { processes, kills, lockRemovals, syncFailures }: Events,
  variant: Variant,
): State {
  const files = { none: [0, 0], before: [0, 0], torn: [orphanBit, 0] } as const;
  const whole: [number, number] = [orphanBit, orphanBit];
  const isCommitted = orphan === "committed";
  const file = [...((files as Record<string, readonly number[]>)[orphan] ?? whole)];
  const [first = 0, second = 0] = file;
  // A dead owner has synced only what it marked as committed.
  const dirty: [boolean, boolean] = [!isCommitted && first !== 0, !isCommitted && second !== 0];
  const disk: [number, number] = isCommitted ? [first, second] : [0, 0];
  const record = { owner: -1, before: [0, 0] as [number, number], after: whole };
  return {
    processes: Array.from({ length: processes }, () => ({
      step: firstStep(variant),
      lockFile: 0,
      own: -1,
      seen: -1,
      before: [0, 0],
    })),
    records: orphan === "none" ? [] : [{ ...record, isCommitted, isDoubtful: false, holder: -1 }],
    name: orphan === "none" ? -1 : 0,
    tombstones: [],
    lockName: 0,
    lockHolders: [-1],
    file: [first, second],
    disk: syncFailures === undefined ? undefined : disk,
    dirty: syncFailures === undefined ? [false, false] : dirty,
    syncFailuresLeft: syncFailures ?? 0,
    applied: 0,
    killsLeft: kills,
    lockRemovalsLeft: lockRemovals,
  };
}

/** The properties, each with its name; what of them is broken in a state. */
function brokenIn(state: State): string[] {
  const broken: string[] = [];
  const inside = state.processes.filter(({ step }) => critical.has(step));
  if (inside.length > 1) broken.push("two edits are at work");
  const reachable = [state.name, ...state.tombstones.map(({ holds }) => holds)];
  if (inside.some(({ own }) => !reachable.includes(own))) broken.push("a live record was removed");
  const [first, second] = state.file;
  const { applied } = state;
  if ((first & applied) !== applied || (second & applied) !== applied) {
    broken.push("an applied edit is lost");
  }
  const isCovered = ([one, other]: readonly [number, number]): boolean =>
    reachable.some((index) => {
      const record = state.records[index];
      if (record === undefined) return false;
      const halves = [record.before, record.after];
      return halves.some(([half]) => half === one) && halves.some(([, half]) => half === other);
    });
  if (first !== second && !isCovered(state.file)) broken.push("a torn file has no record");
  const isWrong = (disk: readonly [number, number]): boolean => {
    const isLost = (disk[0] & applied) !== applied || (disk[1] & applied) !== applied;
    return (disk[0] !== disk[1] || isLost) && !isCovered(disk);
  };
  if (disksOf(state).some(isWrong)) broken.push(tornDisk);
  return broken;
}

/** All that a power loss may leave: what was not synced may have been written, or not. */
function disksOf({ disk, dirty, file }: State): [number, number][] {
  if (disk === undefined) return [];
  const halves = ([0, 1] as const).map((half) =>
    dirty[half] ? [disk[half], file[half]] : [disk[half]],
  );
  return (halves[0] ?? []).flatMap((one) =>
    (halves[1] ?? []).map((other): [number, number] => [one, other]),
  );
}

/** With nobody left, a new process must come to an end; what is wrong with it, if anything. */
function wrongEnd(state: State, variant: Variant): string | undefined {
  const alone = structuredClone(state);
  alone.processes.push({
    step: firstStep(variant),
    lockFile: 0,
    own: -1,
    seen: -1,
    before: [0, 0],
  });
  const me = alone.processes.length - 1;
  for (let count = 0; count < 60; count++) {
    const process = alone.processes[me];
    if (process === undefined || hasEnded(process)) break;
    advance(alone, me, variant);
  }
  const step = alone.processes[me]?.step;
  if (step === "done") return alone.tombstones.length > 0 ? "a tombstone is left" : undefined;
  if (step !== "asks") return "the next edit never ends";
  if (alone.records[alone.name]?.isDoubtful === true) return undefined;
  return alone.file[0] === alone.file[1] ? askedForNothing : undefined;
}

/** Numbers lock files anew, without those that nobody has open: how many there were is no state. */
function renumberLocks(state: State): void {
  const holders = [-1];
  const numbers = new Map<number, number>();
  const renumber = (old: number): number => {
    if (old === 0) return 0;
    const known = numbers.get(old);
    if (known !== undefined) return known;
    numbers.set(old, holders.length);
    return holders.push(state.lockHolders[old] ?? -1) - 1;
  };
  state.lockName = renumber(state.lockName);
  for (const process of state.processes) {
    process.lockFile = hasEnded(process) ? 0 : renumber(process.lockFile);
  }
  state.lockHolders = holders;
}

/** Every state that can follow, with what led there. */
function* following(state: State, variant: Variant): Generator<[string, State]> {
  for (const [me, process] of state.processes.entries()) {
    if (hasEnded(process)) continue;
    const next = structuredClone(state);
    advance(next, me, variant);
    yield [`${me}: ${process.step}`, next];
    if (state.syncFailuresLeft > 0 && isSync(process.step)) {
      for (const writtenHalf of [0, 1] as const) {
        const failed = structuredClone(state);
        failSync(failed, me, variant, writtenHalf);
        yield [`${me}: ${process.step} fails`, failed];
      }
    }
    if (state.killsLeft === 0) continue;
    const killed = structuredClone(state);
    kill(killed, me);
    killed.killsLeft -= 1;
    yield [`${me} is killed`, killed];
  }
  if (state.lockRemovalsLeft > 0 && state.lockName !== 0) {
    const next = structuredClone(state);
    next.lockName = 0;
    next.lockRemovalsLeft -= 1;
    yield ["somebody deletes the lock file", next];
  }
}

/**
 * Explores everything, breadth first, so that the way to what is broken is a shortest one; or only
 * `until` that is broken.
 *
 * Errors: `RangeError` if there are more than `maxStates`.
 */
export function explore(
  variant: Variant,
  events: Events,
  { until, maxStates = 60_000 }: { readonly until?: string; readonly maxStates?: number } = {},
): Exploration {
  const known = new Map<string, number>();
  const from: { readonly parent: number; readonly label: string }[] = [];
  const queue: State[] = [];
  const broken = new Map<string, readonly string[]>();
  const wayTo = (index: number): string[] => {
    const way: string[] = [];
    for (let at = index; at >= 0; at = from[at]?.parent ?? -1) way.unshift(from[at]?.label ?? "");
    return way;
  };
  const add = (state: State, parent: number, label: string): void => {
    renumberLocks(state);
    const key = JSON.stringify(state);
    if (known.has(key)) return;
    known.set(key, from.length);
    from.push({ parent, label });
    const found = brokenIn(state);
    const isQuiet = state.processes.every(hasEnded);
    const end = isQuiet && found.length === 0 ? wrongEnd(state, variant) : undefined;
    if (end !== undefined) found.push(end);
    for (const what of found) if (!broken.has(what)) broken.set(what, wayTo(from.length - 1));
    // Nothing is learnt behind what is broken.
    queue.push(found.length === 0 ? state : { ...state, processes: [], lockRemovalsLeft: 0 });
  };
  for (const orphan of orphans) add(initial(orphan, events, variant), -1, `orphan: ${orphan}`);
  for (let index = 0; index < queue.length; index++) {
    const state = queue[index];
    if (state === undefined || (until !== undefined && broken.has(until))) break;
    if (from.length > maxStates) throw new RangeError(`more than ${maxStates} states`);
    for (const [label, next] of following(state, variant)) add(next, index, label);
    // What was expanded is not needed any more.
    delete queue[index];
  }
  return { states: from.length, broken };
}
