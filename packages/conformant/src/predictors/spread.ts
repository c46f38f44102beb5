import { drawColumns } from "../distribution/completions.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { isDiscrete } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import type { CompletionLimits, Expectation } from "./expectation.ts";

/** Rows that are drawn. */
const ROWS = 1024;

/**
 * The standard deviation of a predictor's number over rows drawn from a distribution, to about 3%: the unit in which the errors of
 * sampled numbers are small or large. 1 where all numbers are equal.
 */
export function spreadOf(distribution: Distribution, evaluate: (rows: Table) => Float64Array): number {
  const { schema } = distribution;
  const columns = schema.columns.map((column) =>
    isDiscrete(column) ? Int32Array.of(-1) : Float64Array.of(Number.NaN),
  );
  const nothing: Table = { schema, rows: 1, columns, unseen: [] };
  const answers = evaluate({ ...nothing, rows: ROWS, columns: drawColumns(distribution, nothing, ROWS, 0) });
  const { variance } = momentsOf(answers);
  return Math.sqrt(variance) || 1;
}

/** Mean and variance of numbers, each with a weight where there are weights. */
export function momentsOf(
  values: Float64Array,
  weights?: Float64Array,
): { readonly mean: number; readonly variance: number } {
  const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? values.length;
  const weightOf = (p: number): number => (weights?.[p] ?? 1) / total;
  // Relative to the first number, so that equal numbers have no variance.
  const [first] = values;
  let shift = 0;
  for (let p = 0; p < values.length; p++) shift += weightOf(p) * (values[p] - first);
  let variance = 0;
  for (let p = 0; p < values.length; p++) variance += weightOf(p) * (values[p] - first - shift) ** 2;
  return { mean: first + shift, variance };
}

/** Completions of a row: enumerated up to so many, else so many draws. */
const COMPLETIONS: CompletionLimits = { enumerate: 4096, samples: 4096, seed: 0 };

/** Var(f | y) of a number, exact where the predictor allows it or completions are few, else from draws. */
export function varianceOf(expectation: Expectation, cells: Cells, limits = COMPLETIONS): number {
  const known = expectation.variance?.(cells);
  if (known !== undefined) return known;
  const { values, weights } = expectation.completions(cells, limits);
  return momentsOf(values, weights).variance;
}
