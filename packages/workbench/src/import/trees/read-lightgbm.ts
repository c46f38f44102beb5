import type { NumberLink, RegressionTreesJson, TreeJson, TreesJson } from "conformant";
import { refuseFile, UNNAMED_OUTPUT } from "../imported-classifier.ts";
import { nameCodes } from "./name-codes.ts";

/** Whether a text is a model that LightGBM saved. */
export function isLightgbm(text: string): boolean {
  return /^\s*tree\r?\n/.test(text.slice(0, 100));
}

/** Objectives whose answer is a number, and how their sums become it. */
const NUMBERS: Readonly<Record<string, NumberLink>> = {
  regression: "identity",
  regression_l1: "identity",
  huber: "identity",
  fair: "identity",
  mape: "identity",
  poisson: "log",
  gamma: "log",
  tweedie: "log",
};

/** LightGBM treats numbers closer to 0 than this as zeros. */
const ZERO = 1e-35;

/**
 * Trees that LightGBM saved as text: binary and multiclass objectives and numbers, boosting gbdt, dart, goss and rf. A number goes left where x ≤ t, a
 * category where its bit is set.
 */
export function readLightgbm(text: string, path: string): TreesJson | RegressionTreesJson {
  const sections = sectionsOf(text);
  const head = sections.head;
  if (!sections.over)
    throw refuseFile(path, "LightGBM's model is cut off: nothing says that its trees have ended");
  const objective = (head.get("objective") ?? "").split(" ");
  const [name = "", ...parameters] = objective;
  const several = name === "multiclass";
  const numberLink = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined;
  if (parameters.includes("sqrt"))
    throw refuseFile(path, "LightGBM's reg_sqrt squares the sums of its trees, which is not read");
  if (!several && !numberLink && name !== "binary" && name !== "cross_entropy")
    throw refuseFile(
      path,
      `LightGBM's objective ${JSON.stringify(name)} gives neither class probabilities nor a number that is known here`,
      `binary, multiclass, cross_entropy, ${Object.keys(NUMBERS).join(", ")} are read`,
    );
  const perStep = wholeOf(path, head, "num_tree_per_iteration");
  const classes = several ? wholeOf(path, head, "num_class") : 2;
  if (several ? perStep !== classes : perStep !== 1)
    throw refuseFile(
      path,
      `LightGBM's model has ${perStep} trees per iteration, expected ${several ? classes : 1}`,
    );
  const features = (head.get("feature_names") ?? "").split(" ").filter((feature) => feature !== "");
  if (features.length !== wholeOf(path, head, "max_feature_idx", 0) + 1)
    throw refuseFile(path, `LightGBM's model names ${features.length} features and uses another number`);
  if (sections.trees.length === 0) throw refuseFile(path, "LightGBM's model has no trees");
  if (sections.trees.length % perStep !== 0)
    throw refuseFile(path, `LightGBM's model has ${sections.trees.length} trees for ${perStep} classes`);
  const categories = categoriesOf(path, head.get("feature_infos"), sections.categories);
  const steps = sections.trees.length / perStep;
  const scale = sigmoidOf(path, parameters) / (head.has("average_output") ? steps : 1);
  const answer = numberLink
    ? { output: UNNAMED_OUTPUT, link: numberLink }
    : {
        classes: Array.from({ length: classes }, (_, k) => `${k}`),
        link: several ? ("softmax" as const) : ("logistic" as const),
      };
  return {
    kind: "trees",
    ...answer,
    features,
    ...(categories.some((own) => own) && { categories }),
    trees: sections.trees.map((tree, t) =>
      treeOf(path, tree, t, several ? t % classes : 0, scale, categories),
    ),
  };
}

type Section = ReadonlyMap<string, string>;

interface Sections {
  readonly head: Section;
  readonly trees: readonly Section[];
  readonly categories: unknown;
  /** Whether the section after the trees was reached; old versions have no line that ends them. */
  readonly over: boolean;
}

/** The lines `name=value` before the first tree, those of each tree, and the categories of pandas at the end. */
function sectionsOf(text: string): Sections {
  const head = new Map<string, string>();
  const trees: Map<string, string>[] = [];
  let [section, categories]: [Map<string, string>, unknown] = [head, undefined];
  let over = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("pandas_categorical:")) categories = jsonOf(line.slice("pandas_categorical:".length));
    if (line === "end of trees" || /^feature[ _]importances:/.test(line)) over = true;
    if (over) continue;
    const at = line.indexOf("=");
    const [key, value] = at < 0 ? [line.trim(), ""] : [line.slice(0, at), line.slice(at + 1).trim()];
    if (key === "Tree") {
      section = new Map();
      trees.push(section);
    }
    if (key !== "") section.set(key, value);
  }
  return { head, trees, categories, over };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wholeOf(path: string, section: Section, key: string, least = 1): number {
  const number = Number(section.get(key));
  if (Number.isSafeInteger(number) && number >= least && number <= 1_000_000) return number;
  throw refuseFile(path, `LightGBM's ${key} must be a whole number, got ${JSON.stringify(section.get(key))}`);
}

/** The factor in front of the log-odds, `sigmoid:0.7`. */
function sigmoidOf(path: string, parameters: readonly string[]): number {
  const text =
    parameters.find((parameter) => parameter.startsWith("sigmoid:"))?.slice("sigmoid:".length) ?? "1";
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw refuseFile(path, `LightGBM's sigmoid must be a positive number, got ${JSON.stringify(text)}`);
}

