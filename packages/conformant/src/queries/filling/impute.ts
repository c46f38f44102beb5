import { requireMade, requireOptions } from "../../errors.ts";
import { type HiddenNormals, hiddenNumber } from "../../factors/hidden-normals.ts";
import type { MissingColumn } from "../../factors/missing-column.ts";
import { indexOfLargest } from "../../math/index-of-largest.ts";
import type { Model } from "../../model/model.ts";
import { type Column, isDiscrete, valueLabels } from "../../schema/column.ts";
import type { Row } from "../../schema/data.ts";
import { completionSpace } from "../completion/completion-space.ts";
import { mixtureQuantiles } from "../completion/normals/mixture-quantile.ts";
import { mixtureMoments, type NormalMixture } from "../completion/normals/normal-mixture.ts";
import { encodeRow, type QueryOptions } from "../terms/query-input.ts";

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
 * The exact distribution of every missing column given the known ones, P(x_j = v | y) = Σ_k P(k | y) P(v | k): an honest
 * imputation, with its uncertainty. The keys are the missing columns.
 */
export function impute(model: Model, row: Row, options: QueryOptions = {}): Record<string, Imputation> {
  requireOptions(options);
  requireMade("model", model);
  const { columns } = model.classifier.schema;
  const { missing, normals, posterior } = completionSpace(model, encodeRow(model, row, options), 0);
  const filled = new Map<number, Imputation>();
  for (const one of missing) filled.set(one.index, finite(columns[one.index], one, posterior));
  normals.columns.forEach((i, a) => {
    filled.set(i, normal(normals, a, posterior));
  });
  return Object.fromEntries(
    columns.flatMap(({ name }, i) => {
      const imputation = filled.get(i);
      return imputation ? [[name, imputation]] : [];
    }),
  );
}

/** P(x_i = v | y) = Σ_mk P(m, k | y) P_m(v | k). */
function finite(
  column: Column,
  { count, conditional, cellOf }: MissingColumn,
  posterior: Float64Array,
): Imputation {
  const probabilities = new Float64Array(count);
  for (let v = 0, at = 0; v < count; v++)
    for (let a = 0; a < posterior.length; a++) probabilities[v] += posterior[a] * conditional[at++];
  if (isDiscrete(column)) return discrete(valueLabels(column), probabilities);
  return numeric(
    Float64Array.from({ length: count }, (_, v) => cellOf(v)),
    probabilities,
  );
}

/** Quantiles that stand for a density. */
const QUANTILES = 32;

/** Hidden number a, P(x | y) = Σ_mk P(m, k | y) N(μ_mk, σ_m²). */
function normal(normals: HiddenNormals, a: number, posterior: Float64Array): NumericImputation {
  const { K } = normals;
  const { means, deviations } = hiddenNumber(normals, a);
  const standardDeviations = means.map((_, outcome) => deviations[Math.floor(outcome / K)]);
  const density = { weights: posterior.slice(), means, standardDeviations };
  const values = mixtureQuantiles(
    density,
    Float64Array.from({ length: QUANTILES }, (_, j) => (j + 0.5) / QUANTILES),
  );
  const probabilities = new Float64Array(QUANTILES).fill(1 / QUANTILES);
  return { kind: "numeric", ...mixtureMoments(density), values, probabilities, density };
}

function discrete(labels: readonly string[], probabilities: Float64Array): DiscreteImputation {
  const mostLikely = labels[indexOfLargest(probabilities)];
  return {
    kind: "discrete",
    probabilities: Object.fromEntries(labels.map((label, j) => [label, probabilities[j]])),
    mostLikely,
  };
}

function numeric(values: Float64Array, probabilities: Float64Array): NumericImputation {
  const mean = values.reduce((sum, value, j) => sum + probabilities[j] * value, 0);
  const variance = values.reduce((sum, value, j) => sum + probabilities[j] * (value - mean) ** 2, 0);
  return { kind: "numeric", mean, standardDeviation: Math.sqrt(variance), values, probabilities };
}
