import type { TreeLink } from "conformant/trees";
import type { LeafValue } from "../trees/tree-writer.ts";
import type { NodeView } from "./node-view.ts";

/** The votes of an ensemble's leaves, and the function of their sums. */
export interface Votes {
  readonly link: TreeLink;
  readonly base: readonly number[];
  /** The value of a leaf. */
  readonly of: (tree: number, id: number) => LeafValue;
  /** The sum that a tree adds to, where its leaves have one number. */
  readonly outputOf: (tree: number) => number;
}

/** Votes in single precision sum to 1 within this. */
const ROUNDING = 1e-4;

/** The sums of the votes for each class, by tree and leaf. */
type Ballots = ReadonlyMap<number, ReadonlyMap<number, readonly number[]>>;

/**
 * How votes become probabilities in onnxruntime. Two classes with votes for the first alone are one number: the log-odds of the second
 * (LOGISTIC), or its probability (NONE).
 */
export function combineVotes(node: NodeView, leaves: number, K: number): Votes {
  const [weights, base] = [node.floatsOrTensor("class_weights"), node.floatsOrTensor("base_values")];
  const [treeIds, ids, classIds] = ["class_treeids", "class_nodeids", "class_ids"].map((name) =>
    node.ints(name),
  );
  if (K < 2) node.refuse(`has ${K} classes, expected two or more`);
  if (weights.length === 0 || [treeIds, ids, classIds].some((list) => list.length !== weights.length))
    node.refuse("is damaged: the lists of its votes differ in length or are empty");
  if (!classIds.every((k) => k >= 0 && k < K)) node.refuse(`votes for a class that is none of its ${K}`);
  const transform = node.text("post_transform", "NONE");
  const oneNumber = K === 2 && classIds.every((k) => k === 0);
  const width = oneNumber ? 1 : K;
  if (base.length !== 0 && base.length !== (oneNumber ? 1 : K > 2 ? K : 0))
    node.refuse(`has ${base.length} base_values, which onnxruntime does not add to the votes as they are`);
  node.spend(weights.length + leaves * width);
  const ballots = countVotes(treeIds, ids, classIds, weights, width);
  const start = Array.from({ length: width }, (_, k) => base[k] ?? 0);
  if (oneNumber) {
    if (transform === "LOGISTIC") return { ...single(ballots), link: "logistic", base: start };
    if (transform === "NONE" && Array.from(weights).every((weight) => weight >= 0))
      return { ...pairs(ballots), link: "probability", base: [1 - start[0], start[0]] };
  } else if (transform === "SOFTMAX") return { ...perClass(ballots, K), link: "softmax", base: start };
  else if (transform === "NONE") return shares(node, ballots, K, start);
  return node.refuse(
    `post_transform ${JSON.stringify(transform)} gives no probabilities of ${K} classes that sum to 1`,
  );
}

/** The number that a regression's leaves add up to, divided by the number of trees where they are averaged. */
export function sumTargets(node: NodeView, trees: number): Omit<Votes, "link"> {
  const [weights, base] = [node.floatsOrTensor("target_weights"), node.floatsOrTensor("base_values")];
  const [treeIds, ids, targets] = ["target_treeids", "target_nodeids", "target_ids"].map((name) =>
    node.ints(name),
  );
  const [aggregate, transform] = [
    node.text("aggregate_function", "SUM"),
    node.text("post_transform", "NONE"),
  ];
  const count = node.int("n_targets", 1);
  if (count !== 1 || targets.some((target) => target !== 0))
    node.refuse(`predicts ${Math.max(count, 2)} numbers, expected one`);
  if (aggregate !== "SUM" && aggregate !== "AVERAGE")
    node.refuse(
      `aggregate_function ${JSON.stringify(aggregate)} is no sum of trees, only SUM and AVERAGE are read`,
    );
  if (transform !== "NONE")
    node.refuse(`post_transform ${JSON.stringify(transform)} is not understood, only NONE`);
  if (weights.length === 0 || [treeIds, ids, targets].some((list) => list.length !== weights.length))
    node.refuse("is damaged: the lists of its leaves differ in length or are empty");
  if (base.length > 1) node.refuse(`has ${base.length} base_values, expected one`);
  node.spend(weights.length);
  const { of, outputOf } = single(countVotes(treeIds, ids, targets, weights, 1));
  const share = aggregate === "AVERAGE" ? trees : 1;
  return { of: (tree, id) => (of(tree, id) as number) / share, outputOf, base: [base[0] ?? 0] };
}

