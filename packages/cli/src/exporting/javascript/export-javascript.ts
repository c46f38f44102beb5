import { type Column, type GaussianFactor, type Model, valueLabels } from "conformant";
import { LOG_IMPOSSIBLE, slotOffsets } from "conformant/remote";
import { declarationsOf } from "./declarations.ts";
import { predictorSource } from "./predictor-source.ts";
import { scriptJson } from "./script-json.ts";

/** A model as one ES module without dependencies, which predicts and imputes, and the types beside it. */
export function exportJavascript(model: Model): { script: string; types: string } {
  const { classes, intercept, label, schema } = model.classifier;
  const { block } = model;
  const columns = schema.columns.map((column, i) => `    ${scriptJson(columnData(model, column, i))},`);
  const components = model.components.map((_, m) => `    ${scriptJson(componentData(model, m))},`);
  const script = `// Expected predictions of a logistic regression on rows with gaps: predict(row), classify(row), impute(row).
// null, NaN, the empty text and an absent key are gaps. Written by conformant; needs nothing but this file.

const model = {
  classes: ${scriptJson(classes)},
${label === undefined ? "" : `  label: ${scriptJson(label)},\n`}  intercept: ${scriptJson([...intercept])},
  // weights: one row of a number per class for w·x, or for each value; atoms, edges: the values a gap may have
  columns: [
${columns.join("\n")}
  ],
${block ? `  // the columns whose numbers have a Gaussian in each component: they have one atom, which is worth nothing\n  block: ${scriptJson([...block.columns])},\n` : ""}  // logQ: how common the values of each column are; logZ: what a gap in each column is worth to each class
  components: [
${components.join("\n")}
  ],
};
${predictorSource(block !== undefined)}`;
  return { script, types: declarationsOf(model) };
}

function columnData({ classifier, atoms }: Model, column: Column, i: number): object {
  const K = classifier.classes.length;
  const slots = slotOffsets(classifier.schema);
  const weights = Array.from({ length: slots[i + 1] - slots[i] }, (_, j) => [
    ...classifier.weights.subarray((slots[i] + j) * K, (slots[i] + j + 1) * K),
  ]);
  if (column.kind !== "numeric") return { ...column, labels: valueLabels(column), weights };
  const { values = [], edges = [] } = atoms.columns[i];
  return { ...column, weights, atoms: [...values], edges: [...edges] };
}

function componentData({ classifier, atoms, components }: Model, m: number): object {
  const { logWeight, logNormaliser, logQ, logZ, gaussian } = components[m];
  const K = classifier.classes.length;
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

/** Mean, and covariance row by row up to the diagonal. */
function gaussianData({ mean, covariance }: GaussianFactor): object {
  const n = mean.length;
  const rows = Array.from({ length: n }, (_, a) => [...covariance.subarray(a * n, a * n + a + 1)]);
  return { mean: [...mean], covariance: rows };
}
