/** The forms of values on the command line: sizes, durations, numbers, one of a few words. */
import type { Version } from "@fe/engine";
import { UsageError } from "../usage-error.ts";

const sizeUnits: Readonly<Record<string, number>> = {
  "": 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** Bytes of `1048576`, `64KiB`, `16MiB` or `1GiB`; `off` is `Infinity`. */
export function parseSize(text: string, flag: string): number {
  if (text === "off") return Number.POSITIVE_INFINITY;
  const [, digits, unit = ""] = /^(\d+)(KiB|MiB|GiB)?$/.exec(text) ?? [];
  const bytes = Number(digits) * (sizeUnits[unit] ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) {
    throw new UsageError(
      `Option ${flag} is not a size: "${text}"`,
      "Give a whole number of bytes, or one with KiB, MiB or GiB, such as 64KiB; or off",
    );
  }
  return bytes;
}

const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** The longest time that a timer of Node keeps, 24.8 days; a longer one would end at once. */
export const maxDurationMs: number = 2 ** 31 - 1;

/** Milliseconds of `250ms`, `2s` or `1m`. */
export function parseDuration(text: string, flag: string): number {
  const [, digits, unit = ""] = /^(\d+)(ms|s|m)$/.exec(text) ?? [];
  const ms = Number(digits) * (durationUnits[unit] ?? Number.NaN);
  // A bare number is refused, since nothing says whether it means milliseconds or seconds.
  if (!(ms <= maxDurationMs)) {
    throw new UsageError(
      `Option ${flag} is not a duration: "${text}"`,
      "Give a whole number with its unit: 250ms, 2s or 1m, at most 24 days",
    );
  }
  return ms;
}

/** A whole number. */
export function parseCount(text: string, flag: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count)) {
    throw new UsageError(`Option ${flag} is not a number: "${text}"`, "Give a whole number");
  }
  return count;
}

/** One of a few words. */
export function parseChoice<T extends string>(
  text: string | undefined,
  flag: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const what = flag.startsWith("--") ? `Option ${flag}` : `The ${flag}`;
  throw new UsageError(
    text === undefined ? `${what} is missing` : `${what} cannot be "${text}"`,
    `Give one of: ${choices.join(", ")}`,
  );
}

/** As `--keep`, `--version` of `show`, `--from` and `--to` name them. */
export const versions: readonly Version[] = ["before", "after", "current"];

/** The same of what need not be given. */
export function parseOptionalChoice<T extends string>(
  text: string | undefined,
  flag: string,
  choices: readonly T[],
): T | undefined {
  return text === undefined ? undefined : parseChoice(text, flag, choices);
}
