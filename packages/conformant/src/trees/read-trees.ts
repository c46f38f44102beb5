import { ConformantError, show } from "../errors.ts";
import { type Column, checkSchema, type Schema } from "../schema/column.ts";
import { checkTreesJson } from "./check-trees-json.ts";
import { singleThreshold } from "./threshold.ts";
import { createTreeClassifier, type TreeClassifier, type TreeNodes } from "./tree-classifier.ts";
import type { TreeJson, TreesJson } from "./trees-json.ts";

/** Nodes that two others lead to stand in a tree twice: how much larger that may make all of them together. */
const [MOST_COPIES, MOST_MORE] = [4, 1_000_000];

/**
 * Brings in trees that were made elsewhere. The schema says which columns are categorical and which values they have: a split
 * on the bit `column=value`, or on a set of codes whose names are told, becomes a set of the column's own values.
 *
 * @throws `unknown-column` where the trees ask about a feature that is not in the schema, `invalid-weights` where they are no trees
 */
export function readTrees(json: TreesJson, known: Schema): TreeClassifier {
  const { columns } = checkSchema(known);
  checkTreesJson(json);
  const asked = new Set(json.trees.flatMap(({ feature }) => feature.filter((f) => f >= 0)));
  const places = json.features.map((name, f) => placeOf(json, f, name, columns, asked.has(f)));
  const used = columns.filter((column) => places.some((place) => place?.column === column));
  const schema: Schema = { columns: used.map((column) => withOwnValues(column, places)) };
  const builder = new NodeBuilder(json, places, used, schema);
  const roots = json.trees.map((tree, t) => builder.add(tree, t));
  const sums = json.link === "logistic" ? 1 : json.classes.length;
  const trees = createTreeClassifier({
    kind: "trees",
    schema,
    classes: json.classes,
    ...(json.label !== undefined && { label: json.label }),
    link: json.link,
    base: Float64Array.from(json.base ?? new Float64Array(sums)),
    roots: Int32Array.from(roots),
    ...builder.finish(),
  });
  if (trees.link === "probability") checkShares(trees);
  return trees;
}

/** Where a feature stands in the data. */
interface Place {
  readonly column: Column;
  /** The value that a one-hot bit stands for. */
  readonly bit?: string;
  /** The categories in the order of the codes that sets are made of. */
  readonly categories?: readonly string[];
}

function placeOf(
  json: TreesJson,
  f: number,
  name: string,
  columns: readonly Column[],
  asked: boolean,
): Place | undefined {
  const whole = columns.find((column) => column.name === name);
  const categories = json.categories?.[f] ?? undefined;
  if (whole && (whole.kind !== "categorical" || categories))
    return { column: whole, ...(categories && { categories }) };
  for (let at = name.indexOf("="); at > 0; at = name.indexOf("=", at + 1)) {
    const column = columns.find((other) => other.name === name.slice(0, at));
    if (column?.kind === "categorical") return { column, bit: name.slice(at + 1) };
  }
  if (!asked) return undefined; // a feature that no tree looks at is not missed
  const message = whole
    ? `the trees compare ${show(name)} with numbers, but the column is categorical`
    : `the trees ask about ${show(name)}, but the data has only ${columns
        .slice(0, 12)
        .map((column) => show(column.name))
        .join(", ")}`;
  throw new ConformantError("unknown-column", message, { argument: "trees.features", column: name });
}

/** A categorical column also has the values that only the trees know. */
function withOwnValues(column: Column, places: readonly (Place | undefined)[]): Column {
  if (column.kind !== "categorical") return column;
  const named = places.flatMap((place) =>
    place?.column === column
      ? [...(place.bit === undefined ? [] : [place.bit]), ...(place.categories ?? [])]
      : [],
  );
  return { ...column, values: [...new Set([...column.values, ...named])] };
}

/** A node that is to be added below another. */
interface Waiting {
  readonly node: number;
  readonly parent: number;
  readonly side: "left" | "right";
  readonly depth: number;
}

