/**
 * Whole edits, contender by contender. Every round runs each of them once, in another order, so
 * that what the machine does meanwhile hits all alike; a ratio compares two runs of one round.
 */
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { Contender } from "../contenders/contender.ts";
import type { olderName } from "../contenders/older-record.ts";
import type { plainName } from "../contenders/peers.ts";
import { fits, jobFor, type Kind, makeFile, mebibyte } from "../sample.ts";
import { pairedRatio, rotate, type Summary, summarize } from "../statistics.ts";

/** What is to be measured. */
export interface SizePlan {
  readonly sizeBytes: number;
  readonly kinds: readonly Kind[];
  readonly rounds: number;
  /** Names of those who take part; all if left out. */
  readonly only?: readonly string[];
}

export interface SizeResult {
  readonly sizeBytes: number;
  readonly kind: Kind;
  /** In milliseconds, by contender. */
  readonly times: Readonly<Record<string, Summary>>;
  /** The engine relative to each of the others. */
  readonly ratios: Readonly<Record<string, Summary>>;
}

/** The name of our own contender. */
export const ourName = "fe";

/** From this size on a run is followed by a rest, and by the collector if Node lets us call it. */
const restFromBytes = mebibyte;
/** Longer than the engine waits before it makes the removal of a record durable. */
const restMs = 130;

/** Lets the run do what it left for after its answer, and makes durable what it left dirty. */
async function settle(file: string, sizeBytes: number): Promise<void> {
  await nextTurn();
  for (const name of [file, path.dirname(file)]) {
    const descriptor = openSync(name, "r");
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
  if (sizeBytes < restFromBytes) return;
  await delay(restMs);
  globalThis.gc?.();
}

/** Runs one plan; `say` is told of each kind that is done. */
export async function measureSizes(
  folder: string,
  contenders: readonly Contender[],
  plan: SizePlan,
  say: (result: SizeResult) => void,
): Promise<SizeResult[]> {
  const results: SizeResult[] = [];
  for (const kind of plan.kinds) {
    if (!fits(kind, plan.sizeBytes)) continue;
    const chosen = contenders.filter(
      ({ name, maxBytes }) =>
        plan.sizeBytes <= maxBytes &&
        (plan.only?.includes(name) ?? true) &&
        // It replaces one place only.
        !(kind === "replace all" && name === "MCP filesystem"),
    );
    const times = await runRounds(folder, chosen, kind, plan);
    const result = summarizeTimes(plan.sizeBytes, kind, times);
    say(result);
    results.push(result);
  }
  return results;
}

async function runRounds(
  folder: string,
  contenders: readonly Contender[],
  kind: Kind,
  { sizeBytes, rounds }: SizePlan,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  // `grow` and `shrink` turn each other round, and only one of them is to be measured.
  const turns = kind === "grow" || kind === "shrink" ? [false, true] : [false];
  const files = new Map<string, string>();
  for (const { name } of contenders) {
    const home = path.join(folder, name.replaceAll(/\W+/gu, "-"));
    mkdirSync(home, { recursive: true });
    const file = path.join(home, "file.txt");
    makeFile(file, kind, sizeBytes);
    files.set(name, file);
  }
  // The first round warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const contender of rotate(contenders, round)) {
      const file = files.get(contender.name) ?? "";
      for (const turn of turns) {
        const backwards = turns.length === 1 ? round % 2 === 1 : turn;
        const job = jobFor(file, kind, backwards);
        const started = performance.now();
        await contender.edit(job);
        const taken = performance.now() - started;
        await settle(file, sizeBytes);
        if (round > 0 && !turn) times.get(contender.name)?.push(taken);
      }
    }
  }
  return times;
}

function summarizeTimes(
  sizeBytes: number,
  kind: Kind,
  times: ReadonlyMap<string, readonly number[]>,
): SizeResult {
  const ours = times.get(ourName) ?? [];
  const ratios: Record<string, Summary> = {};
  const summaries: Record<string, Summary> = {};
  for (const [name, values] of times) {
    summaries[name] = summarize(values);
    if (name !== ourName) ratios[name] = pairedRatio(ours, values);
  }
  return { sizeBytes, kind, times: summaries, ratios };
}

/** Ratio of the median round to the peer that the goals name; `NaN` if it did not take part. */
export function ratioTo(
  results: readonly SizeResult[],
  sizeBytes: number,
  name: typeof plainName | typeof olderName,
): number {
  const found = results.find(
    (result) => result.sizeBytes === sizeBytes && result.kind === "same length",
  );
  return found?.ratios[name]?.median ?? Number.NaN;
}
