import type { ProcessIdentity, ProcessProbe } from "@fe/native";
import { describe, expect, it } from "vitest";
import { bootTimeToleranceMs, judgeByLocks, judgeOwner, type OwnerQuestion } from "./liveness.ts";

const hour = 60 * 60 * 1000;

/** An owner of which all is known, here, alive. */
const known: Required<ProcessIdentity> = {
  pid: 4711,
  startTime: 1234n,
  bootId: "boot-1",
  bootTimeMs: 1_700_000_000_000,
  pidNamespace: 4026531836n,
  hostId: "host-1",
};
const self: ProcessIdentity = { ...known, pid: 1, startTime: 99n };
const absent: ProcessProbe = { answer: "absent" };

function ask(changes: {
  owner?: ProcessIdentity;
  self?: ProcessIdentity;
  probe?: ProcessProbe;
  runsHere?: boolean;
  sharesBoot?: boolean;
  heldLocks?: boolean;
}) {
  const { owner = known, self: asker = self } = changes;
  const question: OwnerQuestion = {
    owner,
    self: asker,
    probe: changes.probe ?? { answer: "exists", startTime: known.startTime },
    runsHere: changes.runsHere ?? false,
    sharesBoot: changes.sharesBoot ?? sharesBoot(owner, asker),
    heldLocks: changes.heldLocks ?? true,
  };
  const { verdict, rule, why } = judgeOwner(question);
  expect(why).toMatch(/^[a-z].*[^.]$/);
  return `${verdict} by ${rule}`;
}

function sharesBoot(owner: ProcessIdentity, asker: ProcessIdentity): boolean {
  return owner.bootId !== undefined && owner.bootId === asker.bootId;
}

/** `known` without some members. */
function without(...members: (keyof ProcessIdentity)[]): ProcessIdentity {
  const rest = Object.entries(known).filter(([name]) => !members.includes(name as never));
  return Object.fromEntries(rest) as unknown as ProcessIdentity;
}