/** Lays out the nodes of the trees, parents before their children, and their leaves. */
class NodeBuilder {
  private readonly json: TreesJson;
  private readonly places: readonly (Place | undefined)[];
  private readonly used: readonly Column[];
  private readonly schema: Schema;
  private readonly width: number;
  private readonly mostNodes: number;
  private readonly column: number[] = [];
  private readonly threshold: number[] = [];
  private readonly set: number[] = [];
  private readonly left: number[] = [];
  private readonly right: number[] = [];
  private readonly gapsLeft: number[] = [];
  private readonly values: number[] = [];
  private readonly outputs: number[] = [];
  private readonly sets: Uint8Array[] = [];
  private readonly setAt = new Map<string, number>();

  constructor(
    json: TreesJson,
    places: readonly (Place | undefined)[],
    used: readonly Column[],
    schema: Schema,
  ) {
    this.json = json;
    this.places = places;
    this.used = used;
    this.schema = schema;
    const vectors = json.trees.some(({ value, feature }) =>
      value.some((own, n) => feature[n] < 0 && Array.isArray(own)),
    );
    const nodes = json.trees.reduce((sum, { feature }) => sum + feature.length, 0);
    this.mostNodes = MOST_COPIES * nodes + MOST_MORE;
    this.width = vectors && json.link !== "logistic" ? json.classes.length : 1;
  }

  /** Adds a tree and returns its root. */
  add(tree: TreeJson, t: number): number {
    const root = this.column.length;
    const waiting: Waiting[] = [];
    this.addNode(tree, t, 0, 0, waiting);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      // Two nodes may lead to the same one, which then stands there twice; a way longer than all nodes goes in circles.
      if (next.depth >= tree.feature.length) refuse(t, "must have no cycle", next.node);
      this[next.side][next.parent] = this.column.length;
      this.addNode(tree, t, next.node, next.depth, waiting);
    }
    return root;
  }

  private addNode(tree: TreeJson, t: number, node: number, depth: number, waiting: Waiting[]): void {
    if (!(Number.isInteger(node) && node >= 0 && node < tree.feature.length))
      refuse(t, `must have children among its ${tree.feature.length} nodes`, node);
    const at = this.column.length;
    if (at >= this.mostNodes)
      refuse(t, `is one of trees that unfold to more than ${this.mostNodes} nodes`, at);
    const feature = tree.feature[node];
    if (feature < 0) {
      this.push(-1, 0, -1, this.outputs.length, 0, 0);
      this.addValues(tree, t, node);
      return;
    }
    const place = this.places[feature];
    if (!place) refuse(t, `must ask about one of the ${this.places.length} features`, feature);
    const column = this.used.indexOf(place.column);
    const gapsLeft = tree.gapsLeft?.[node] ? 1 : 0;
    const split = this.splitOf(tree, t, node, place, column);
    this.push(column, split.threshold, split.set, -1, -1, gapsLeft);
    waiting.push({ node: tree.right[node], parent: at, side: "right", depth: depth + 1 });
    waiting.push({ node: tree.left[node], parent: at, side: "left", depth: depth + 1 });
  }

  private push(
    column: number,
    threshold: number,
    set: number,
    left: number,
    right: number,
    gap: number,
  ): void {
    this.column.push(column);
    this.threshold.push(threshold);
    this.set.push(set);
    this.left.push(left);
    this.right.push(right);
    this.gapsLeft.push(gap);
  }

  private addValues(tree: TreeJson, t: number, node: number): void {
    const value = tree.value[node];
    const own = typeof value === "number" ? [value] : (value ?? []);
    if (own.length !== this.width || !own.every(Number.isFinite))
      refuse(t, `must have ${this.width} finite number${this.width > 1 ? "s" : ""} in each leaf`, value);
    for (const number of own) this.values.push(number);
    this.outputs.push(this.width > 1 ? 0 : (tree.output ?? 0));
  }

  /** A threshold on numbers, or a set of the column's own codes. */
  private splitOf(
    tree: TreeJson,
    t: number,
    node: number,
    { bit, categories }: Place,
    column: number,
  ): { threshold: number; set: number } {
    const codes = tree.sets?.[node];
    const target = this.schema.columns[column];
    if (codes) {
      if (!categories) refuse(t, "splits a feature by sets of codes, but their names are not told", node);
      const names = new Set(codes.map((code) => categories[code]));
      const goesLeft = (value: string): boolean => names.has(value) === (this.json.setsGo !== "right");
      if (target.kind === "categorical")
        return { threshold: 0, set: this.setOf(target.values.map(goesLeft)) };
      // The column holds the codes themselves, 0 and 1.
      return { threshold: 0, set: this.setOf([goesLeft("0"), goesLeft("1")]) };
    }
    const threshold = tree.threshold[node];
    if (typeof threshold !== "number" || Number.isNaN(threshold))
      refuse(t, "must have a number as threshold", threshold);
    const exact = this.json.single ? singleThreshold(threshold) : threshold;
    if (bit === undefined) return { threshold: exact, set: -1 };
    if (target.kind !== "categorical") refuse(t, "splits a bit of a column without categories", bit);
    // The bit is 1 for its own value and 0 for all others.
    return { threshold: 0, set: this.setOf(target.values.map((value) => (value === bit ? 1 : 0) <= exact)) };
  }

  private setOf(goesLeft: readonly boolean[]): number {
    const key = goesLeft.map((left) => (left ? "1" : "0")).join("");
    const known = this.setAt.get(key);
    if (known !== undefined) return known;
    this.sets.push(Uint8Array.from(goesLeft, (left) => (left ? 1 : 0)));
    this.setAt.set(key, this.sets.length - 1);
    return this.sets.length - 1;
  }

  finish(): Pick<TreeClassifier, "nodes" | "sets" | "width" | "values" | "outputs"> {
    const nodes: TreeNodes = {
      column: Int32Array.from(this.column),
      threshold: Float64Array.from(this.threshold),
      set: Int32Array.from(this.set),
      left: Int32Array.from(this.left),
      right: Int32Array.from(this.right),
      gapsLeft: Uint8Array.from(this.gapsLeft),
    };
    const { sets, width } = this;
    return {
      nodes,
      sets,
      width,
      values: Float64Array.from(this.values),
      outputs: Int32Array.from(this.outputs),
    };
  }
}

