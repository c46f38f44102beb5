import { type AnyModel, type Column, type Gaussian, isRegression, type TreeEnsemble } from "conformant";
import { expectationOf } from "conformant/internal";
import { LOG_IMPOSSIBLE, slotOffsets } from "conformant/remote";
import { treesOf } from "conformant/trees";

/** A column as an exported program reads it: with K weights for w·x, or K for each value; with one where the answer is a number. */
export type ColumnData = Column & {
  readonly weights: readonly (readonly number[])[];
  /** For numbers: the representatives of the atoms, and the edges between them. */
  readonly atoms?: readonly number[];
  readonly edges?: readonly number[];
};

/** A component as an exported program reads it; lists by column. */
export interface ComponentData {
  /** log π_m − log Z_m. */
  readonly constant: number;
  /** log q of the values of each column. */
  readonly logQ: readonly (readonly number[])[];
  /** The effect of a missing value of each column on each class. */
  readonly logZ: readonly (readonly number[])[];
  /** For the Gaussian: the mean, and the covariance row by row up to the diagonal. */
  readonly gaussian?: GaussianData;
}

export interface GaussianData {
  readonly mean: readonly number[];
  readonly covariance: readonly (readonly number[])[];
}

export function columnData(model: AnyModel, i: number): ColumnData {
  const { atoms, schema, response } = model;
  const column = schema.columns[i];
  const K = response.outputs.length;
  const slots = slotOffsets(schema);
  const { weights: all } = scoresOf(model);
  const weights = Array.from({ length: slots[i + 1] - slots[i] }, (_, j) => [
    ...all.subarray((slots[i] + j) * K, (slots[i] + j + 1) * K),
  ]);
  if (column.kind !== "numeric") return { ...column, weights };
  const { values = [], edges = [] } = atoms.columns[i];
  return { ...column, weights, atoms: [...values], edges: [...edges] };
}

/** The scores of the classes, or of a linear regressor's sum, as of one class. */
function scoresOf({ predictor, tilt }: AnyModel): {
  readonly intercept: readonly number[];
  readonly weights: Float64Array;
} {
  if (predictor.kind === "linear") return { intercept: [predictor.intercept], weights: predictor.weights };
  return { intercept: [...tilt.intercept], weights: tilt.weights };
}

export function componentData({ atoms, components, response }: AnyModel, m: number): ComponentData {
  const { logWeight, logNormaliser, logQ, logZ, gaussian } = components[m];
  const K = response.outputs.length;
  const perColumn = (of: (i: number) => Iterable<number>): number[][] =>
    atoms.columns.map((_, i) => Array.from(of(i)));
  return {
    constant: logWeight - logNormaliser,
    logQ: perColumn((i) =>
      logQ.subarray(atoms.offsets[i], atoms.offsets[i + 1]).map((log) => Math.max(log, LOG_IMPOSSIBLE)),
    ),
    logZ: perColumn((i) => logZ.subarray(i * K, (i + 1) * K)),
    ...(gaussian && { gaussian: gaussianData(gaussian) }),
  };
}

function gaussianData({ mean, covariance }: Gaussian): GaussianData {
  const n = mean.length;
  const rows = Array.from({ length: n }, (_, a) => [...covariance.subarray(a * n, a * n + a + 1)]);
  return { mean: [...mean], covariance: rows };
}

/** The nodes of trees as lists, as in the model file (docs/model-file.md). */
export function treesData({ link, base, roots, nodes, sets, width, values, outputs }: TreeEnsemble) {
  return {
    link,
    base: [...base],
    roots: [...roots],
    column: [...nodes.column],
    threshold: Array.from(nodes.threshold, (threshold, n) =>
      nodes.column[n] < 0 || nodes.set[n] >= 0 ? 0 : threshold,
    ),
    set: [...nodes.set],
    sets: sets.map((codes) => [...codes]),
    left: [...nodes.left],
    right: [...nodes.right],
    width,
    values: [...values],
    outputs: [...outputs],
  };
}

/** Everything that a program needs to predict as the model does. */
export function modelData(model: AnyModel) {
  const { label } = model.predictor;
  const trees = treesOf(model);
  return {
    ...answerData(model),
    ...(label !== undefined && { label }),
    intercept: scoresOf(model).intercept,
    columns: model.schema.columns.map((_, i) => columnData(model, i)),
    ...(model.gaussianColumns && { block: [...model.gaussianColumns.columns] }),
    components: model.components.map((_, m) => componentData(model, m)),
    ...(trees && { trees: treesData(trees) }),
  };
}

/** What is answered: the classes, or the name of a number with its link, or with the unit of its sampling errors. */
function answerData(model: AnyModel): object {
  if (!isRegression(model)) return { classes: model.response.outputs };
  const { predictor, response } = model;
  const [output] = response.outputs;
  if (predictor.kind === "linear") return { output, link: predictor.link };
  return { output, scale: expectationOf(model).scale };
}

/** What an exported program says that it predicts of. */
export function predictorInWords(model: AnyModel): string {
  const { predictor } = model;
  if (predictor.kind === "trees") return "trees";
  if (predictor.kind === "regression-trees") return "regression trees";
  if (predictor.kind !== "linear") return "a logistic regression";
  return predictor.link === "identity" ? "a linear regression" : "a generalized linear model";
}
