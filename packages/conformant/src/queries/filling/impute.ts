import { requireMade, requireOptions } from "../../errors.ts";
import { indexOfLargest } from "../../math/index-of-largest.ts";
import { atomOf } from "../../model/atoms.ts";
import type { Model } from "../../model/model.ts";
import { posteriorOfRow } from "../../posterior/predict-row.ts";
import { isDiscrete, valueLabels } from "../../schema/column.ts";
import type { Row } from "../../schema/data.ts";
import { missingColumn } from "../completion/completion-space.ts";
import { type HiddenBlock, hiddenBlock, hiddenNumber } from "../completion/hidden-block.ts";
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
  /** The atoms of the column and P(atom | the known columns); in a Gaussian block 32 of its quantiles, equally likely. */
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
  /** In a Gaussian block the exact distribution: a mixture of normal ones. */
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
  const { schema } = model.classifier;
  const table = encodeRow(model, row, options);
  const posterior = posteriorOfRow(model, table, 0);
  const hidden = hiddenBlock(model, table, 0);
  const missing = schema.columns.flatMap((column, i) =>
    atomOf(model.atoms, i, table.columns[i], 0) < 0 ? [{ column, i }] : [],
  );
  return Object.fromEntries(
    missing.map(({ column, i }): [string, Imputation] => {
      if (hidden?.columns.includes(i)) return [column.name, normal(hidden, posterior, i)];
      const probabilities = atomProbabilities(model, posterior, i);
      const { values } = model.atoms.columns[i];
      if (isDiscrete(column)) return [column.name, discrete(valueLabels(column), probabilities)];
      return [column.name, numeric(values ?? new Float64Array(), probabilities)];
    }),
  );
}

/** P(x_i = atom | y) = Σ_mk P(m, k | y) P_m(atom | k). */
function atomProbabilities(model: Model, posterior: Float64Array, i: number): Float64Array {
  const { count, conditional } = missingColumn(model, i);
  const probabilities = new Float64Array(count);
  for (let v = 0, at = 0; v < count; v++)
    for (let a = 0; a < posterior.length; a++) probabilities[v] += posterior[a] * conditional[at++];
  return probabilities;
}

/** Quantiles that stand for a density. */
const QUANTILES = 32;

/** Column i of the block, P(x_i | y) = Σ_mk P(m, k | y) N(μ_mk, σ_m²). */
function normal(hidden: HiddenBlock, posterior: Float64Array, i: number): NumericImputation {
  const { means, deviations } = hiddenNumber(hidden, hidden.columns.indexOf(i));
  const K = means.length / deviations.length;
  const standardDeviations = means.map((_, a) => deviations[Math.floor(a / K)]);
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
