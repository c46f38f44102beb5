import { ConformantError, requireList, requireMade, show } from "../errors.ts";
import { logistic, softmaxInPlace } from "../math/softmax.ts";
import { NUMBER_LINKS, type NumberLink, numberOf } from "../predictors/number-link.ts";
import type { Predictor } from "../predictors/predictor.ts";
import { checkSchema, type Schema } from "../schema/column.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";

/**
 * How the sums of the trees become probabilities: "probability", the leaves hold them (forests); "logistic", one sum, the
 * log-odds of the second of two classes; "softmax", one sum per class.
 */
export type TreeLink = "probability" | "logistic" | "softmax";

/**
 * The nodes of all trees, one after the other. A node asks about one column: a number goes left where x ≤ threshold, a
 * category where its code is in the set. Children stand behind their parents, so that no walk can be endless.
 */
export interface TreeNodes {
  /** Position of the column that a node asks about; −1 for a leaf. */
  readonly column: Int32Array;
  readonly threshold: Float64Array;
  /** Which of `sets` decides, −1 where the threshold does. */
  readonly set: Int32Array;
  /** The left child; of a leaf its position among the leaves. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Where the software that made the tree sends a gap: 1 left, 0 right. */
  readonly gapsLeft: Uint8Array;
}

/** Sums of decision trees, and how answers are made of them: forests and boosted trees. */
export interface TreeEnsemble {
  readonly schema: Schema;
  /** The name of the column that was learned, where it is known. */
  readonly label?: string;
  readonly link: TreeLink | NumberLink;
  /** Where the sums start, S numbers: one per class, or one for "logistic" and where the answer is a number. */
  readonly base: Float64Array;
  /** The first node of each tree. */
  readonly roots: Int32Array;
  readonly nodes: TreeNodes;
  /** Per set and code of its column: 1 where the code goes left. */
  readonly sets: readonly Uint8Array[];
  /** Numbers a leaf adds: 1, or S for leaves that hold a number per sum. */
  readonly width: number;
  /** Leaves × width. */
  readonly values: Float64Array;
  /** The sum to which a leaf's first number is added. */
  readonly outputs: Int32Array;
}

/** Trees that answer with class probabilities. */
export interface TreeClassifier extends TreeEnsemble {
  readonly kind: "trees";
  readonly classes: readonly string[];
  readonly link: TreeLink;
}

/** Trees that answer with a number: one sum, and its link. */
export interface TreeRegressor extends TreeEnsemble {
  readonly kind: "regression-trees";
  /** The name of the number. */
  readonly output: string;
  readonly link: NumberLink;
}

/** Builds a classifier from its parts after checking all of them. */
export function createTreeClassifier(parts: TreeClassifier): TreeClassifier {
  requireMade("trees", parts, "parts");
  const { classes, link } = parts;
  const names = Array.isArray(classes) && classes.every((name) => typeof name === "string" && name !== "");
  if (!names || classes.length < 2 || new Set(classes).size !== classes.length)
    rejectTrees("classes", "a list of two or more distinct non-empty strings", classes);
  if (link === "logistic" && classes.length !== 2)
    rejectTrees("link", "another one for more than two classes", link);
  checkEnsemble(parts, link === "logistic" ? 1 : classes.length);
  return parts;
}

/** Builds a regressor from its parts after checking all of them. */
export function createTreeRegressor(parts: TreeRegressor): TreeRegressor {
  requireMade("trees", parts, "parts");
  const { output, link } = parts;
  if (typeof output !== "string" || output === "") rejectTrees("output", "a non-empty string", output);
  if (!NUMBER_LINKS.includes(link)) rejectTrees("link", `one of ${NUMBER_LINKS.join(", ")}`, link);
  checkEnsemble(parts, 1);
  return parts;
}

/** @param sums how many there must be */
function checkEnsemble(parts: TreeEnsemble, sums: number): void {
  const { schema, base, roots, nodes, sets, width, values, outputs } = parts;
  checkSchema(schema);
  if (base.length !== sums) rejectTrees("base", `${sums} numbers`, base);
  if (width !== 1 && width !== sums) rejectTrees("width", `1 or ${sums}`, width);
  checkFinite("base", base);
  checkFinite("values", values);
  const leaves = outputs.length;
  if (values.length !== leaves * width) rejectTrees("values", `${leaves} × ${width} numbers`, values);
  for (const output of outputs)
    if (!(output >= 0 && output + width <= sums)) rejectTrees("outputs", `from 0 to ${sums - width}`, output);
  const count = nodes.column.length;
  for (let n = 0; n < count; n++) {
    const [column, left, right] = [nodes.column[n], nodes.left[n], nodes.right[n]];
    if (column < 0) {
      if (!(left >= 0 && left < leaves)) rejectTrees(`nodes[${n}]`, "a leaf", left);
      continue;
    }
    if (column >= schema.columns.length) rejectTrees(`nodes[${n}].column`, "a column of the schema", column);
    if (!(left > n && right > n && left < count && right < count))
      rejectTrees(`nodes[${n}]`, "before its children: a tree has no cycles", left > n ? right : left);
    if (nodes.set[n] >= sets.length) rejectTrees(`nodes[${n}].set`, "one of the sets", nodes.set[n]);
    if (nodes.set[n] < 0 && Number.isNaN(nodes.threshold[n]))
      rejectTrees(`nodes[${n}].threshold`, "a number", nodes.threshold[n]);
  }
  for (const root of roots) if (!(root >= 0 && root < count)) rejectTrees("roots", "nodes", root);
}

