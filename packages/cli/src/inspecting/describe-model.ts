import { type Column, type Model, slotOffsets, valueLabels } from "conformant";

/** What is in a model, for people and programs alike. */
export interface ModelDescription {
  readonly classes: readonly { readonly name: string; readonly prior: number; readonly intercept: number }[];
  readonly label: string | undefined;
  readonly columns: readonly ColumnDescription[];
  readonly components: number;
  readonly rows: number;
  readonly pseudocount: number;
  /** Mean over the rows of Σ_i log q_i(x_i) − log Z, the part of the log-likelihood that the fit maximises; one component. */
  readonly logLikelihood: number | undefined;
  readonly certificate: Model["certificate"];
  readonly training: Model["classifier"]["training"];
}

export interface ColumnDescription {
  readonly name: string;
  readonly kind: Column["kind"];
  /** What a gap adds to the score of each class, relative to their mean: zero where a gap says nothing. */
  readonly gap: readonly number[];
  /** Two classes and w·x: the value that gives the same prediction as the gap. */
  readonly gapEquals: number | undefined;
  /** One row per value (or one for w·x), one weight per class. */
  readonly weights: readonly { readonly value: string | undefined; readonly perClass: readonly number[] }[];
}

export function describeModel(model: Model): ModelDescription {
  const { classifier, components, certificate, rows, pseudocount } = model;
  const { classes, intercept, label, training, schema } = classifier;
  const prior = priorOf(model);
  return {
    classes: classes.map((name, k) => ({ name, prior: prior[k], intercept: intercept[k] })),
    label,
    columns: schema.columns.map((column, i) => describeColumn(model, column, i)),
    components: components.length,
    rows,
    pseudocount,
    logLikelihood: components.length === 1 ? logLikelihood(model) : undefined,
    certificate,
    training,
  };
}

function describeColumn(model: Model, column: Column, i: number): ColumnDescription {
  const { classifier, components } = model;
  const K = classifier.classes.length;
  const slots = slotOffsets(classifier.schema);
  const scores = Array.from({ length: K }, (_, k) => gapScore(model, i, k));
  const mean = scores.reduce((sum, score) => sum + score, 0) / K;
  const linear = column.kind === "numeric" || column.kind === "binary";
  const labels = column.kind === "numeric" || column.kind === "binary" ? [undefined] : valueLabels(column);
  const slope = linear ? classifier.weights[slots[i] * K + 1] - classifier.weights[slots[i] * K] : 0;
  return {
    name: column.name,
    kind: column.kind,
    gap: scores.map((score) => score - mean),
    gapEquals:
      K === 2 && slope !== 0 && components.length === 1 ? (scores[1] - scores[0]) / slope : undefined,
    weights: labels.map((value, v) => ({
      value,
      perClass: Array.from({ length: K }, (_, k) => classifier.weights[(slots[i] + v) * K + k]),
    })),
  };
}

/** log Σ_m π_m e^{log Z_mki}: what a gap is worth to a class; with several components their mean by weight. */
function gapScore({ components, classifier }: Model, i: number, k: number): number {
  const K = classifier.classes.length;
  const terms = components.map(({ logWeight, logZ }) => logWeight + logZ[i * K + k]);
  const largest = Math.max(...terms);
  return largest + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - largest), 0));
}

/** P(k), summed over the components. */
function priorOf({ components, classifier }: Model): number[] {
  return classifier.classes.map((_, k) =>
    components.reduce((sum, { logWeight, logPrior }) => sum + Math.exp(logWeight + logPrior[k]), 0),
  );
}

/** Σ_i Σ_v f_i(v) log q_i(v) − log Z, with f the model's own marginals, which at the optimum are the data's. */
function logLikelihood({ components: [component], atoms, classifier }: Model): number {
  const K = classifier.classes.length;
  let sum = -component.logNormaliser;
  atoms.columns.forEach(({ count }, i) => {
    for (let j = atoms.offsets[i]; j < atoms.offsets[i] + count; j++) {
      if (component.logQ[j] === Number.NEGATIVE_INFINITY) continue;
      let share = 0;
      for (let k = 0; k < K; k++)
        share += Math.exp(
          component.logPrior[k] + component.logQ[j] + atoms.scores[j * K + k] - component.logZ[i * K + k],
        );
      sum += share * component.logQ[j];
    }
  });
  return sum;
}