/** Per feature the names of its codes, null for numbers: pandas categories in the order of the columns, otherwise the codes. */
function categoriesOf(
  path: string,
  infos: string | undefined,
  pandas: unknown,
): (readonly string[] | null)[] {
  const named = Array.isArray(pandas) ? (pandas as unknown[]) : [];
  const counts = (infos ?? "")
    .split(" ")
    .map((info) =>
      /^-?\d+(:-?\d+)*$/.test(info)
        ? info.split(":").reduce((most, code) => Math.max(most, Number(code)), 0) + 1
        : 0,
    );
  const names = named.length === counts.filter((count) => count > 0).length ? named : [];
  let next = 0;
  return nameCodes(path, counts).map((codes) => {
    const own = codes && names[next++];
    return Array.isArray(own) ? own.map(String) : codes;
  });
}

function treeOf(
  path: string,
  section: Section,
  t: number,
  output: number,
  scale: number,
  categories: readonly (readonly string[] | null)[],
): TreeJson {
  const numbers = (key: string): number[] => (section.get(key) ?? "").split(" ").filter(Boolean).map(Number);
  if (section.get("is_linear") === "1")
    throw refuseFile(path, `tree ${t} has linear models in its leaves (linear_tree), which cannot be read`);
  const values = numbers("leaf_value").map((value) => value * scale);
  const [feature, threshold, decision, leftChild, rightChild] = [
    "split_feature",
    "threshold",
    "decision_type",
    "left_child",
    "right_child",
  ].map(numbers);
  const inner = values.length - 1;
  const lists = [feature, threshold, decision, leftChild, rightChild];
  if (values.length === 0 || lists.some((list) => list.length !== inner))
    throw refuseFile(path, `tree ${t} of LightGBM's model is damaged: its lists differ in length`);
  // Leaf ~j of LightGBM is node inner + j.
  const nodeOf = (child: number): number => (child < 0 ? inner + ~child : child);
  const boundaries = numbers("cat_boundaries");
  const words = numbers("cat_threshold");
  const sets = decision.map((type, n) => {
    if ((type & 1) === 0) return null;
    const set = words.slice(boundaries[threshold[n]], boundaries[threshold[n] + 1]);
    const count = categories[feature[n]]?.length ?? 0;
    return Array.from({ length: count }, (_, code) => code).filter(
      (code) => ((set[code >>> 5] ?? 0) >>> (code & 31)) & 1,
    );
  });
  const leaves = values.length;
  const tree = {
    output,
    feature: [...feature, ...new Array<number>(leaves).fill(-1)],
    threshold: [
      ...threshold.map((value, n) => (sets[n] ? null : value)),
      ...new Array<null>(leaves).fill(null),
    ],
    left: [...leftChild.map(nodeOf), ...new Array<number>(leaves).fill(-1)],
    right: [...rightChild.map(nodeOf), ...new Array<number>(leaves).fill(-1)],
    value: [...new Array<null>(inner).fill(null), ...values],
    sets: [...sets, ...new Array<null>(leaves).fill(null)],
    gapsLeft: [
      ...decision.map((type, n) => gapGoesLeft(type, threshold[n])),
      ...new Array<boolean>(leaves).fill(false),
    ],
  };
  decision.forEach((type, n) => {
    if ((type & 1) === 0 && missingOf(type) === ZEROS) sendZeros(tree, n, (type & 2) !== 0);
  });
  return tree;
}

/** What a node treats as missing: nothing, zeros, or NaN; bits 2 and 3 of its type. */
const [NOTHING, ZEROS] = [0, 1];

function missingOf(type: number): number {
  return (type >> 2) & 3;
}

/** Where a missing value goes: a category to the right; where nothing is treated as missing it counts as 0; otherwise as bit 1 says. */
function gapGoesLeft(type: number, threshold: number): boolean {
  if (type & 1) return false;
  return missingOf(type) === NOTHING ? 0 <= threshold : (type & 2) !== 0;
}

/** The lists of a tree while it is being built. */
interface OpenTree {
  readonly feature: number[];
  readonly threshold: (number | null)[];
  readonly left: number[];
  readonly right: number[];
  readonly value: (number | null)[];
  readonly sets: (readonly number[] | null)[];
  readonly gapsLeft: boolean[];
}

/**
 * Lets zeros go where missing values go (`zero_as_missing`), also against the threshold: the node asks first whether x ≤ −ZERO, and
 * two new ones whether x ≤ ZERO and x ≤ t.
 */
function sendZeros(tree: OpenTree, n: number, left: boolean): void {
  const t = tree.threshold[n] ?? 0;
  if (0 <= t === left) return; // they do already
  const [L, R] = [tree.left[n], tree.right[n]];
  const zeros = add(tree, tree.feature[n], ZERO, left ? [L, R] : [R, -1], true);
  const others = add(tree, tree.feature[n], t, [L, R], false);
  if (!left) tree.right[zeros] = others;
  tree.threshold[n] = -ZERO;
  tree.left[n] = left ? others : L;
  tree.right[n] = zeros;
  tree.gapsLeft[n] = false; // to the node of the zeros, and there with them
}

function add(
  tree: OpenTree,
  feature: number,
  threshold: number,
  [left, right]: readonly [number, number],
  gapsLeft: boolean,
): number {
  tree.feature.push(feature);
  tree.threshold.push(threshold);
  tree.left.push(left);
  tree.right.push(right);
  tree.value.push(null);
  tree.sets.push(null);
  tree.gapsLeft.push(gapsLeft);
  return tree.feature.length - 1;
}
