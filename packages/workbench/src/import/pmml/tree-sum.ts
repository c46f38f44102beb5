import type { TreeJson } from "conformant";
import { childOf, childrenOf, type Element } from "./element.ts";
import { numberAttribute, shown } from "./pmml-document.ts";
import { rescalingOf } from "./rescaling.ts";
import { segmentsOf } from "./segments.ts";
import { readTreeModel, type TreeReading } from "./tree-model.ts";

/** A number that trees compute: constant + Σ of leaves. */
export interface TreeSum {
  readonly constant: number;
  readonly trees: readonly TreeJson[];
}

/** The deepest nesting of models. */
const DEEPEST = 20;

/** What a regression of trees computes: one tree, or sums and averages of trees. */
export function readTreeSum(reading: TreeReading, model: Element, depth = 0): TreeSum {
  const { document } = reading;
  const { refuse } = document;
  if (depth > DEEPEST) refuse(`more than ${DEEPEST} nested models`);
  if (model.attributes.get("functionName") !== "regression")
    refuse(
      `a model of the sum has functionName ${shown(model.attributes.get("functionName"))}, expected "regression"`,
    );
  const { constant, trees } = plainSum(reading, model, depth);
  const { factor, shift } = rescalingOf(document, model, "identity");
  return { constant: constant * factor + shift, trees: trees.map((tree) => scaleTree(tree, factor)) };
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
  const weight = ({ segment }: (typeof segments)[number]): number =>
    numberAttribute(document, segment, "weight", 1);
  const total = segments.reduce((sum, segment) => sum + weight(segment), 0);
  const weightOf: Readonly<Record<string, (segment: (typeof segments)[number]) => number>> = {
    sum: () => 1,
    average: () => 1 / segments.length,
    weightedAverage: (segment) =>
      total > 0
        ? weight(segment) / total
        : refuse(`the weights of the segments must be positive, they sum to ${total}`),
    weightedSum: weight,
    "x-weightedSum": weight,
  };
  if (!Object.hasOwn(weightOf, method))
    refuse(
      `multipleModelMethod ${shown(method)} is not read in a sum of trees`,
      `${Object.keys(weightOf).join(", ")} are`,
    );
  const parts = segments.map((segment) => {
    const { constant, trees } = readTreeSum(reading, segment.model, depth + 1);
    const factor = weightOf[method](segment);
    return { constant: constant * factor, trees: trees.map((tree) => scaleTree(tree, factor)) };
  });
  return {
    constant: parts.reduce((total, { constant }) => total + constant, 0),
    trees: parts.flatMap(({ trees }) => trees),
  };
}

/** A tree whose leaves are multiplied by a factor. */
export function scaleTree(tree: TreeJson, factor: number, output = 0): TreeJson {
  const value = tree.value.map((own) => (typeof own === "number" ? own * factor : own));
  return { ...tree, output, value };
}
