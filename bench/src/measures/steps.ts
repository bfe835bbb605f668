/**
 * Where the time of an edit goes, by what the engine asks of the system. The rest is its own work:
 * hashing, searching, and waiting for its turn.
 */
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openEngineWith } from "@fe/engine/testing";
import { createNodeOs } from "@fe/native";
import { type InterceptedCall, interceptOs } from "@fe/native/testing";
import { editWith } from "../contenders/engine.ts";
import { jobFor, makeFile } from "../sample.ts";
import { median } from "../statistics.ts";

/** Milliseconds of a median edit, and how many calls of the port it made. */
export interface Steps {
  readonly sizeBytes: number;
  readonly total: number;
  readonly calls: number;
  readonly groups: Readonly<Record<string, number>>;
}

const groups: readonly (readonly [group: string, names: RegExp])[] = [
  ["sync of the record", /^file\.sync$/u],
  ["sync of the store directory", /^directory\.sync$/u],
  ["sync of the target", /^target\.sync$/u],
  ["read the target", /^(?:target|reader)\.read$/u],
  ["read the record", /^file\.read$/u],
  ["write the record", /^file\.write$/u],
  ["write the target", /^target\.(?:overwrite|setLength|reserve)$/u],
  ["identities, path and privacy", /tatus|Target$|RealPath|^os\.self|openStoreDirectory|Owner/u],
  ["locks, lease and names", /./u],
];

/** Runs edits of one file over a port that takes the time of every call. */
export async function measureSteps(
  folder: string,
  userDataDirectory: string,
  sizeBytes: number,
  rounds: number,
): Promise<Steps> {
  let spent = new Map<string, number>();
  let calls = 0;
  const watch = async (call: InterceptedCall): Promise<unknown> => {
    const started = performance.now();
    try {
      return await call.proceed();
    } finally {
      const group = groups.find(([, names]) => names.test(call.name))?.[0] ?? "";
      spent.set(group, (spent.get(group) ?? 0) + performance.now() - started);
      calls += 1;
    }
  };
  const engine = await openEngineWith(interceptOs(createNodeOs(), watch), { userDataDirectory });
  const file = path.join(folder, "steps.txt");
  makeFile(file, "same length", sizeBytes);
  const totals: number[] = [];
  const callCounts: number[] = [];
  const series = new Map<string, number[]>(groups.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    await delay(130); // After the late sync, which is no part of an edit.
    spent = new Map();
    calls = 0;
    const started = performance.now();
    await editWith(engine, jobFor(file, "same length", round % 2 === 1));
    if (round === 0) continue;
    totals.push(performance.now() - started);
    callCounts.push(calls);
    for (const [name] of groups) series.get(name)?.push(spent.get(name) ?? 0);
  }
  await engine.close();
  const medians = [...series].map(([name, values]) => [name, median(values)] as const);
  return {
    sizeBytes,
    total: median(totals),
    calls: median(callCounts),
    groups: Object.fromEntries(medians),
  };
}