describe("judgeOwner()", () => {
  it("S15 takes the owner for alive if this process runs its transaction (1)", () => {
    const owner = { ...known, bootId: "boot-0", hostId: "host-2" };
    expect(ask({ owner, runsHere: true, probe: absent })).toBe("alive by 1");
  });

  it("cannot tell of an owner on another host (3)", () => {
    expect(ask({ owner: { ...known, hostId: "host-2" }, probe: absent })).toBe("unknown by 3");
  });

  it("takes a host id that one side alone tells for another host, unless of one boot (3)", () => {
    const { hostId: _host, ...untold } = self;
    const sides = [
      { owner: without("hostId"), probe: absent },
      { self: untold, probe: absent },
    ];
    for (const side of sides) {
      expect(ask(side)).toBe("gone by 7");
      const other = { ...(side.owner ?? known), bootId: "boot-0" };
      expect(ask({ ...side, owner: other })).toBe("unknown by 3");
      // A count of starts that is equal is no proof of one machine.
      expect(ask({ ...side, sharesBoot: false })).toBe("unknown by 3");
    }
  });

  it("takes host ids that neither side tells for one host only if the owner held locks (3)", () => {
    const { hostId: _host, ...untold } = self;
    const owner = { ...without("hostId"), bootId: "boot-0" };
    expect(ask({ owner, self: untold, heldLocks: true })).toBe("gone by 4");
    expect(ask({ owner, self: untold, heldLocks: false })).toBe("unknown by 3");
    const sameBoot = { owner: without("hostId"), self: untold, heldLocks: false };
    expect(ask({ ...sameBoot, probe: absent })).toBe("gone by 7");
  });

  it("passes over the host of a record of the older form, which tells neither (3)", () => {
    const owner = without("hostId", "bootId", "startTime", "pidNamespace");
    expect(ask({ owner, heldLocks: false, probe: absent })).toBe("gone by 7");
    // Only the missing boot id says so: a record of the present form is judged.
    expect(ask({ owner: { ...owner, bootId: "boot-0" }, heldLocks: false })).toBe("unknown by 3");
  });

  it("S22 takes the owner for gone if its boot id is another, even if the pid is alive (4)", () => {
    expect(ask({ owner: { ...known, bootId: "boot-0" } })).toBe("gone by 4");
  });

  it("S22 judges a record with a boot id by that id, whatever the boot times say (4)", () => {
    for (const bootTimeMs of [known.bootTimeMs - 2 * hour, known.bootTimeMs + 2 * hour]) {
      expect(ask({ owner: { ...known, bootTimeMs } })).toBe("alive by 7");
      expect(ask({ self: { ...self, bootTimeMs } })).toBe("alive by 7");
    }
    const { bootId: _boot, ...selfWithoutBoot } = self;
    const owner = { ...known, bootTimeMs: 0 };
    expect(ask({ owner, self: selfWithoutBoot })).toBe("alive by 7");
  });

  it("S22 takes boot times more than 10 minutes apart for another boot (4)", () => {
    for (const sign of [-1, 1]) {
      const at = (ms: number) => ({
        ...without("bootId", "startTime"),
        bootTimeMs: known.bootTimeMs + sign * ms,
      });
      expect(ask({ owner: at(bootTimeToleranceMs + 1) })).toBe("gone by 4");
      expect(ask({ owner: at(bootTimeToleranceMs) })).toBe("alive by 7");
      expect(ask({ owner: at(bootTimeToleranceMs), probe: absent })).toBe("gone by 7");
    }
    expect(bootTimeToleranceMs).toBe(600_000);
  });

  it("cannot tell of an owner in another pid namespace (5)", () => {
    expect(ask({ owner: { ...known, pidNamespace: 1n }, probe: absent })).toBe("unknown by 5");
    expect(ask({ owner: without("pidNamespace"), probe: absent })).toBe("gone by 7");
  });

  it("takes a pid that was given to another process for gone (6)", () => {
    for (const answer of ["exists", "denied"] as const) {
      expect(ask({ probe: { answer, startTime: 5678n } })).toBe("gone by 6");
    }
    // Two numbers that only a bigint can tell apart.
    const owner = { ...known, startTime: 9007199254740992n };
    expect(ask({ owner, probe: { answer: "exists", startTime: 9007199254740993n } })).toBe(
      "gone by 6",
    );
  });

  it("says nothing by a start time that cannot be read (6)", () => {
    expect(ask({ probe: { answer: "exists" } })).toBe("alive by 7");
    expect(ask({ owner: without("startTime") })).toBe("alive by 7");
  });

  it("S23 takes only ESRCH for gone, EPERM and any other answer for alive (7)", () => {
    expect(ask({ probe: absent })).toBe("gone by 7");
    for (const answer of ["exists", "denied", "unclear"] as const) {
      expect(ask({ probe: { answer } })).toBe("alive by 7");
    }
  });

  it("S21 S23 falls back to the pid probe for a record without boot time (8)", () => {
    const owner: ProcessIdentity = { pid: 4711 };
    expect(ask({ owner, probe: absent })).toBe("gone by 8");
    for (const answer of ["exists", "denied", "unclear"] as const) {
      expect(ask({ owner, probe: { answer, startTime: 1n } })).toBe("alive by 8");
    }
  });

  it("S23 takes EPERM for alive in the same boot by boot times (7)", () => {
    const owner = without("bootId", "startTime", "pidNamespace", "hostId");
    expect(ask({ owner, probe: { answer: "denied" } })).toBe("alive by 7");
  });

  it("always answers, and never takes for gone what a rule before could not tell", () => {
    const hosts = [undefined, "host-1", "host-2"];
    const boots = [undefined, "boot-1", "boot-0"];
    const times = [undefined, known.bootTimeMs, known.bootTimeMs - hour];
    const namespaces = [undefined, known.pidNamespace, 1n];
    const starts = [undefined, 1234n, 5678n];
    const answers = ["exists", "absent", "denied", "unclear"] as const;
    let count = 0;
    for (const hostId of hosts)
      for (const bootId of boots)
        for (const bootTimeMs of times)
          for (const pidNamespace of namespaces)
            for (const startTime of starts)
              for (const answer of answers) {
                const owner = {
                  pid: 1,
                  ...(hostId && { hostId }),
                  ...(bootId && { bootId }),
                  ...(bootTimeMs && { bootTimeMs }),
                  ...(pidNamespace && { pidNamespace }),
                } as ProcessIdentity;
                const probe: ProcessProbe = startTime ? { answer, startTime } : { answer };
                const { verdict, rule } = judgeOwner({
                  owner,
                  self,
                  probe,
                  runsHere: false,
                  sharesBoot: sharesBoot(owner, self),
                  heldLocks: true,
                });
                count += 1;
                const isOtherBoot = bootId
                  ? bootId !== self.bootId
                  : bootTimeMs !== undefined && bootTimeMs !== self.bootTimeMs;
                const isElsewhere =
                  hostId === "host-2" || (hostId === undefined && bootId === "boot-0");
                if (isElsewhere) expect([verdict, rule]).toEqual(["unknown", 3]);
                else if (isOtherBoot) expect([verdict, rule]).toEqual(["gone", 4]);
                else if (pidNamespace === 1n) expect(verdict).toBe("unknown");
                else expect(verdict).toBe(answer === "absent" ? "gone" : "alive");
              }
    expect(count).toBe(3 ** 5 * 4);
  });
});

describe("judgeByLocks()", () => {
  it("takes the owner for gone if both locks are ours, for alive if one is held (2)", () => {
    expect(judgeByLocks(true)).toMatchObject({ verdict: "gone", rule: 2 });
    expect(judgeByLocks(false)).toMatchObject({ verdict: "alive", rule: 2 });
  });
});
