import { ConformantError, show, showNames } from "../errors.ts";
import type { NumberLink } from "../predictors/number-link.ts";
import type { BinnedColumn, Column, Schema } from "../schema/column.ts";
import { below, finiteThreshold, singleThreshold } from "./threshold.ts";
import { rejectTree, type TreeClassifier, type TreeLink, type TreeNodes } from "./tree-ensemble.ts";

/** Nodes that two others lead to stand in a tree twice: how much larger that may make all of them together. */
const [MOST_COPIES, MOST_MORE] = [4, 1_000_000];

/** A node that is to be added below another. */
interface Waiting {
  readonly node: number;
  readonly parent: number;
  readonly side: "left" | "right";
  readonly depth: number;
}

/** Lays out the nodes of the trees, parents before their children, and their leaves. */
export class TreeBuilder {
  readonly #json: TreesJson | RegressionTreesJson;
  readonly #places: readonly (FeaturePlace | undefined)[];
  readonly #used: readonly Column[];
  readonly #schema: Schema;
  readonly #width: number;
  readonly #mostNodes: number;
  readonly #nodes = new NodeLists();
  readonly #values: number[] = [];
  readonly #outputs: number[] = [];
  readonly #sets: Uint8Array[] = [];
  readonly #setAt = new Map<string, number>();

  constructor(
    json: TreesJson | RegressionTreesJson,
    places: readonly (FeaturePlace | undefined)[],
    used: readonly Column[],
    schema: Schema,
  ) {
    this.#json = json;
    this.#places = places;
    this.#used = used;
    this.#schema = schema;
    const vectors = json.trees.some(({ value, feature }) =>
      value.some((own, n) => feature[n] < 0 && Array.isArray(own)),
    );
    const nodes = json.trees.reduce((sum, { feature }) => sum + feature.length, 0);
    this.#mostNodes = MOST_COPIES * nodes + MOST_MORE;
    this.#width = vectors ? sumsOf(json) : 1;
  }