/** Leaves of probabilities may be off a sum of 1 by this: single precision, added up. */
const SHARE_ROUNDING = 1e-5;

/** Trees whose leaves hold probabilities: every leaf of a tree has the same sum, and those of all trees are 1. */
function checkShares({ base, roots, nodes, width, values }: TreeClassifier): void {
  let total = base.reduce((a, b) => a + b, 0);
  roots.forEach((root, t) => {
    let first: number | undefined;
    const end = roots[t + 1] ?? nodes.column.length;
    for (let n = root; n < end; n++) {
      if (nodes.column[n] >= 0) continue;
      const from = nodes.left[n] * width;
      const sum = values.subarray(from, from + width).reduce((a, b) => a + b, 0);
      first ??= sum;
      if (Math.abs(sum - first) > SHARE_ROUNDING)
        refuse(t, `must have probabilities that sum to ${first} in each leaf, as in its first`, sum);
    }
    total += first ?? 0;
  });
  if (Math.abs(total - 1) > SHARE_ROUNDING) fail("trees", "probabilities that sum to 1", total);
}

function refuse(t: number, what: string, value: unknown): never {
  throw new ConformantError("invalid-weights", `trees[${t}] ${what}, got ${show(value)}`, {
    argument: `trees[${t}]`,
    value,
  });
}

function fail(argument: string, need: string, value: unknown): never {
  const message = `trees: ${argument} must be ${need}, got ${show(value)}`;
  throw new ConformantError("invalid-weights", message, { argument, value });
}
