import type { RegressionTreesJson, TreesJson } from "conformant";
import { type ImportedClassifier, UNNAMED_OUTPUT } from "../imported-classifier.ts";
import { ClassVotes } from "./class-votes.ts";
import { childOf } from "./element.ts";
import { Fields } from "./fields.ts";
import { readModelChain } from "./model-chain.ts";
import { numberAttribute, type PmmlDocument, shown } from "./pmml-document.ts";
import { segmentsOf } from "./segments.ts";
import { readTreeModel, type TreeReading } from "./tree-model.ts";
import { readTreeSum } from "./tree-sum.ts";

/**
 * Trees of PMML: one TreeModel, a MiningModel whose trees are averaged, added or vote, or a chain that ends in a regression of
 * their sums, as boosted trees are written.
 */
export function readTreeModels(document: PmmlDocument): Pick<ImportedClassifier, "json" | "notes"> {
  const { model, refuse, target } = document;
  const kind = model.attributes.get("functionName");
  if (kind !== "classification" && kind !== "regression")
    refuse(`${model.name} with functionName ${shown(kind)}, expected "classification" or "regression"`);
  const reading: TreeReading = { document, fields: new Fields(document), notes: new Set() };
  const method = childOf(model, "Segmentation")?.attributes.get("multipleModelMethod");
  const isSum = kind === "regression" && method !== "modelChain";
  const trees =
    method === "modelChain" ? readModelChain(reading) : isSum ? readSum(reading) : readVotes(reading, method);
  if ("output" in trees !== (kind === "regression"))
    refuse(`a model with functionName ${shown(kind)} ends in one with another functionName`);
  const { names } = reading.fields.features;
  if (names.length === 0) refuse("the trees ask about no field");
  const categories = reading.fields.categories();
  const json: TreesJson | RegressionTreesJson = {
    kind: "trees",
    ...trees,
    ...(target !== undefined && { label: target }),
    features: names,
    ...(categories.some((own) => own) && { categories }),
  };
  return { json, notes: [...reading.notes] };
}

/** One regression tree, or sums and averages of some. */
function readSum(reading: TreeReading): Pick<RegressionTreesJson, "output" | "link" | "base" | "trees"> {
  const { model, target } = reading.document;
  const { constant, trees } = readTreeSum(reading, model);
  return { output: target ?? UNNAMED_OUTPUT, link: "identity", base: [constant], trees };
}

/** Ways to combine the answers of trees: weighted or not, probabilities or whole votes. */
const METHODS: Readonly<Record<string, { weighted: boolean; whole: boolean } | undefined>> = Object.assign(
  Object.create(null),
  {
    average: { weighted: false, whole: false },
    weightedAverage: { weighted: true, whole: false },
    majorityVote: { weighted: false, whole: true },
    weightedMajorityVote: { weighted: true, whole: true },
  },
);

/** Forests, or a single tree: the leaves hold probabilities or votes. */
function readVotes(
  reading: TreeReading,
  method: string | undefined,
): Pick<TreesJson, "classes" | "link" | "trees"> {
  const { document } = reading;
  const { model, refuse } = document;
  const votes = new ClassVotes(document);
  const { classes } = votes;
  if (model.name === "TreeModel") {
    const tree = readTreeModel(reading, model, 0, (node) => votes.shares(node, 1));
    return { classes, link: "probability", trees: [tree] };
  }
  const { weighted, whole } =
    METHODS[method ?? ""] ??
    refuse(
      `multipleModelMethod ${shown(method)} is not read`,
      `${Object.keys(METHODS).join(", ")} and modelChain are`,
    );
  const segments = segmentsOf(document, model);
  const weights = segments.map(({ segment }) =>
    weighted ? numberAttribute(document, segment, "weight", 1) : 1,
  );
  const total = weights.reduce((a, b) => a + b, 0);
  if (!(total > 0) || weights.some((weight) => weight < 0))
    refuse(`the weights of the segments must be positive, they sum to ${total}`);
  const trees = segments.map(({ model: tree }, t) => {
    if (tree.name !== "TreeModel" || tree.attributes.get("functionName") !== "classification")
      refuse(`segment ${t + 1} is a ${tree.name}, expected a TreeModel for classification`);
    const weight = weights[t] / total;
    return readTreeModel(reading, tree, 0, (node) =>
      whole ? votes.winner(node, weight) : votes.shares(node, weight),
    );
  });
  return { classes, link: "probability", trees };
}
