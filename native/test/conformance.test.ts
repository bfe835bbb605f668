/**
 * Whether the simulation is like the real thing.
 *
 * Method: the same random list of calls of the port is run on a real temporary directory and on the
 * simulated disk; every answer must be the same, errors by their code.
 * Model: live semantics only. What a power loss leaves is not compared here; it cannot be asked of
 * a running system.
 */
import { describe, expect, test } from "vitest";
import { makeNodeWorld } from "./node-world.ts";
import { RandomOperations } from "./random-operations.ts";
import { makeSimulatedWorld } from "./simulated-world.ts";

/** 3,000 lists were compared once (90 s); these take about 3 s. */
const lists = 100;
const operationsPerList = 80;

async function compare(seed: number): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  const real = await makeNodeWorld();
  try {
    const owner = Number(await real.os.effectiveOwner());
    const simulated = await makeSimulatedWorld({}, owner);
    const answers = await new RandomOperations(simulated, seed).run(operationsPerList);
    const wanted = await new RandomOperations(real, seed).run(operationsPerList);
    expect(answers, `seed ${seed}`).toEqual(wanted);
    for (const answer of wanted) {
      const code = /: (E[A-Z]+)$/.exec(answer)?.[1] ?? "answer";
      seen.set(code, (seen.get(code) ?? 0) + 1);
    }
  } finally {
    await real.dispose();
  }
  return seen;
}

describe("SimulatedOs", () => {
  test("S33 answers as the system does, over random lists of calls", async () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= lists; seed++) {
      for (const [code, count] of await compare(seed)) {
        seen.set(code, (seen.get(code) ?? 0) + count);
      }
    }
    // Else the lists would show little.
    const codes = ["EBADF", "EEXIST", "EFTYPE", "EINVAL", "EISDIR", "ELOOP", "ENOENT", "ENOTDIR"];
    for (const code of codes) expect(seen.get(code), code).toBeGreaterThan(20);
    expect(seen.get("answer")).toBeGreaterThan(lists * 10);
  }, 300_000);
});