  /** Adds a tree and returns its root. */
  add(tree: TreeJson, t: number): number {
    const root = this.#nodes.length;
    const waiting: Waiting[] = [];
    this.#addNode(tree, t, 0, 0, waiting);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      // Two nodes may lead to the same one, which then stands there twice; a way longer than all nodes goes in circles.
      if (next.depth >= tree.feature.length) rejectTree(t, "must have no cycle", next.node);
      this.#nodes.setChild(next.parent, next.side, this.#nodes.length);
      this.#addNode(tree, t, next.node, next.depth, waiting);
    }
    return root;
  }

  #addNode(tree: TreeJson, t: number, node: number, depth: number, waiting: Waiting[]): void {
    if (!(Number.isInteger(node) && node >= 0 && node < tree.feature.length))
      rejectTree(t, `must have children among its ${tree.feature.length} nodes`, node);
    if (this.#nodes.length >= this.#mostNodes)
      rejectTree(t, `is one of trees that unfold to more than ${this.#mostNodes} nodes`, this.#nodes.length);
    const feature = tree.feature[node];
    if (feature < 0) {
      this.#nodes.addLeaf(this.#outputs.length);
      this.#addValues(tree, t, node);
      return;
    }
    const place = this.#places[feature];
    if (!place) rejectTree(t, `must ask about one of the ${this.#places.length} features`, feature);
    const column = this.#used.indexOf(place.column);
    const gapsLeft = Boolean(tree.gapsLeft?.[node]);
    const parent = this.#nodes.addSplit({
      column,
      gapsLeft,
      ...this.#splitOf(tree, t, node, place, column),
    });
    waiting.push({ node: tree.right[node], parent, side: "right", depth: depth + 1 });
    waiting.push({ node: tree.left[node], parent, side: "left", depth: depth + 1 });
  }

  #addValues(tree: TreeJson, t: number, node: number): void {
    const value = tree.value[node];
    const own = typeof value === "number" ? [value] : (value ?? []);
    if (own.length !== this.#width || !own.every(Number.isFinite))
      rejectTree(
        t,
        `must have ${this.#width} finite number${this.#width > 1 ? "s" : ""} in each leaf`,
        value,
      );
    for (const number of own) this.#values.push(number);
    this.#outputs.push(this.#width > 1 ? 0 : (tree.output ?? 0));
  }

  /** A threshold on numbers, or a set of the column's own codes. */
  #splitOf(
    tree: TreeJson,
    t: number,
    node: number,
    { bit, categories }: FeaturePlace,
    column: number,
  ): { threshold: number; set: number } {
    const codes = tree.sets?.[node];
    const target = this.#schema.columns[column];
    if (codes) {
      if (!categories) rejectTree(t, "splits a feature by sets of codes, but their names are not told", node);
      const names = new Set(codes.map((code) => categories[code]));
      const goesLeft = (value: string): boolean => names.has(value) === (this.#json.setsGo !== "right");
      if (target.kind === "categorical")
        return { threshold: 0, set: this.#setOf(target.values.map(goesLeft)) };
      // The column holds the codes themselves, 0 and 1.
      return { threshold: 0, set: this.#setOf([goesLeft("0"), goesLeft("1")]) };
    }
    const threshold = tree.threshold[node];
    if (typeof threshold !== "number" || Number.isNaN(threshold))
      rejectTree(t, "must have a number as threshold", threshold);
    const exact = finiteThreshold(this.#json.single ? singleThreshold(threshold) : threshold);
    if (target.kind === "binned") return { threshold: lastBinBelow(target, exact, threshold, t), set: -1 };
    if (bit === undefined) return { threshold: exact, set: -1 };
    if (target.kind !== "categorical") rejectTree(t, "splits a bit of a column without categories", bit);
    // The bit is 1 for its own value and 0 for all others.
    return { threshold: 0, set: this.#setOf(target.values.map((value) => (value === bit ? 1 : 0) <= exact)) };
  }

  #setOf(goesLeft: readonly boolean[]): number {
    const key = goesLeft.map((left) => (left ? "1" : "0")).join("");
    const known = this.#setAt.get(key);
    if (known !== undefined) return known;
    this.#sets.push(Uint8Array.from(goesLeft, (left) => (left ? 1 : 0)));
    this.#setAt.set(key, this.#sets.length - 1);
    return this.#sets.length - 1;
  }

  finish(): Pick<TreeClassifier, "nodes" | "sets" | "width" | "values" | "outputs"> {
    const [sets, width] = [this.#sets, this.#width];
    return {
      nodes: this.#nodes.finish(),
      sets,
      width,
      values: Float64Array.from(this.#values),
      outputs: Int32Array.from(this.#outputs),
    };
  }
}

/**
 * The last bin whose numbers all are at most a threshold, −1 for none: the codes of a binned column are compared with that.
 *
 * @param given the threshold as it was written
 */
function lastBinBelow({ name, edges }: BinnedColumn, threshold: number, given: number, t: number): number {
  if (threshold === Number.MAX_VALUE) return edges.length;
  if (threshold === -Number.MAX_VALUE) return -1;
  const bin = edges.findIndex((edge) => below(edge) === threshold);
  if (bin >= 0) return bin;
  const lead = `cuts through a bin of column ${show(name)}: its thresholds must be the largest numbers below the edges of bins`;
  return rejectTree(t, lead, given);
}

/** A node of a tree, its children to be set once they are there. */
interface SplitNode {
  readonly column: number;
  readonly threshold: number;
  readonly set: number;
  readonly gapsLeft: boolean;
}

/** The nodes of trees while they are laid out one after the other. */
export class NodeLists {
  readonly #column: number[] = [];
  readonly #threshold: number[] = [];
  readonly #set: number[] = [];
  readonly #left: number[] = [];
  readonly #right: number[] = [];
  readonly #gapsLeft: number[] = [];

  /** How many there are: the position of the next one. */
  get length(): number {
    return this.#column.length;
  }

  /** Adds a node that asks about a column, and gives its position. */
  addSplit({ column, threshold, set, gapsLeft }: SplitNode): number {
    this.#column.push(column);
    this.#threshold.push(threshold);
    this.#set.push(set);
    this.#gapsLeft.push(gapsLeft ? 1 : 0);
    this.#left.push(-1);
    return this.#right.push(-1) - 1;
  }

  /** Adds a leaf, of which its position among the leaves is told. */
  addLeaf(leaf: number): number {
    const at = this.addSplit({ column: -1, threshold: 0, set: -1, gapsLeft: false });
    this.#left[at] = leaf;
    this.#right[at] = 0;
    return at;
  }

  /** Says which node is a child of another. */
  setChild(parent: number, side: "left" | "right", child: number): void {
    (side === "left" ? this.#left : this.#right)[parent] = child;
  }

  finish(): TreeNodes {
    return {
      column: Int32Array.from(this.#column),
      threshold: Float64Array.from(this.#threshold),
      set: Int32Array.from(this.#set),
      left: Int32Array.from(this.#left),
      right: Int32Array.from(this.#right),
      gapsLeft: Uint8Array.from(this.#gapsLeft),
    };
  }
}

/** Where a feature stands in the data. */
export interface FeaturePlace {
  readonly column: Column;
  /** The value that a one-hot bit stands for. */
  readonly bit?: string;
  /** The categories in the order of the codes that sets are made of. */
  readonly categories?: readonly string[];
}

/**
 * Finds a feature among the columns: a column itself, or `column=value` for a bit of a categorical one.
 *
 * @param categories the names of the codes, where the feature is split by sets of them
 * @param asked whether any tree looks at it: one that none looks at is not missed
 */
export function placeOf(
  name: string,
  columns: readonly Column[],
  { categories, asked }: { readonly categories: readonly string[] | null; readonly asked: boolean },
): FeaturePlace | undefined {
  const whole = columns.find((column) => column.name === name);
  if (whole && (whole.kind !== "categorical" || categories))
    return { column: whole, ...(categories && { categories }) };
  for (let at = name.indexOf("="); at > 0; at = name.indexOf("=", at + 1)) {
    const column = columns.find((other) => other.name === name.slice(0, at));
    if (column?.kind === "categorical") return { column, bit: name.slice(at + 1) };
  }
  if (!asked) return undefined;
  const message = whole
    ? `the trees compare ${show(name)} with numbers, but the column is categorical`
    : `the trees ask about ${show(name)}, but the data has only ${showNames(columns.map((column) => column.name))}`;
  throw new ConformantError("unknown-column", message, { argument: "trees.features", column: name });
}

/** A categorical column also has the values that only the trees know. */
export function withOwnValues(column: Column, places: readonly (FeaturePlace | undefined)[]): Column {
  if (column.kind !== "categorical") return column;
  const named = places.flatMap((place) =>
    place?.column === column
      ? [...(place.bit === undefined ? [] : [place.bit]), ...(place.categories ?? [])]
      : [],
  );
  return { ...column, values: [...new Set([...column.values, ...named])] };
}

/**
 * Trees as other software writes them, in the shape every reader of such files hands over. Features are columns of the data,
 * or `column=value` for a one-hot bit of a categorical one.
 */
export interface TreesJson extends TreesDocument {
  readonly classes: readonly string[];
  readonly link: TreeLink;
}

/** {@link TreesJson} whose answer is a number. */
export interface RegressionTreesJson extends TreesDocument {
  /** The name of the number. */
  readonly output: string;
  readonly link: NumberLink;
}

/** How many sums trees add up. */
export function sumsOf(json: TreesJson | RegressionTreesJson): number {
  return "classes" in json && json.link !== "logistic" ? json.classes.length : 1;
}

/** What both have. */
interface TreesDocument {
  readonly kind: "trees";
  readonly label?: string;
  readonly features: readonly string[];
  /** Per feature the categories in the order of their codes, where it is split by sets of codes; null for numbers. */
  readonly categories?: readonly (readonly string[] | null)[];
  /** Where the sums start: one per class, or one for "logistic" and where the answer is a number. Default 0. */
  readonly base?: readonly number[];
  /** Whether numbers are rounded to single precision before they are compared. Default false. */
  readonly single?: boolean;
  /** Where the codes of a node's set go; all others go to the other side. Default "left". */
  readonly setsGo?: "left" | "right";
  readonly trees: readonly TreeJson[];
}

/** One tree, node by node; node 0 is the root. */
export interface TreeJson {
  /** The sum that the leaves add to, where they hold one number. Default 0. */
  readonly output?: number;
  /** Position of the feature, −1 for a leaf. */
  readonly feature: readonly number[];
  /** A number goes left where it is at most this; ignored for leaves and sets. */
  readonly threshold: readonly (number | null)[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** What leaves add: one number, or one per sum; ignored elsewhere. */
  readonly value: readonly (number | readonly number[] | null)[];
  /** Sets of codes by node, null where the threshold decides; where they go `setsGo` says. */
  readonly sets?: readonly (readonly number[] | null)[];
  /** Whether a gap goes left, by node. Default to the right. */
  readonly gapsLeft?: readonly (boolean | number)[];
}
