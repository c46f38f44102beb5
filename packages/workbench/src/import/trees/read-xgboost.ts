import type { NumberLink, RegressionTreesJson, TreeJson, TreesJson } from "conformant";
import { sumOf } from "conformant/internal";
import { singleBelow } from "conformant/trees";
import {
  type ImportedClassifier,
  type ReadingContext,
  refuseFile,
  UNNAMED_OUTPUT,
} from "../imported-classifier.ts";
import { nameCodes } from "./name-codes.ts";

/** The parts of an XGBoost file that are read; some versions have more. */
interface XgboostFile {
  readonly learner?: {
    readonly feature_names?: readonly string[];
    readonly feature_types?: readonly string[];
    /** Attributes beside the trees: the best round of early stopping, and which class saved the file. */
    readonly attributes?: { readonly best_iteration?: string; readonly scikit_learn?: string };
    readonly objective?: { readonly name?: string };
    readonly learner_model_param?: Readonly<Record<string, string>>;
    readonly gradient_booster?: Booster & { readonly gbtree?: Booster };
  };
}

interface Booster {
  readonly name?: string;
  readonly weight_drop?: readonly number[];
  readonly model?: {
    readonly gbtree_model_param?: { readonly num_parallel_tree?: string };
    readonly trees?: readonly XgboostTree[];
    readonly tree_info?: readonly number[];
  };
}

interface XgboostTree {
  readonly tree_param?: { readonly size_leaf_vector?: string };
  readonly left_children: readonly number[];
  readonly right_children: readonly number[];
  readonly split_indices: readonly number[];
  /** Thresholds, and for leaves their values. */
  readonly split_conditions: readonly (number | null)[];
  readonly default_left: readonly (number | boolean)[];
  /** 1 where a set of categories decides. */
  readonly split_type?: readonly number[];
  readonly categories?: readonly number[];
  readonly categories_nodes?: readonly number[];
  readonly categories_segments?: readonly number[];
  readonly categories_sizes?: readonly number[];
}

/** Objectives whose answer is a number, and how their sums become it. */
const NUMBERS: Readonly<Record<string, NumberLink>> = {
  "reg:squarederror": "identity",
  "reg:linear": "identity",
  "reg:absoluteerror": "identity",
  "reg:pseudohubererror": "identity",
  "count:poisson": "log",
  "reg:gamma": "log",
  "reg:tweedie": "log",
};

/** Whether a document is a model that XGBoost saved. */
export function isXgboost(document: unknown): document is XgboostFile {
  return typeof document === "object" && document !== null && "learner" in document && "version" in document;
}

/** JSON as XGBoost writes it: bare NaN and infinities become null. */
export function parseXgboostJson(text: string): unknown {
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity|inf)\b/g, (found) =>
      found.startsWith('"') ? found : "null",
    ),
  );
}

/**
 * Trees that XGBoost saved with `save_model`, as JSON or UBJSON: `binary:logistic`, `multi:softprob` and numbers, gbtree and dart. Thresholds are
 * compared in single precision, x < t; a category goes right where it is in a node's set.
 */
export function readXgboost(
  { learner }: XgboostFile,
  { path, names, words }: Pick<ReadingContext, "path" | "names" | "words">,
): ImportedClassifier & { readonly json: TreesJson | RegressionTreesJson } {
  const objective = learner?.objective?.name ?? "";
  const booster = learner?.gradient_booster;
  if (booster?.name !== "gbtree" && booster?.name !== "dart")
    throw refuseFile(path, `the booster ${JSON.stringify(booster?.name)} of XGBoost is not made of trees`);
  const { trees: saved = [], tree_info: output = [], ...model } = (booster.gbtree ?? booster).model ?? {};
  if (saved.length === 0 || output.length !== saved.length)
    throw refuseFile(
      path,
      `XGBoost's model must have trees and a class for each, got ${saved.length} and ${output.length}`,
    );
  const several = objective === "multi:softprob" || objective === "multi:softmax";
  const numberLink = Object.hasOwn(NUMBERS, objective) ? NUMBERS[objective] : undefined;
  if (objective === "reg:squaredlogerror")
    throw refuseFile(
      path,
      "XGBoost's reg:squaredlogerror fits log(1 + y), and the mean of its answers is not the answer to expect",
      "train on log(1 + y) with reg:squarederror",
    );
  if (!several && !numberLink && objective !== "binary:logistic" && objective !== "reg:logistic")
    throw refuseFile(
      path,
      `XGBoost's objective ${JSON.stringify(objective)} gives neither class probabilities nor a number that is known here`,
      `binary:logistic, multi:softprob, multi:softmax, ${Object.keys(NUMBERS).join(", ")} are read`,
    );
  const parameters = learner?.learner_model_param ?? {};
  const classes = several ? numberOf(path, parameters, "num_class") : 2;
  if (several && saved.length % classes !== 0)
    throw refuseFile(path, `XGBoost's model has ${saved.length} trees for ${classes} classes`);
  const perRound = (several ? classes : 1) * Number(model.gbtree_model_param?.num_parallel_tree ?? 1);
  const { used, notes } = roundsOf(learner?.attributes, saved.length / perRound);
  const trees = saved.slice(0, used * perRound);
  const base = baseOf(path, parameters.base_score, several ? classes : 1);
  if (!several && !isStart(base[0], numberLink ?? "logit"))
    throw refuseFile(
      path,
      `XGBoost's base_score must be a number that ${objective} can give, got ${JSON.stringify(parameters.base_score)}`,
    );
  const width = numberOf(path, parameters, "num_feature");
  const features = namesOf(path, learner?.feature_names, names, width, words);
  const weights = booster.weight_drop;
  const sizes = categoriesOf(learner?.feature_types, trees, width);
  const document = {
    kind: "trees",
    features,
    ...(sizes.some((size) => size > 0) && {
      categories: nameCodes(path, sizes),
    }),
    base: several ? base : base.map((number) => sumOf(numberLink ?? "logit", number)),
    single: true,
    setsGo: "right",
    trees: trees.map((tree, t) => treeOf(path, tree, t, output[t], weights?.[t] ?? 1)),
  } as const;
  const json: TreesJson | RegressionTreesJson = numberLink
    ? { ...document, output: UNNAMED_OUTPUT, link: numberLink }
    : {
        ...document,
        classes: Array.from({ length: classes }, (_, k) => `${k}`),
        link: several ? "softmax" : "logistic",
      };
  return { json, notes, counted: features.filter((_, f) => sizes[f] > 0) };
}

