/**
 * Edits one after the other, without a pause: what a contender left for after its answer falls into
 * the next edit, and is in the figure. Each round runs every contender's series once, in another
 * order.
 */
import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Contender } from "../contenders/contender.ts";
import { jobFor, kibibyte, makeFile } from "../sample.ts";
import { pairedRatio, rotate, type Summary, summarize } from "../statistics.ts";
import { ourName } from "./sizes.ts";

export interface RowPlan {
  readonly sizeBytes: number;
  /** Edits of a series. */
  readonly edits: number;
  readonly rounds: number;
}

export interface RowResult {
  readonly sizeBytes: number;
  readonly edits: number;
  /** Milliseconds of one edit, the mean of its series, by contender. */
  readonly times: Readonly<Record<string, Summary>>;
  /** The engine relative to each of the others. */
  readonly ratios: Readonly<Record<string, Summary>>;
}

/** Longer than the engine waits before it makes the removal of a record durable. */
const restMs = 130;

async function runSeries(contender: Contender, file: string, edits: number): Promise<number> {
  const started = performance.now();
  for (let edit = 0; edit < edits; edit++) {
    await contender.edit(jobFor(file, "same length", edit % 2 === 1));
  }
  const taken = performance.now() - started;
  // What is left behind is nobody else's burden.
  await delay(restMs);
  for (const name of [file, path.dirname(file)]) {
    const descriptor = openSync(name, "r");
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
  return taken / edits;
}

function makeFiles(
  folder: string,
  contenders: readonly Contender[],
  sizeBytes: number,
): ReadonlyMap<string, string> {
  return new Map(
    contenders.map(({ name }) => {
      const home = path.join(folder, name.replaceAll(/\W+/gu, "-"));
      mkdirSync(home, { recursive: true });
      const file = path.join(home, "row.txt");
      makeFile(file, "same length", sizeBytes);
      return [name, file] as const;
    }),
  );
}

/** An even number of edits leaves the file as it was. */
export async function measureInARow(
  folder: string,
  contenders: readonly Contender[],
  { sizeBytes, edits, rounds }: RowPlan,
): Promise<RowResult> {
  const chosen = contenders.filter(({ maxBytes }) => sizeBytes <= maxBytes);
  const files = makeFiles(folder, chosen, sizeBytes);
  const series = new Map<string, number[]>(chosen.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contender of rotate(chosen, round)) {
      const file = files.get(contender.name) ?? "";
      series.get(contender.name)?.push(await runSeries(contender, file, edits));
    }
  }
  const ours = series.get(ourName) ?? [];
  const named = [...series];
  return {
    sizeBytes,
    edits,
    times: Object.fromEntries(named.map(([name, values]) => [name, summarize(values)])),
    ratios: Object.fromEntries(
      named
        .filter(([name]) => name !== ourName)
        .map(([name, values]) => [name, pairedRatio(ours, values)]),
    ),
  };
}

/** So many edits of 4 KiB by each, so that what is measured is a program that has been at work. */
export async function warmUp(
  folder: string,
  contenders: readonly Contender[],
  edits: number,
): Promise<void> {
  const files = makeFiles(folder, contenders, 4 * kibibyte);
  for (const contender of contenders) {
    await runSeries(contender, files.get(contender.name) ?? "", edits);
  }
}
