import {
  type Classifier,
  type Column,
  howSure,
  type Model,
  predictColumns,
  type RegressionModel,
  type RegressionReport,
} from "conformant";
import { valueLabels } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { treesOf } from "conformant/trees";
import { missingEffect } from "./missing-effect.ts";
import { type ModelVerdict, metadataOf } from "./model-metadata.ts";

/** What is in a model, for people and programs alike. */
export interface ModelDescription {
  /** How good the model is on rows it was not fitted on, where `fit` has computed it. */
  readonly verdict: ModelVerdict | undefined;
  readonly classes: readonly { readonly name: string; readonly prior: number; readonly intercept: number }[];
  readonly label: string | undefined;
  readonly columns: readonly ColumnDescription[];
  /** Where numbers are described by a Gaussian: its columns, and what all of them missing together add to each class. */
  readonly gaussian:
    | { readonly columns: readonly string[]; readonly missingEffect: readonly number[] }
    | undefined;
  readonly components: number;
  readonly rows: number;
  readonly pseudocount: number;
  /**
   * One component of atoms: the mean over the training rows of Σ_i log q_i(x_i) − log Z. The log-likelihood has
   * log Σ_k e^{score_k} besides, which is the classifier's alone and unknown without the rows.
   */
  readonly logLikelihood: number | undefined;
  /** Where trees answer: how many there are, their leaves, and how probabilities are made of them. */
  readonly trees: { readonly count: number; readonly leaves: number; readonly link: string } | undefined;
  readonly certificate: Model["certificate"];
  readonly training: Classifier["training"];
}

export interface ColumnDescription {
  readonly name: string;
  readonly kind: Column["kind"];
  /** What a missing value adds to the score of each class, see `missing-effect.ts`; the columns of the Gaussian have one effect together. */
  readonly missingEffect: readonly number[] | undefined;
  /** Two classes and w·x: the value that gives the same prediction as a missing one. */
  readonly missingEquals: number | undefined;
  /** One row per value (or one for w·x), one weight per class. */
  readonly weights: readonly { readonly value: string | undefined; readonly perClass: readonly number[] }[];
}

export function describeModel(model: Model): ModelDescription {
  const { predictor, schema, tilt, response, components, certificate, rows, pseudocount } = model;
  const { intercept } = tilt;
  const { outputs: classes } = response;
  const { label } = predictor;
  const training = predictor.kind === "additive" ? predictor.training : undefined;
  const trees = treesOf(model);
  const prior = [...predictColumns(model, [{}]).probabilities];
  return {
    verdict: metadataOf(model).verdict,
    classes: classes.map((name, k) => ({ name, prior: prior[k], intercept: intercept[k] })),
    label,
    columns: schema.columns.map((column, i) => describeColumn(model, column, i)),
    gaussian: describeGaussian(model),
    components: components.length,
    rows,
    pseudocount,
    logLikelihood: certificate.logLikelihood,
    trees: trees && {
      count: trees.roots.length,
      leaves: trees.outputs.length,
      link: trees.link,
    },
    certificate,
    training,
  };
}

function describeColumn(model: Model, column: Column, i: number): ColumnDescription {
  const { schema, tilt, components } = model;
  const K = tilt.intercept.length;
  const slots = slotOffsets(schema);
  const effect = model.gaussianColumns?.columns.includes(i)
    ? undefined
    : missingEffect(model, ({ logZ }, k) => logZ[i * K + k]);
  const linear = column.kind === "numeric" || column.kind === "binary";
  const labels = linear ? [undefined] : valueLabels(column);
  const slope = linear ? tilt.weights[slots[i] * K + 1] - tilt.weights[slots[i] * K] : 0;
  return {
    name: column.name,
    kind: column.kind,
    missingEffect: effect,
    missingEquals:
      effect && K === 2 && slope !== 0 && components.length === 1
        ? (effect[1] - effect[0]) / slope
        : undefined,
    weights: labels.map((value, v) => ({
      value,
      perClass: Array.from({ length: K }, (_, k) => tilt.weights[(slots[i] + v) * K + k]),
    })),
  };
}

function describeGaussian(model: Model): ModelDescription["gaussian"] {
  const { gaussianColumns, schema } = model;
  if (!gaussianColumns) return undefined;
  const columns = Array.from(gaussianColumns.columns, (i) => schema.columns[i].name);
  return { columns, missingEffect: missingEffect(model, ({ gaussian }, k) => gaussian?.logZ[k] ?? 0) };
}

/** What is in a model that predicts a number, for people and programs alike. */
export interface RegressionDescription {
  readonly verdict: ModelVerdict | undefined;
  /** The name of the number. */
  readonly output: string;
  readonly label: string | undefined;
  readonly link: string;
  /** The expected number with nothing known, and its standard deviation over the rows of the distribution. */
  readonly prior: number;
  readonly standardDeviation: number;
  /** Of a linear regressor. */
  readonly intercept: number | undefined;
  readonly columns: readonly {
    readonly name: string;
    readonly kind: Column["kind"];
    /** Of a linear regressor: one weight per value, or one for w·x. */
    readonly weights: readonly { readonly value: string | undefined; readonly weight: number }[] | undefined;
  }[];
  readonly gaussian: readonly string[] | undefined;
  readonly components: number;
  readonly rows: number;
  readonly pseudocount: number;
  readonly trees: ModelDescription["trees"];
  readonly certificate: Model["certificate"];
  readonly training: RegressionReport | undefined;
}

export function describeRegression(model: RegressionModel): RegressionDescription {
  const { predictor, schema, components, certificate, rows, pseudocount, gaussianColumns } = model;
  const linear = predictor.kind === "linear" ? predictor : undefined;
  const trees = predictor.kind === "regression-trees" ? predictor : undefined;
  const slots = slotOffsets(schema);
  const { prediction, standardDeviation } = howSure(model, {}, { samples: 2000 });
  return {
    verdict: metadataOf(model).verdict,
    output: model.response.outputs[0],
    label: predictor.label,
    link: linear?.link ?? trees?.link ?? "identity",
    prior: prediction,
    standardDeviation: standardDeviation.value,
    intercept: linear?.intercept,
    columns: schema.columns.map((column, i) => {
      const isLinear = column.kind === "numeric" || column.kind === "binary";
      const labels = isLinear ? [undefined] : valueLabels(column);
      return {
        name: column.name,
        kind: column.kind,
        weights: linear && labels.map((value, v) => ({ value, weight: linear.weights[slots[i] + v] })),
      };
    }),
    gaussian: gaussianColumns && Array.from(gaussianColumns.columns, (i) => schema.columns[i].name),
    components: components.length,
    rows,
    pseudocount,
    trees: trees && { count: trees.roots.length, leaves: trees.outputs.length, link: trees.link },
    certificate,
    training: linear?.training,
  };
}
