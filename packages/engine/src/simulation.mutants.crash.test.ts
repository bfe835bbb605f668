import { describe, expect, it, vi } from "vitest";
import { mutants } from "../test/simulation/mutants.ts";
import { runSeed } from "../test/simulation/run.ts";

const active = vi.hoisted(() => ({ module: "" }));

vi.mock("./transaction/verify.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("./transaction/verify.ts")>();
  return {
    ...original,
    verifyBefore: async (context: unknown, given: { prepared?: unknown }, ...rest: unknown[]) => {
      if (active.module !== "no-verify") {
        return Reflect.apply(original.verifyBefore, undefined, [context, given, ...rest]);
      }
      return "prepared" in given ? { ...given, state: "armed" } : { state: "armed", prepared: given };
    },
  };
});

vi.mock("./transaction/mutate.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("./transaction/mutate.ts")>();
  return {
    ...original,
    mutateTarget: async (armed: Parameters<typeof original.mutateTarget>[0]) => {
      if (active.module !== "truncate-first") return original.mutateTarget(armed);
      const { matched, record } = armed.prepared;
      await matched.file.setLength(0);
      await original.writeWhole("mutant", matched.file, 0, record.after);
      return { state: "mutated", armed };
    },
  };
});

vi.mock("../../journal/src/reclaim.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../journal/src/reclaim.ts")>();
  return {
    ...original,
    reclaim: async (...args: Parameters<typeof original.reclaim>) => {
      if (active.module !== "reclaim-by-path") return original.reclaim(...args);
      const [store, judged] = args;
      const name = judged.form.nameOf(judged.stem);
      await store.directory.unlink(name).catch((e: unknown) => console.log(String(e)));
      store.noteRemoval();
      return { kind: "reclaimed" };
    },
  };
});

describe("mutants", () => {
  for (const mutant of mutants) {
    it(mutant.name, async () => {
      Error.stackTraceLimit = 0;
      active.module = mutant.module ?? "";
      const N = Number(process.env.N ?? 1500);
      const first = new Map<string, number>();
      const t = performance.now();
      let s = 1;
      const ex = new Map<string, string>();
      for (; s <= N; s++) {
        const o = await runSeed(s, { ...(mutant.makeOs ? { makeOs: mutant.makeOs } : {}), ...(mutant.profile ? { profile: mutant.profile } : {}) });
        for (const v of o.violations) {
          const r = v.slice(0, v.indexOf(":"));
          if (!first.has(r)) { first.set(r, s); ex.set(r, v.slice(0, 110)); }
        }
        if (first.size >= 3) break;
      }
      console.log(mutant.name, mutant.expected, `${s}`, Math.round(performance.now() - t), "ms", [...first], [...ex.values()]);
      active.module = "";
      expect(1).toBe(1);
    }, 600000);
  }
});
