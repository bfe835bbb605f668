// Method: the built command runs under strace, which sees the calls of the kernel, and not only
// those of libc: the list is compared with the committed one, and with what the shim of
// every-call.test.ts sees; then the command is killed at a sample of all calls on its files.
// Fault model: the process is gone before a call; a disk that says it wrote and did not.
// Not covered here: power loss. The mutants show what the comparison of lists is for.
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { mutants } from "../harness/mutants.mjs";
import { Results } from "../harness/results.ts";
import { lookAfter } from "./aftermath.ts";
import { expectedCalls } from "./expected-calls.ts";
import { edit, reconcile, type Scenario, scenarios } from "./scenarios.ts";
import { makeShim, shimmed, takeLog, whyNoShim } from "./shim.ts";
import { type TracedCall, traced, whyNoStrace } from "./strace.ts";

const mutantEdit = fileURLToPath(new URL("../harness/mutant-edit.mjs", import.meta.url));
const caught: string[] = [];

const noStrace = whyNoStrace();
const noShim = whyNoShim();
const library = noShim === undefined ? makeShim() : "";
const found: Record<string, unknown> = { caught };

afterAll(() => new Results("crash").add("trace", found));

function expected(scenario: Scenario): readonly string[] {
  return expectedCalls[scenario.name] ?? [];
}

/** Every changing call, and each kind of looking one once. */
function sampleOf(calls: readonly TracedCall[]): TracedCall[] {
  const met = new Set<string>();
  return calls.filter(({ call, changes }) => {
    const isNew = !met.has(call);
    met.add(call);
    return changes || isNew;
  });
}

describe.skipIf(noStrace !== undefined)("what the kernel sees", () => {
  for (const scenario of scenarios) {
    it(`S33 B14 ${scenario.name}: no call on files is missing and none is added`, async () => {
      const { folder, parameters } = await scenario.prepare();
      await using _ = folder;
      const { run, calls } = await traced(folder, parameters);
      expect(run.exit, run.out).toBe(0);
      const changing = calls.filter(({ changes }) => changes).map(({ call }) => call);
      found[scenario.name] = changing;
      expect(changing).toEqual(expected(scenario));
      expect(calls.map(({ syscall }) => syscall)).not.toContain("io_uring_enter");
    });
  }
});

if (noStrace !== undefined) {
  it("S33 B14 the calls as the kernel sees them", (context) => {
    context.skip(`${noStrace}; not proven: that the shim misses no call, and no call is added`);
  });
}

describe.skipIf(noShim !== undefined)("what the shim sees", () => {
  for (const scenario of scenarios) {
    it(`S33 B14 ${scenario.name}: the same calls as the kernel`, async () => {
      const { folder, parameters } = await scenario.prepare();
      await using _ = folder;
      const run = await folder.fe(parameters, { environment: shimmed(library, folder) });
      expect(run.exit, run.out).toBe(0);
      expect(takeLog(folder).calls).toEqual(expected(scenario));
    });
  }

  // Whoever adds, drops or moves a call changes the list.
  it.each(Object.keys(mutants))("B14 the list of calls shows the mutant: %s", async (mutant) => {
    const scenario = mutant.startsWith("orphan") ? reconcile : edit;
    const { folder, path } = await scenario.prepare();
    await using _ = folder;
    const parameters = { path, userData: folder.dataPath, edit: scenario.edit, mutant };
    const environment = shimmed(library, folder);
    const run = await folder.fe([JSON.stringify(parameters)], { program: mutantEdit, environment });
    expect(run.out).toContain("applied");
    const { calls } = takeLog(folder);
    if (mutant === "none") expect(calls, "the control").toEqual(expected(scenario));
    else expect(calls).not.toEqual(expected(scenario));
    caught.push(mutant);
  });

  it("B14 a kill within the write shows the mutant: record removed first", async () => {
    const calls = expected(edit);
    for (const mutant of ["none", "record removed first"]) {
      const prepared = await edit.prepare();
      const { folder, path } = prepared;
      await using _ = folder;
      const parameters = { path, userData: folder.dataPath, edit: edit.edit, mutant };
      const at = calls.indexOf("pwrite target") + (mutant === "none" ? 1 : 2);
      const environment = shimmed(library, folder, { kind: "kill-within", at });
      const run = await folder.fe([JSON.stringify(parameters)], {
        program: mutantEdit,
        environment,
      });
      expect(takeLog(folder).calls.at(-1)).toBe("pwrite target");
      const { problems, torn } = await lookAfter(prepared, run, 0);
      expect(torn).toBe(true);
      if (mutant === "none") expect(problems).toEqual([]);
      else expect(problems.join()).toContain("the file is torn and no record covers it");
    }
  });
});

