import type { RegressionTreesJson, TreeJson, TreesJson } from "conformant";
import { featureOf } from "../affine.ts";
import { childOf, childrenOf, type Element } from "./element.ts";
import { shown } from "./pmml-document.ts";
import { readRegressionModel } from "./regression-model.ts";
import { rescalingOf } from "./rescaling.ts";
import { segmentsOf } from "./segments.ts";
import type { TreeReading } from "./tree-model.ts";
import { readTreeSum, scaleTree, type TreeSum } from "./tree-sum.ts";

/** What a document says about its trees beside their features. */
type TreesRead<Json extends TreesJson | RegressionTreesJson> = Omit<
  Json,
  "kind" | "features" | "categories" | "label"
>;

/**
 * Boosted trees: regressions with named predictions, then a RegressionModel that converts them to probabilities or to a number. Its scores
 * are sums of the trees behind the names.
 */
export function readModelChain(reading: TreeReading): TreesRead<TreesJson> | TreesRead<RegressionTreesJson> {
  const { document } = reading;
  const { refuse } = document;
  const segments = segmentsOf(document, document.model);
  const last = segments[segments.length - 1].model;
  if (last.name !== "RegressionModel")
    refuse(`the chain of models ends in a ${last.name}, expected a RegressionModel`);
  const sums = new Map<string, TreeSum>();
  for (const { model } of segments.slice(0, -1)) {
    const sum = readTreeSum(reading, model);
    for (const name of predictionNames(model)) sums.set(name, sum);
  }
  const json = readRegressionModel({ ...document, model: last }, featureOf);
  const { features } = json;
  const isNumber = "output" in json;
  const [intercepts, coef] = isNumber ? [[json.intercept], [json.coef]] : [json.intercept, json.coef];
  const trees: TreeJson[] = [];
  const base = intercepts.map((start, output) =>
    features.reduce((total, name, j) => {
      const sum =
        sums.get(name) ?? refuse(`the last model uses ${shown(name)}, which no model before it predicts`);
      const weight = coef[output][j];
      if (weight === 0) return total;
      trees.push(...sum.trees.map((tree) => scaleTree(tree, weight, output)));
      return total + weight * sum.constant;
    }, start),
  );
  if (trees.length === 0) refuse("the last model uses no trees");
  if (!isNumber) {
    const { classes } = json;
    return { classes, link: classes.length === 2 ? "logistic" : "softmax", base, trees };
  }
  const { output, link = "identity" } = json;
  const { factor, shift } = rescalingOf(document, document.model, link);
  return {
    output,
    link,
    base: base.map((own) => own * factor + shift),
    trees: trees.map((tree) => scaleTree(tree, factor)),
  };
}

/** The names under which a model exports its prediction. */
function predictionNames(model: Element): string[] {
  return childrenOf(childOf(model, "Output"), "OutputField").flatMap(({ attributes }) =>
    (attributes.get("feature") ?? "predictedValue") === "predictedValue"
      ? (attributes.get("name") ?? [])
      : [],
  );
}
