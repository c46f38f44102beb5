import type { Column, Schema } from "../schema/column.ts";
import type { FeaturePlace } from "./feature-place.ts";
import { NodeLists } from "./node-lists.ts";
import { rejectTree } from "./reject-trees.ts";
import { singleThreshold } from "./threshold.ts";
import type { TreeClassifier } from "./tree-classifier.ts";
import type { TreeJson, TreesJson } from "./trees-json.ts";

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
  readonly #json: TreesJson;
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
    json: TreesJson,
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
    this.#width = vectors && json.link !== "logistic" ? json.classes.length : 1;
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
    const exact = this.#json.single ? singleThreshold(threshold) : threshold;
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