function countVotes(
  trees: readonly number[],
  ids: readonly number[],
  classes: readonly number[],
  weights: ArrayLike<number>,
  width: number,
): Ballots {
  const ballots = new Map<number, Map<number, number[]>>();
  trees.forEach((tree, v) => {
    const leaves = ballots.get(tree) ?? new Map<number, number[]>();
    const votes = leaves.get(ids[v]) ?? new Array<number>(width).fill(0);
    votes[classes[v]] += weights[v];
    leaves.set(ids[v], votes);
    ballots.set(tree, leaves);
  });
  return ballots;
}

/** One number per leaf. */
function single(ballots: Ballots): Pick<Votes, "of" | "outputOf"> {
  return { of: (tree, id) => ballots.get(tree)?.get(id)?.[0] ?? 0, outputOf: () => 0 };
}

/** The probability of the second class, and its complement for the first. */
function pairs(ballots: Ballots): Pick<Votes, "of" | "outputOf"> {
  const { of, outputOf } = single(ballots);
  return { of: (tree, id) => [-of(tree, id), of(tree, id)] as readonly number[], outputOf };
}

/** A number per class, or a single one where every tree votes for one class, as in boosted trees. */
function perClass(ballots: Ballots, K: number): Pick<Votes, "of" | "outputOf"> {
  const onlyOf = new Map<number, number>();
  for (const [tree, leaves] of ballots) {
    const classes = new Set<number>();
    for (const votes of leaves.values())
      for (const [k, vote] of votes.entries()) if (vote !== 0) classes.add(k);
    if (classes.size < 2) onlyOf.set(tree, [...classes][0] ?? 0);
  }
  const of = vectors(ballots, K);
  if (onlyOf.size < ballots.size) return { of, outputOf: () => 0 };
  const outputOf = (tree: number): number => onlyOf.get(tree) ?? 0;
  return { of: (tree, id) => of(tree, id)[outputOf(tree)], outputOf };
}

/** The probabilities in the leaves of a forest, normalized to a sum of 1, which single precision misses slightly. */
function shares(node: NodeView, ballots: Ballots, K: number, base: readonly number[]): Votes {
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  const totals = new Map([...ballots].map(([tree, leaves]) => [tree, sum([...leaves.values()][0])]));
  const total = sum(base) + sum([...totals.values()]);
  const of = vectors(ballots, K);
  for (const [tree, leaves] of ballots)
    for (const votes of leaves.values())
      if (!(Math.abs(sum(votes) - (totals.get(tree) ?? 0)) <= ROUNDING))
        node.refuse("has votes that do not sum to the same number in every leaf, expected probabilities");
  if (!(Math.abs(total - 1) <= ROUNDING)) node.refuse(`has votes that sum to ${total}, expected 1`);
  const scaled = (tree: number, id: number): readonly number[] => {
    const votes = of(tree, id);
    const own = sum(votes);
    return own === 0 ? votes : votes.map((vote) => (vote / own) * ((totals.get(tree) ?? 0) / total));
  };
  return { link: "probability", base: base.map((b) => b / total), of: scaled, outputOf: () => 0 };
}

/** The votes of a leaf, zeros where it has none. */
function vectors(ballots: Ballots, K: number): (tree: number, id: number) => readonly number[] {
  const none = new Array<number>(K).fill(0);
  return (tree, id) => ballots.get(tree)?.get(id) ?? none;
}
