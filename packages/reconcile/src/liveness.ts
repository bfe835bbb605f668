/**
 * Is the owner of a record alive? The rules of docs/protocol.md 5.3, one function each, in their
 * order; the first that gives an answer is right.
 *
 * L1  When in doubt, alive: a live owner that is taken for dead loses its record, and with it
 *     perhaps somebody's bytes. A dead owner that is taken for alive costs a message.
 * L2  A time of the wall clock never proves that an owner is alive, only that a boot is another.
 *
 * Pids are used again, clocks step, containers have pids of their own: so locks come first (rule
 * 2), then ids that nothing can shift (boot id, start time in ticks), then the boot time, and the
 * bare pid only last.
 */
import type { ProcessIdentity, ProcessProbe } from "@fe/native";

/**
 * An answer, the rule that gave it, and why, for people: a clause without subject change or full
 * stop.
 */
export interface OwnerEvidence {
  readonly verdict: "alive" | "gone" | "unknown";
  /** Number of the rule in docs/protocol.md section 5.3. */
  readonly rule: number;
  readonly why: string;
}

/** What the rules are asked about. */
export interface OwnerQuestion {
  /** The owner, as it stands in the record. */
  readonly owner: ProcessIdentity;
  /** This process. */
  readonly self: ProcessIdentity;
  /** What stands at the owner's pid now. */
  readonly probe: ProcessProbe;
  /** Whether this process runs the record's transaction. */
  readonly runsHere: boolean;
  /** Whether owner and this process ran under one start of one system (`sameBoot`). */
  readonly sharesBoot: boolean;
  /** Whether the owner held locks; without, its store may be one that several hosts share. */
  readonly heldLocks: boolean;
}

type Rule = (question: OwnerQuestion) => OwnerEvidence | undefined;

/**
 * Two boot times that are further apart, in ms, belong to two boots. Less is a clock that was set.
 * The number is a guess.
 */
export const bootTimeToleranceMs: number = 10 * 60 * 1000;

/**
 * Rule 2: the locks. Only for a record whose owner holds locks, that was written on this host, and
 * whose file is the one that it names; the caller makes sure of that. `areObtained`: both locks are
 * ours now, and the name still leads to the locked record.
 */
export function judgeByLocks(areObtained: boolean): OwnerEvidence {
  return areObtained
    ? { verdict: "gone", rule: 2, why: "its owner has let go of its locks" }
    : { verdict: "alive", rule: 2, why: "its owner holds a lock" };
}

/**
 * Rules 1 and 3 to 8. Always answers. Pure.
 *
 * `unknown` means that nobody here can tell; it is treated as alive. The parts of an identity that
 * a system does not tell are passed over: macOS and Windows have no pid namespaces, and Windows may
 * have no boot id, so that the boot time decides.
 */
export function judgeOwner(question: OwnerQuestion): OwnerEvidence {
  for (const rule of rules) {
    const evidence = rule(question);
    if (evidence !== undefined) return evidence;
  }
  return byProbe(question);
}

const rules: readonly Rule[] = [byThisProcess, byHost, byBoot, byPidNamespace, byStartTime];

/** Rule 1. */
function byThisProcess({ runsHere }: OwnerQuestion): OwnerEvidence | undefined {
  if (!runsHere) return undefined;
  return { verdict: "alive", rule: 1, why: "its owner is this process" };
}

/**
 * Rule 3: neither pid nor boot of another host can be looked at from here. Told by one side alone,
 * a host id is that of another host, unless the boot is the same. Told by neither, it is taken for
 * the same where the owner held locks, so in a store that this kernel alone reaches. A record of
 * the older form never tells one, nor a boot id: it is passed over.
 */
function byHost(question: OwnerQuestion): OwnerEvidence | undefined {
  const { owner, self, sharesBoot, heldLocks } = question;
  const areTold = owner.hostId !== undefined && self.hostId !== undefined;
  if (areTold && owner.hostId !== self.hostId) {
    return { verdict: "unknown", rule: 3, why: "its owner ran on another host" };
  }
  if (areTold || sharesBoot) return undefined;
  const isTold = owner.hostId !== undefined || self.hostId !== undefined;
  const isOldForm = owner.hostId === undefined && owner.bootId === undefined;
  if (isOldForm || (!isTold && heldLocks)) return undefined;
  return { verdict: "unknown", rule: 3, why: "nothing tells whether its owner ran on this host" };
}

/**
 * Rule 4: a record with a boot id is judged by that alone, so a step of the clock cannot matter.
 */
function byBoot({ owner, self }: OwnerQuestion): OwnerEvidence | undefined {
  if (owner.bootId !== undefined) {
    if (self.bootId === undefined || owner.bootId === self.bootId) return undefined;
    return { verdict: "gone", rule: 4, why: "its owner ran before the machine was started again" };
  }
  if (owner.bootTimeMs === undefined || self.bootTimeMs === undefined) return undefined;
  if (Math.abs(owner.bootTimeMs - self.bootTimeMs) <= bootTimeToleranceMs) return undefined;
  return {
    verdict: "gone",
    rule: 4,
    why: "its owner ran before the machine was started again, by the boot times",
  };
}

/** Rule 5: the same number means another process there. */
function byPidNamespace({ owner, self }: OwnerQuestion): OwnerEvidence | undefined {
  if (owner.pidNamespace === undefined || self.pidNamespace === undefined) return undefined;
  if (owner.pidNamespace === self.pidNamespace) return undefined;
  return { verdict: "unknown", rule: 5, why: "its owner ran in another pid namespace" };
}

/** Rule 6: the pid was given to another process. */
function byStartTime({ owner, probe }: OwnerQuestion): OwnerEvidence | undefined {
  if (owner.startTime === undefined || probe.startTime === undefined) return undefined;
  if (owner.startTime === probe.startTime) return undefined;
  return {
    verdict: "gone",
    rule: 6,
    why: `process ${owner.pid} is another one, started at another time`,
  };
}

/** Rules 7 and 8: only "no such process" is proof; not being allowed to ask is not. */
function byProbe({ owner, probe }: OwnerQuestion): OwnerEvidence {
  const isOldForm = owner.bootId === undefined && owner.bootTimeMs === undefined;
  const rule = isOldForm ? 8 : 7;
  switch (probe.answer) {
    case "absent":
      return { verdict: "gone", rule, why: `there is no process ${owner.pid}` };
    case "exists":
      return { verdict: "alive", rule, why: `process ${owner.pid} is running` };
    case "denied":
      return { verdict: "alive", rule, why: `process ${owner.pid} is running, for another user` };
    case "unclear":
      return { verdict: "alive", rule, why: `nothing is known of process ${owner.pid}` };
  }
}
