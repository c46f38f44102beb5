import { completionSpace } from "../distribution/completion-space.ts";
import type { Distribution, MissingColumn } from "../distribution/distribution.ts";
import { requireMade } from "../errors.ts";
import { type MissingNormals, missingNumber } from "../gaussian/condition.ts";
import {
  mixtureMoments,
  mixtureQuantile,
  mixtureQuantiles,
  type NormalMixture,
} from "../math/normal-mixture.ts";
import { indexOfLargest } from "../math/vectors.ts";
import type { AnyModel } from "../model/model.ts";
import { readOptions } from "../options.ts";
import { type Column, isDiscrete, valueLabels } from "../schema/column.ts";
import { byName, type Row } from "../schema/data.ts";
import { type Cells, tableOfRow } from "../schema/read-row.ts";
import { type QueryOptions, queryOptions, readCells } from "./row-input.ts";

/** What a missing 0/1, categorical or binned column is likely to be. */
export interface DiscreteImputation {
  readonly kind: "discrete";
  /** P(value | the known columns). */
  readonly probabilities: Readonly<Record<string, number>>;
  readonly mostLikely: string;
}

/** What a missing number is likely to be. */
export interface NumericImputation {
  readonly kind: "numeric";
  readonly mean: number;
  readonly standardDeviation: number;
  /** The atoms of the column and P(atom | the known columns); of a normal number 32 of its quantiles, equally likely. */
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
  /** Of a normal number the exact distribution: a mixture of normal ones. */
  readonly density?: NormalMixture;
}

/** What a missing column is likely to be. */
export type Imputation = DiscreteImputation | NumericImputation;

/**
 * The exact distribution of every missing column given the known ones, P(x_j = v | y) = Σ_k P(k | y) P(v | k): an imputation
 * with its uncertainty. The keys are the missing columns.
 *
 *     impute(model, { age: 40 }).income; // { kind: "numeric", mean: 31000, standardDeviation: 9000, … }
 */
export function impute(model: AnyModel, row: Row, options: QueryOptions = {}): Record<string, Imputation> {
  requireMade("model", model);
  const { columns } = model.schema;
  const laws = columnLaws(model, readCells(model, row, readOptions(options, queryOptions)));
  return Object.fromEntries(
    columns.flatMap((column, i) => {
      const law = laws.get(i);
      return law ? [[column.name, imputation(column, law)]] : [];
    }),
  );
}

/** What a missing column may be. */
export interface ColumnLaw {
  /** The cells that stand for its values: codes, numbers, or of a normal number 32 of its quantiles. */
  readonly cells: Float64Array;
  readonly probabilities: Float64Array;
  /** Of a normal number the exact distribution. */
  readonly density?: NormalMixture;
}

/** The law of every missing column of a row, by position. */
export function columnLaws(distribution: Distribution, cells: Cells): Map<number, ColumnLaw> {
  const space = completionSpace(distribution, tableOfRow(distribution.schema, cells), 0);
  const { missing, normals, posterior } = space;
  const laws = new Map<number, ColumnLaw>();
  for (const column of missing) laws.set(column.index, ofValues(column, posterior));
  normals.columns.forEach((i, a) => {
    laws.set(i, ofNumber(normals, a, posterior));
  });
  return laws;
}

/** P(x_i = v | y) = Σ_mk P(m, k | y) P_m(v | k). */
function ofValues({ count, conditional, cellOf }: MissingColumn, posterior: Float64Array): ColumnLaw {
  const probabilities = new Float64Array(count);
  for (let v = 0, at = 0; v < count; v++)
    for (let a = 0; a < posterior.length; a++) probabilities[v] += posterior[a] * conditional[at++];
  return { cells: Float64Array.from({ length: count }, (_, v) => cellOf(v)), probabilities };
}

/** Quantiles that stand for a density. */
const QUANTILES = 32;

/** Missing number a, P(x | y) = Σ_mk P(m, k | y) N(μ_mk, σ_m²). */
function ofNumber(normals: MissingNormals, a: number, posterior: Float64Array): ColumnLaw {
  const { K } = normals;
  const { means, deviations } = missingNumber(normals, a);
  const standardDeviations = means.map((_, outcome) => deviations[Math.floor(outcome / K)]);
  const density = { weights: posterior.slice(), means, standardDeviations };
  const cells = mixtureQuantiles(
    density,
    Float64Array.from({ length: QUANTILES }, (_, j) => (j + 0.5) / QUANTILES),
  );
  return { cells, probabilities: new Float64Array(QUANTILES).fill(1 / QUANTILES), density };
}

function imputation(column: Column, { cells, probabilities, density }: ColumnLaw): Imputation {
  if (isDiscrete(column)) {
    const labels = valueLabels(column);
    const mostLikely = labels[indexOfLargest(probabilities)];
    return { kind: "discrete", probabilities: byName(labels, probabilities), mostLikely };
  }
  if (density) return { kind: "numeric", ...mixtureMoments(density), values: cells, probabilities, density };
  const mean = cells.reduce((sum, value, j) => sum + probabilities[j] * value, 0);
  const variance = cells.reduce((sum, value, j) => sum + probabilities[j] * (value - mean) ** 2, 0);
  return { kind: "numeric", mean, standardDeviation: Math.sqrt(variance), values: cells, probabilities };
}

/** The share of a density that lies beyond each end. */
const BEYOND = 0.001;

/**
 * Where nearly all of what a number may be lies: between the least and the largest atom or, in a Gaussian, between the
 * quantiles 0.1 % and 99.9 %. Of `impute(model, {})` it is the usual range of the column.
 */
export function usualRange(imputation: NumericImputation): [low: number, high: number] {
  requireMade("imputation", imputation);
  const { values, density } = imputation;
  if (density) return [mixtureQuantile(density, BEYOND), mixtureQuantile(density, 1 - BEYOND)];
  return [values[0], values[values.length - 1]];
}
