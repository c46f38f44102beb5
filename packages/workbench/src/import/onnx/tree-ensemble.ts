import type { RegressionTreesJson, TreeJson, TreesJson } from "conformant";
import type { Affine } from "../affine.ts";
import { UNNAMED_OUTPUT } from "../imported-classifier.ts";
import { FeatureList, questionOf } from "../trees/feature-list.ts";
import { type LeafValue, TreeWriter } from "../trees/tree-writer.ts";
import type { NodeView } from "./node-view.ts";
import { combineVotes, sumTargets, type Votes } from "./tree-votes.ts";

/** The comparison of each mode; "not equal" is "equal" with the branches swapped. */
const COMPARISONS = {
  BRANCH_LEQ: "<=",
  BRANCH_LT: "<",
  BRANCH_GT: ">",
  BRANCH_GTE: ">=",
  BRANCH_EQ: "=",
  BRANCH_NEQ: "=",
} as const;

/** Nodes of all trees, an entry per node. */
interface EnsembleNodes {
  readonly trees: readonly number[];
  readonly ids: readonly number[];
  readonly features: readonly number[];
  readonly modes: readonly string[];
  readonly values: ArrayLike<number>;
  readonly onTrue: readonly number[];
  readonly onFalse: readonly number[];
  /** Whether a missing value counts as true. */
  readonly gapsTrue: readonly number[];
}

/**
 * ai.onnx.ml TreeEnsembleClassifier as onnxruntime computes it: nodes compare one column each, leaves vote for classes, and the sums of the
 * votes are the probabilities (NONE) or are converted to them (LOGISTIC, SOFTMAX).
 */
export function readTreeEnsemble(node: NodeView): TreesJson {
  const classes = node.names("classlabels_strings", "classlabels_int64s");
  const nodes = nodesOf(node);
  const votes = combineVotes(node, nodes.modes.filter((mode) => mode === "LEAF").length, classes.length);
  const { link, base } = votes;
  return { kind: "trees", classes, link, base, ...writeTrees(node, nodes, votes) };
}

/** ai.onnx.ml TreeEnsembleRegressor: the leaves add up to one number, or are averaged. */
export function readTreeRegressor(node: NodeView): RegressionTreesJson {
  const nodes = nodesOf(node);
  const votes = sumTargets(node, new Set(nodes.trees).size);
  const { base } = votes;
  return { kind: "trees", output: UNNAMED_OUTPUT, link: "identity", base, ...writeTrees(node, nodes, votes) };
}

function writeTrees(
  node: NodeView,
  nodes: EnsembleNodes,
  votes: LeafVotes,
): Pick<TreesJson, "features" | "trees"> {
  const cells = node.cells();
  const features = new FeatureList();
  const places = placesOf(node, nodes);
  const trees = [...places].map(([tree, byId]) =>
    new EnsembleTree(node, nodes, cells, features, byId, votes, tree).write(),
  );
  if (features.names.length === 0) node.refuse("has no tree that asks about a column");
  return { features: features.names, trees };
}

/** The values of leaves. */
type LeafVotes = Pick<Votes, "of" | "outputOf">;

function nodesOf(node: NodeView): EnsembleNodes {
  const trees = node.ints("nodes_treeids");
  const gapsTrue = node.ints("nodes_missing_value_tracks_true");
  const nodes = {
    trees,
    ids: node.ints("nodes_nodeids"),
    features: node.ints("nodes_featureids"),
    modes: node.names("nodes_modes", ""),
    values: node.floatsOrTensor("nodes_values"),
    onTrue: node.ints("nodes_truenodeids"),
    onFalse: node.ints("nodes_falsenodeids"),
    gapsTrue: gapsTrue.length === 0 ? trees.map(() => 0) : gapsTrue,
  };
  if (trees.length === 0 || Object.values(nodes).some((list) => list.length !== trees.length))
    node.refuse("is damaged: the lists of its nodes differ in length or are empty");
  node.spend(trees.length);
  return nodes;
}

/** The position in the lists, by tree and node number; the first node of a tree is its root. */
function placesOf(node: NodeView, { trees, ids }: EnsembleNodes): Map<number, Map<number, number>> {
  const places = new Map<number, Map<number, number>>();
  trees.forEach((tree, n) => {
    const own = places.get(tree) ?? new Map<number, number>();
    if (own.has(ids[n])) node.refuse(`has node ${ids[n]} of tree ${tree} twice`);
    own.set(ids[n], n);
    places.set(tree, own);
  });
  return places;
}

/** One tree while it is being built. */
class EnsembleTree {
  private readonly view: NodeView;
  private readonly nodes: EnsembleNodes;
  private readonly cells: readonly Affine[];
  private readonly features: FeatureList;
  private readonly places: ReadonlyMap<number, number>;
  private readonly votes: LeafVotes;
  private readonly tree: number;
  private readonly writer: TreeWriter;

  constructor(
    view: NodeView,
    nodes: EnsembleNodes,
    cells: readonly Affine[],
    features: FeatureList,
    places: ReadonlyMap<number, number>,
    votes: LeafVotes,
    tree: number,
  ) {
    this.view = view;
    this.nodes = nodes;
    this.cells = cells;
    this.features = features;
    this.places = places;
    this.votes = votes;
    this.tree = tree;
    this.writer = new TreeWriter(
      () => undefined,
      (why) => view.refuse(why),
    );
  }

  write(): TreeJson {
    const [root] = this.places.values();
    this.writeNode(root, 0);
    return this.writer.finish(this.votes.outputOf(this.tree));
  }

  private writeNode(at: number, depth: number): number {
    const { view, nodes, writer, places, tree } = this;
    if (depth > places.size) view.refuse(`tree ${tree} goes in circles`);
    const mode = nodes.modes[at];
    if (mode === "LEAF") return writer.leaf(this.valueOf(nodes.ids[at]));
    if (!Object.hasOwn(COMPARISONS, mode)) view.refuse(`mode ${JSON.stringify(mode)} is not understood`);
    const [onTrue, onFalse] = [nodes.onTrue[at], nodes.onFalse[at]].map((id) => () => {
      const next = places.get(id);
      return next === undefined
        ? view.refuse(`tree ${tree} has no node ${id}`)
        : this.writeNode(next, depth + 1);
    });
    const cell =
      this.cells[nodes.features[at]] ??
      view.refuse(`tree ${tree} asks about column ${nodes.features[at]} of ${this.cells.length}`);
    const value = nodes.values[at];
    if (Number.isNaN(value)) view.refuse(`tree ${tree} compares with NaN`);
    const operator = COMPARISONS[mode as keyof typeof COMPARISONS];
    const other = mode === "BRANCH_NEQ";
    // NaN is not equal to anything.
    const gap = other ? false : nodes.gapsTrue[at] === 1;
    const question =
      questionOf(cell, { operator, value, single: view.single }, gap, this.features) ??
      view.refuse(
        `tree ${tree} asks about a number that is computed from several columns or from none`,
        "trees are read where every split looks at one column",
      );
    return other ? writer.ask(question, onFalse, onTrue) : writer.ask(question, onTrue, onFalse);
  }

  private valueOf(id: number): LeafValue {
    return this.votes.of(this.tree, id);
  }
}