describe.skipIf(noStrace !== undefined)("a disk that lies", () => {
  it("S33 says it wrote the target, and wrote nothing: reading back shows it", async () => {
    const prepared = await edit.prepare();
    const { folder, parameters } = prepared;
    await using _ = folder;
    const plain = await traced(folder, parameters);
    const write = plain.calls.find(({ call }) => call === "pwrite target");
    const again = await edit.prepare();
    await using __ = again.folder;
    // strace answers in the place of the kernel: all bytes of this write, and none was written.
    const bytes = Buffer.byteLength(again.goal) - again.goal.indexOf(edit.edit?.newString ?? "");
    const lie = `pwrite64:retval=${bytes}:when=${write?.when}`;
    const { run } = await traced(again.folder, again.parameters, lie);
    expect(run.exit, run.out).not.toBe(0);
    expect((await lookAfter(again, run, 0)).problems).toEqual([]);
  });
});

/** How often a kill is tried, until it hits the call that it is meant for. */
const maxTries = 3;

/** The calls of a process as most are made: of those that differ (below) hardly two come here. */
async function usualSample(scenario: (typeof scenarios)[number]) {
  const opens: string[] = [];
  for (;;) {
    const { folder, parameters } = await scenario.prepare();
    await using _ = folder;
    const sample = sampleOf((await traced(folder, parameters)).calls);
    const numbers = sample.filter(({ syscall }) => syscall === "openat").map(({ when }) => when);
    if (opens.includes(numbers.join())) return sample;
    opens.push(numbers.join());
  }
}

for (const scenario of noStrace === undefined ? scenarios : []) {
  const sample = await usualSample(scenario);
  found[`${scenario.name}, killed`] = sample.length;
  describe.concurrent(`S33 ${scenario.name}, killed at calls of the kernel`, () => {
    it.each(sample.map((call, index) => ({ ...call, index })))(
      "$index: $syscall, its no. $when ($call)",
      async ({ call, syscall, when, changes, index }) => {
        const inject = `${syscall}:signal=SIGKILL:when=${when}`;
        const diedAt: (string | undefined)[] = [];
        // Seen with Node 20: in 5 of 145 processes two calls at the start were missing, that open
        // /proc/self/maps and the program itself once more, and nothing else differed. Then the
        // number falls on a call beside the one that is meant. Likely V8 makes these two or not by
        // where it came to lie in memory; that was not proved.
        while (diedAt.length < maxTries && !diedAt.includes(call)) {
          const prepared = await scenario.prepare();
          await using __ = prepared.folder;
          const killed = await traced(prepared.folder, prepared.parameters, inject);
          expect(killed.run.signal ?? killed.run.exit, "the kill was injected").toBe("SIGKILL");
          const { problems } = await lookAfter(prepared, killed.run, index);
          expect(problems).toEqual([]);
          diedAt.push(killed.calls.at(-1)?.call);
          // What only looks may come in another order, as a directory lists its names.
          if (!changes) return;
        }
        expect(diedAt, "and at this call").toContain(call);
      },
    );
  });
}