/**
 * The rounds used for predictions, as in the software that saved the file: after early stopping XGBClassifier uses those up to the best
 * one, a Booster all.
 */
function roundsOf(
  attributes: { readonly best_iteration?: string; readonly scikit_learn?: string } = {},
  saved: number,
): { used: number; notes: string[] } {
  const best = Number(attributes.best_iteration ?? Number.NaN) + 1;
  if (!(Number.isSafeInteger(best) && best > 0 && best < saved)) return { used: saved, notes: [] };
  return attributes.scikit_learn === undefined
    ? {
        used: saved,
        notes: [
          `all ${saved} rounds answer, as with Booster.predict; early stopping found ${best} best, which booster[:${best}].save_model keeps`,
        ],
      }
    : {
        used: best,
        notes: [
          `the ${best} of ${saved} rounds that early stopping found best answer, as with XGBClassifier`,
        ],
      };
}

function numberOf(path: string, parameters: Readonly<Record<string, string>>, name: string): number {
  const number = Number(parameters[name]);
  if (Number.isSafeInteger(number) && number > 0 && number <= 1_000_000) return number;
  throw refuseFile(path, `XGBoost's ${name} must be a whole number, got ${JSON.stringify(parameters[name])}`);
}

/** The initial margin; from version 3 on one number per class in brackets. */
function baseOf(path: string, text: string | undefined, count: number): number[] {
  const found = (text ?? "0.5")
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map(Number);
  const base = found.length === count ? found : new Array<number>(count).fill(found[0]);
  if (!base.every(Number.isFinite))
    throw refuseFile(path, `XGBoost's base_score must be a number, got ${JSON.stringify(text)}`);
  return base;
}

/** Whether a link can give a number, so that the sums can start there. */
function isStart(number: number, link: NumberLink): boolean {
  return Number.isFinite(sumOf(link, number));
}

function namesOf(
  path: string,
  own: readonly string[] | undefined,
  given: readonly string[] | undefined,
  count: number,
  words: ReadingContext["words"],
): readonly string[] {
  if (own?.length === count) return own;
  if (given?.length === count) return given;
  throw refuseFile(
    path,
    `XGBoost's model was trained on ${count} features without names${given ? `, ${words.columns} names ${given.length}` : ""}`,
    `name them in their order with ${words.columns} a,b,…`,
  );
}

/** Per feature the number of categories that its nodes mention, 0 for numbers. */
function categoriesOf(
  types: readonly string[] | undefined,
  trees: readonly XgboostTree[],
  width: number,
): number[] {
  const sizes = Array.from({ length: width }, (_, f): number => (types?.[f] === "c" ? 1 : 0));
  for (const { split_indices: feature, split_type: kind, categories_nodes: nodes = [], ...tree } of trees) {
    nodes.forEach((node, j) => {
      // A feature that does not exist is an error that names the tree.
      if (kind?.[node] !== 1 || !(feature[node] >= 0 && feature[node] < width)) return;
      for (const category of setOf(tree, j))
        sizes[feature[node]] = Math.max(sizes[feature[node]] ?? 0, category + 1);
    });
  }
  return sizes;
}

function setOf(
  {
    categories = [],
    categories_segments: starts = [],
    categories_sizes: sizes = [],
  }: Omit<XgboostTree, "split_indices" | "split_type" | "categories_nodes">,
  j: number,
): readonly number[] {
  return categories.slice(starts[j], starts[j] + sizes[j]);
}

function treeOf(path: string, tree: XgboostTree, t: number, output: number, weight: number): TreeJson {
  const {
    left_children: left,
    right_children: right,
    split_indices: feature,
    split_conditions: conditions,
  } = tree;
  const lists = [left, right, feature, conditions, tree.default_left];
  if (!lists.every((list) => Array.isArray(list) && list.length === left?.length) || left.length === 0)
    throw refuseFile(path, `tree ${t} of XGBoost's model is damaged: its lists differ in length`);
  if (Number(tree.tree_param?.size_leaf_vector ?? 0) > 1)
    throw refuseFile(
      path,
      `tree ${t} of XGBoost's model has a number per class in its leaves, which is not read`,
      'train with multi_strategy="one_output_per_tree"',
    );
  const isLeaf = left.map((child) => child < 0);
  const sets = new Array<readonly number[] | null>(left.length).fill(null);
  tree.categories_nodes?.forEach((node, j) => {
    if (tree.split_type?.[node] !== 1) return;
    sets[node] = setOf(tree, j);
  });
  return {
    output,
    feature: feature.map((f, n) => (isLeaf[n] ? -1 : f)),
    threshold: conditions.map((t, n) =>
      isLeaf[n] || sets[n] || t === null ? null : singleBelow(Math.fround(t)),
    ),
    left,
    right,
    value: conditions.map((value, n) => (isLeaf[n] ? (value === null ? null : value * weight) : null)),
    ...(sets.some((set) => set) && { sets }),
    gapsLeft: tree.default_left,
  };
}
