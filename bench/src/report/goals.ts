/** The goals P1 to P7 of docs/requirements.md, and what a run says of each. Pure. */
import { olderName } from "../contenders/older-record.ts";
import { plainName } from "../contenders/peers.ts";
import { flushesOf } from "../measures/resources.ts";
import { ourName, ratioTo } from "../measures/sizes.ts";
import type { Results } from "../results.ts";
import { kibibyte, mebibyte, sizeName } from "../sample.ts";
import { threeDigits } from "../statistics.ts";

export interface Goal {
  readonly id: string;
  readonly what: string;
  readonly wanted: number;
  readonly measured: number;
  /** Whether less is better. */
  readonly isLimit: boolean;
  readonly unit: string;
}

/** `undefined`: not measured in this run. */
export function isMet({ measured, wanted, isLimit }: Goal): boolean | undefined {
  if (!Number.isFinite(measured)) return undefined;
  return isLimit ? measured <= wanted : measured >= wanted;
}

const plainLimits: readonly (readonly [id: string, sizeBytes: number, wanted: number])[] = [
  ["P1", 4 * kibibyte, 0.8],
  ["P1", 64 * kibibyte, 0.9],
  ["P1", mebibyte, 1],
  ["P1", 16 * mebibyte, 1],
  ["P2", 128 * mebibyte, 0.7],
];

export function goalsOf(results: Results): Goal[] {
  const { sizes, memory, delays, calls, processes, startUp } = results;
  const largest = 128 * mebibyte;
  const grown = memory
    .filter(({ contender, sizeBytes }) => contender === ourName && sizeBytes === largest)
    .map(({ grownBytes }) => grownBytes.median / mebibyte);
  const late = delays.find(
    ({ contender, sizeBytes }) => contender === ourName && sizeBytes === largest,
  );
  const flushes = calls.filter(({ contender }) => contender === ourName).map(flushesOf);
  const four = processes.find((result) => result.processes === 4 && result.files === "one");
  const limit = (
    id: string,
    what: string,
    wanted: number,
    measured: number,
    unit: string,
  ): Goal => ({ id, what, wanted, measured, isLimit: true, unit });
  return [
    ...plainLimits.map(([id, sizeBytes, wanted]) =>
      limit(
        id,
        `edit of ${sizeName(sizeBytes)} against ${plainName}`,
        wanted,
        ratioTo(sizes, sizeBytes, plainName),
        "×",
      ),
    ),
    limit(
      "P2",
      `edit of 128 MiB against ${olderName}`,
      0.05,
      ratioTo(sizes, largest, olderName),
      "×",
    ),
    limit("P3", "growth of memory, edits of 128 MiB", 64, greatest(grown), "MiB"),
    limit("P4", "event-loop delay, edit of 128 MiB", 10, late?.duringEditMs ?? Number.NaN, "ms"),
    limit("P5", "device flushes of one edit", 3, greatest(flushes), ""),
    {
      id: "P6",
      what: "4 processes on one file against one",
      wanted: 0.7,
      measured: four?.relative.median ?? Number.NaN,
      isLimit: false,
      unit: "×",
    },
    limit("P7", "`fe edit` against `node -e 0`", 1.6, startUp.ratio.median, "×"),
  ];
}

function greatest(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values);
}

/** `≤ 0.8 ×`. */
export function wantedText({ isLimit, wanted, unit }: Goal): string {
  return `${isLimit ? "≤" : "≥"} ${wanted} ${unit}`.trim();
}

export function measuredText({ measured, unit }: Goal): string {
  return `${threeDigits(measured)} ${unit}`.trim();
}
