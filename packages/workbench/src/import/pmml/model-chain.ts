import type { TreeJson, TreesJson } from "conformant";
import { featureOf } from "../affine.ts";
import { childOf, childrenOf, type Element } from "./element.ts";
import { numberAttribute, type PmmlDocument, shown } from "./pmml-document.ts";
import { readRegressionModel } from "./regression-model.ts";
import { segmentsOf } from "./segments.ts";
import { readTreeModel, type TreeReading } from "./tree-model.ts";

/** A number that trees compute: constant + Σ of leaves. */
interface TreeSum {
  readonly constant: number;
  readonly trees: readonly TreeJson[];
}

/** The deepest nesting of models. */
const DEEPEST = 20;

/**
 * Boosted trees: regressions with named predictions, then a RegressionModel that converts them to probabilities. Its scores are sums of the
 * trees behind the names.
 */
export function readModelChain(reading: TreeReading): Pick<TreesJson, "classes" | "link" | "base" | "trees"> {
  const { document } = reading;
  const { refuse } = document;
  const segments = segmentsOf(document, document.model);
  const last = segments[segments.length - 1].model;
  if (last.name !== "RegressionModel")
    refuse(`the chain of models ends in a ${last.name}, expected a RegressionModel`);
  const sums = new Map<string, TreeSum>();
  for (const { model } of segments.slice(0, -1)) {
    const sum = sumOf(reading, model, 0);
    for (const name of predictionNames(model)) sums.set(name, sum);
  }
  const { classes, features, intercept, coef } = readRegressionModel({ ...document, model: last }, featureOf);
  const trees: TreeJson[] = [];
  const base = intercept.map((start, output) =>
    features.reduce((total, name, j) => {
      const sum =
        sums.get(name) ?? refuse(`the last model uses ${shown(name)}, which no model before it predicts`);
      const weight = coef[output][j];
      if (weight === 0) return total;
      trees.push(...sum.trees.map((tree) => scaled(tree, weight, output)));
      return total + weight * sum.constant;
    }, start),
  );
  if (trees.length === 0) refuse("the last model uses no trees");
  return { classes, link: classes.length === 2 ? "logistic" : "softmax", base, trees };
}

/** The names under which a model exports its prediction. */
function predictionNames(model: Element): string[] {
  return childrenOf(childOf(model, "Output"), "OutputField").flatMap(({ attributes }) =>
    (attributes.get("feature") ?? "predictedValue") === "predictedValue"
      ? (attributes.get("name") ?? [])
      : [],
  );
}

/** What a regression of trees computes: one tree, or sums and averages of trees. */
function sumOf(reading: TreeReading, model: Element, depth: number): TreeSum {
  const { document } = reading;
  const { refuse } = document;
  if (depth > DEEPEST) refuse(`more than ${DEEPEST} nested models`);
  if (model.attributes.get("functionName") !== "regression")
    refuse(
      `a model of the chain has functionName ${shown(model.attributes.get("functionName"))}, expected "regression"`,
    );
  return rescaled(document, model, plainSum(reading, model, depth));
}

function plainSum(reading: TreeReading, model: Element, depth: number): TreeSum {
  const { document } = reading;
  const { refuse } = document;
  if (model.name === "TreeModel") {
    const tree = readTreeModel(reading, model, 0, (node) => numberAttribute(document, node, "score"));
    return { constant: 0, trees: [tree] };
  }
  if (model.name === "RegressionModel" && childrenOf(model, "RegressionTable").length === 1) {
    const [table] = childrenOf(model, "RegressionTable");
    if (table.children.some(({ name }) => name.endsWith("Predictor")))
      refuse("a RegressionModel with predictors is combined with trees, which is not supported");
    return { constant: numberAttribute(document, table, "intercept"), trees: [] };
  }
  if (model.name !== "MiningModel") refuse(`a ${model.name} stands in a sum of trees, which is not read`);
  const method = childOf(model, "Segmentation")?.attributes.get("multipleModelMethod") ?? "";
  const segments = segmentsOf(document, model);
  const weightOf: Readonly<Record<string, (segment: Element) => number>> = {
    sum: () => 1,
    average: () => 1 / segments.length,
    weightedSum: (segment) => numberAttribute(document, segment, "weight", 1),
    "x-weightedSum": (segment) => numberAttribute(document, segment, "weight", 1),
  };
  if (!Object.hasOwn(weightOf, method))
    refuse(
      `multipleModelMethod ${shown(method)} is not read in a sum of trees`,
      `${Object.keys(weightOf).join(", ")} are`,
    );
  const parts = segments.map(({ segment, model: own }) => {
    const { constant, trees } = sumOf(reading, own, depth + 1);
    const weight = weightOf[method](segment);
    return { constant: constant * weight, trees: trees.map((tree) => scaled(tree, weight, 0)) };
  });
  return {
    constant: parts.reduce((total, { constant }) => total + constant, 0),
    trees: parts.flatMap(({ trees }) => trees),
  };
}

/** The Targets of a model: prediction · rescaleFactor + rescaleConstant. */
function rescaled(document: PmmlDocument, model: Element, { constant, trees }: TreeSum): TreeSum {
  const targets = childrenOf(childOf(model, "Targets"), "Target");
  if (targets.length === 0) return { constant, trees };
  if (targets.length > 1) document.refuse("a model has several Targets");
  const [target] = targets;
  for (const name of ["min", "max", "castInteger"])
    if (target.attributes.has(name)) document.refuse(`a Target has ${shown(name)}, which is not read`);
  const factor = numberAttribute(document, target, "rescaleFactor", 1);
  const shift = numberAttribute(document, target, "rescaleConstant", 0);
  return { constant: constant * factor + shift, trees: trees.map((tree) => scaled(tree, factor, 0)) };
}

function scaled(tree: TreeJson, factor: number, output: number): TreeJson {
  const value = tree.value.map((own) => (typeof own === "number" ? own * factor : own));
  return { ...tree, output, value };
}