function checkFinite(argument: string, numbers: Float64Array): void {
  const bad = numbers.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) rejectTrees(`${argument}[${bad}]`, "a finite number", numbers[bad]);
}

/** The number of sums that the trees add up: S. */
export function sumCount({ base }: TreeEnsemble): number {
  return base.length;
}

/** The number of answers that are made of the sums: K. */
export function answerCount({ link, base }: TreeEnsemble): number {
  return link === "logistic" ? 2 : base.length;
}

/**
 * The leaf that a row ends in.
 *
 * @param x per column the number or the code, NaN for a gap, which goes where the tree's own software sends it
 */
export function leafOf({ nodes, sets }: TreeEnsemble, root: number, x: Float64Array): number {
  const { column, threshold, set, left, right, gapsLeft } = nodes;
  let n = root;
  while (column[n] >= 0) {
    const value = x[column[n]];
    const goesLeft = Number.isNaN(value)
      ? gapsLeft[n] === 1
      : set[n] >= 0
        ? sets[set[n]][value] === 1
        : value <= threshold[n];
    n = goesLeft ? left[n] : right[n];
  }
  return left[n];
}

/** Adds a leaf's numbers to the sums. */
export function addLeaf({ width, values, outputs }: TreeEnsemble, leaf: number, sums: Float64Array): void {
  const from = leaf * width;
  const to = outputs[leaf];
  for (let j = 0; j < width; j++) sums[to + j] += values[from + j];
}

/** Turns S sums, from `at` on, into K answers: probabilities, or a number. */
export function linkSums({ link, base }: TreeEnsemble, sums: Float64Array, out: Float64Array, at = 0): void {
  if (link === "logistic") {
    out[0] = logistic(-sums[at]);
    out[1] = logistic(sums[at]);
    return;
  }
  if (link !== "probability" && link !== "softmax") {
    out[0] = numberOf(link, sums[at]);
    return;
  }
  for (let k = 0; k < base.length; k++) out[k] = sums[at + k];
  if (link === "softmax") softmaxInPlace(out);
}

/** What the trees answer to a row, K numbers; gaps go where the trees' own software sends them. */
export function answerOfTrees(classifier: TreeEnsemble, x: Float64Array): Float64Array {
  requireMade("trees", classifier, "classifier");
  requireList("x", x);
  const sums = classifier.base.slice();
  for (const root of classifier.roots) addLeaf(classifier, leafOf(classifier, root, x), sums);
  const out = new Float64Array(answerCount(classifier));
  linkSums(classifier, sums, out);
  return out;
}

/** What the trees themselves answer to many rows, rows × K; gaps go where the trees' own software sends them. */
export function answerRows(trees: TreeEnsemble, data: Data): Float64Array {
  requireMade("trees", trees);
  const { schema, rows, columns } = encode(trees.schema, data);
  const gapBelowZero = schema.columns.map(({ kind }) => kind !== "numeric");
  const K = answerCount(trees);
  const out = new Float64Array(rows * K);
  const x = new Float64Array(columns.length);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < x.length; i++) {
      const cell = columns[i][r];
      x[i] = gapBelowZero[i] && cell < 0 ? Number.NaN : cell;
    }
    out.set(answerOfTrees(trees, x), r * K);
  }
  return out;
}

/** The trees of a model, undefined where its predictor is of another kind: for programs that write models in other forms. */
export function treesOf<M extends { readonly predictor: Predictor }>(
  model: M,
): Extract<M["predictor"], TreeEnsemble> | undefined {
  requireMade("model", model);
  const { predictor } = model;
  const isTrees = predictor.kind === "trees" || predictor.kind === "regression-trees";
  return isTrees ? (predictor as Extract<M["predictor"], TreeEnsemble>) : undefined;
}

/** Throws: a part of some trees is not what it must be. */
export function rejectTrees(argument: string, need: string, value: unknown): never {
  const message = `trees: ${argument} must be ${need}, got ${show(value)}`;
  throw new ConformantError("invalid-weights", message, { argument, value });
}

/** Throws: tree number t is not what it must be. */
export function rejectTree(t: number, what: string, value: unknown): never {
  const argument = `trees[${t}]`;
  throw new ConformantError("invalid-weights", `${argument} ${what}, got ${show(value)}`, {
    argument,
    value,
  });
}
