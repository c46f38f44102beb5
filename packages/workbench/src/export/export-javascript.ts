import type { Column, Model } from "conformant";
import { valueLabels } from "conformant/internal";
import { declarationsOf } from "./javascript-declarations.ts";
import { scriptJson } from "./javascript-json.ts";
import { predictorSource } from "./javascript-predictor.ts";
import { columnData, componentData } from "./model-data.ts";

/** A model as one ES module without dependencies, which predicts and imputes, with its type declarations. */
export function exportJavascript(model: Model): { script: string; types: string } {
  const {
    schema,
    tilt: { intercept },
    response: { outputs: classes },
    predictor: { label },
  } = model;
  const { gaussianColumns } = model;
  const columns = schema.columns.map(
    (column, i) => `    ${scriptJson({ ...columnData(model, i), ...labelsOf(column) })},`,
  );
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
${gaussianColumns ? `  // the columns whose numbers have a Gaussian in each component: they have one atom, which is worth nothing\n  block: ${scriptJson([...gaussianColumns.columns])},\n` : ""}  // logQ: how common the values of each column are; logZ: what a gap in each column is worth to each class
  components: [
${components.join("\n")}
  ],
};
${predictorSource(gaussianColumns !== undefined)}`;
  return { script, types: declarationsOf(model) };
}

/** How an imputation names the values of a discrete column. */
function labelsOf(column: Column): { readonly labels?: readonly string[] } {
  return column.kind === "numeric" ? {} : { labels: valueLabels(column) };
}
