import type { Measure, Results } from "../protocol/scores/results.ts";
import { authorsSeries, authorsValue, printedValue } from "./published.ts";
import { ourValue } from "./series.ts";

/** What ours is compared with. */
export type Reference = "paper" | "authors' files";

/** A difference between ours and the reference. */
export interface Difference {
  readonly method: string;
  readonly missing: number;
  /** Points (×100) for accuracy and F1, per cent of the reference for cross entropy. */
  readonly value: number;
}

/** A number of the reference, null where it has none. */
export function referenceValue(
  result: Results,
  reference: Reference,
  measure: Measure,
  method: string,
  missing: number,
): number | null {
  return reference === "paper"
    ? printedValue(result.dataset, measure, method, result.rates.indexOf(missing))
    : authorsValue(result.dataset, measure, method, missing);
}

/** Every difference of some methods. @param at numbers of missing columns; default: all */
export function differences(
  result: Results,
  reference: Reference,
  measure: Measure,
  methods: readonly string[],
  at: readonly number[] = result.missing,
): Difference[] {
  return methods.flatMap((method) =>
    at.flatMap((missing) => {
      const theirs = referenceValue(result, reference, measure, method, missing);
      const ours = ourValue(result, measure, method, missing);
      if (theirs === null || ours === null) return [];
      const scale = measure === "cross_entropy" ? theirs : 1;
      return [{ method, missing, value: (100 * (ours - theirs)) / scale }];
    }),
  );
}

/** The largest of some differences, whichever its sign. */
export function largest(all: readonly Difference[]): Difference | undefined {
  return all.reduce<Difference | undefined>(
    (most, own) => (Math.abs(own.value) > Math.abs(most?.value ?? 0) ? own : most),
    all[0],
  );
}

/** √ of the mean square. */
export function typical(all: readonly Difference[]): number {
  return Math.sqrt(all.reduce((sum, { value }) => sum + value ** 2, 0) / Math.max(all.length, 1));
}

/** The standard deviation of one repeat of ours, typical of all points, in the units of {@link Difference}. */
export function scatterOfRepeat(result: Results, measure: Measure, method: string): number {
  const errors = result.standard_error[measure][method] ?? [];
  const repeats = result.method_repeats[method] ?? 1;
  const deviations = errors.flatMap((error, at) => {
    const value = result[measure][method]?.[at];
    if (error === null || !value || error === 0) return [];
    return [(100 * error * Math.sqrt(repeats)) / (measure === "cross_entropy" ? value : 1)];
  });
  return Math.sqrt(deviations.reduce((sum, x) => sum + x ** 2, 0) / Math.max(deviations.length, 1));
}

/**
 * How much the authors' own series scatters around a smooth curve, in the units of {@link Difference}: the second differences of
 * independent errors of size σ have the size √6 · σ. Undefined for a series of fewer than 10 even steps.
 */
export function scatter(result: Results, measure: Measure, method: string): number | undefined {
  const values = (authorsSeries(result.dataset)?.[measure]?.[method] ?? []).filter((y) => y !== null);
  if (values.length < 10) return undefined;
  const scaled = values.map((y) => 100 * (measure === "cross_entropy" ? Math.log(y) : y));
  const bends = scaled.slice(2).map((y, i) => y - 2 * scaled[i + 1] + scaled[i]);
  return Math.sqrt(bends.reduce((sum, bend) => sum + bend ** 2, 0) / bends.length / 6);
}
