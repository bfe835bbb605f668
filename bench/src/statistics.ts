/** Medians, spreads, and ratios of what was measured in the same round. Pure. */

/** A series as it is reported: the middle, and where the middle half of it lies. */
export interface Summary {
  readonly count: number;
  readonly median: number;
  /** First and third quartile. */
  readonly low: number;
  readonly high: number;
  readonly min: number;
  readonly max: number;
}

/**
 * The value below which a share of the sorted series lies, interpolated between neighbours; `NaN`
 * of none.
 */
export function quantile(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const place = Math.min(Math.max(share, 0), 1) * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? Number.NaN;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low;
  return low + (high - low) * (place - below);
}

export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((one, other) => one - other);
  return {
    count: sorted.length,
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
  };
}

export function median(values: readonly number[]): number {
  return summarize(values).median;
}

/**
 * One series relative to another, pair by pair: what slowed a round down slowed both of its runs,
 * so it stands in neither ratio.
 *
 * Errors: `RangeError` if the series have different lengths.
 */
export function pairedRatio(values: readonly number[], base: readonly number[]): Summary {
  if (values.length !== base.length) {
    throw new RangeError(`${values.length} values and ${base.length} of the base are no pairs`);
  }
  return summarize(values.map((value, index) => value / (base[index] ?? Number.NaN)));
}

/** The elements from `by` on, then those before: who was first is last in another round. */
export function rotate<T>(elements: readonly T[], by: number): T[] {
  const start = elements.length === 0 ? 0 : by % elements.length;
  return [...elements.slice(start), ...elements.slice(0, start)];
}

/** Three significant digits, without an exponent. */
export function threeDigits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return Math.round(value).toString();
  return String(Number(value.toPrecision(3)));
}
