import { ConformantError, requireInteger, requireNumber, requireOptions } from "../errors.ts";
import { logSumExp } from "../math/log-sum-exp.ts";
import { random } from "../math/random.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { type InferOptions, inferSchema } from "../schema/infer-schema.ts";
import { readLabels } from "../schema/labels.ts";
import { checkWeights } from "../schema/weights.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";
import { Watch, type WatchOptions } from "../watch.ts";
import { type BinnedColumn, binRows } from "./binned-rows.ts";
import { addTree, type GrownTree, type GrowthSettings, growTree } from "./grow-tree.ts";
import { plantTrees } from "./plant-trees.ts";

/** Options of {@link trainTrees}. */
export interface TrainTreesOptions extends InferOptions, WatchOptions {
  /** The column to learn. */
  readonly label: string;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number>;
  /** Steps of the boosting at most; each adds a tree, or one per class. Default 300. */
  readonly steps?: number;
  /** What every tree's values are multiplied by. Default 0.1. */
  readonly rate?: number;
  /** Leaves of a tree at most. Default 31. */
  readonly leaves?: number;
  /** Rows in a leaf at least. Default 20, in small tables a twentieth of the rows. */
  readonly leastRows?: number;
  /** Added to the curvature in every leaf. Default 1. */
  readonly l2?: number;
  /** Steps without a smaller loss of the held-out rows after which training ends. Default 10. */
  readonly patience?: number;
  /** Decides which rows are held out. Default 0. */
  readonly seed?: number;
}

/** The share of the rows that is held out to tell when to end. */
const HELD_OUT = 0.1;

/**
 * Trains gradient-boosted trees (Friedman 2001) on histograms of the columns, grown leaf by leaf with second-order steps; rows may have
 * gaps, which go to the side that gains more. Training ends when rows that it does not see stop to gain.
 */
export function trainTrees(data: Data, options: TrainTreesOptions): TreeClassifier {
  requireOptions(options);
  const { label, steps = 300, patience = 10, seed = 0 } = options;
  const watch = new Watch(options, "training");
  const { classes, codes } = readLabels(data, label);
  const schema = inferSchema(data, { ...options, exclude: [...(options.exclude ?? []), label] });
  const table = encode(schema, data);
  const weights = checkWeights(options.weights, table.rows);
  const usable = Int32Array.from({ length: table.rows }, (_, r) => r).filter(
    (r) => codes[r] >= 0 && (weights?.[r] ?? 1) > 0,
  );
  if (usable.length === 0)
    throw new ConformantError("empty-data", "trainTrees needs rows with a label, got none");
  const [rows, held] = holdOut(usable, codes, classes.length, requireInteger("options.seed", seed, 0));
  const settings: GrowthSettings = {
    leaves: requireInteger("options.leaves", options.leaves ?? 31, 2),
    rate: requireNumber("options.rate", options.rate ?? 0.1, 0),
    leastRows: requireInteger(
      "options.leastRows",
      options.leastRows ?? Math.min(20, Math.ceil(rows.length / 20)),
      1,
    ),
    l2: requireNumber("options.l2", options.l2 ?? 1, 0),
  };
  const columns = binRows(table, rows);
  const S = classes.length === 2 ? 1 : classes.length;
  const base = baseOf(rows, codes, weights, classes.length);
  const scores = new Float64Array(table.rows * S);
  for (const r of usable) scores.set(base, r * S);
  const boosting: Boosting = { columns, rows, codes, weights, scores, S, settings };
  const grown: GrownTree[] = [];
  let [best, kept] = [lossOf(held, codes, weights, scores, S), 0];
  requireInteger("options.steps", steps, 1);
  requireInteger("options.patience", patience, 1);
  for (let step = 0; step < steps && step - kept / S < patience; step++) {
    watch.step(step / steps);
    const trees = boost(boosting);
    if (trees.every(({ kind }) => kind === "leaf")) break;
    trees.forEach((tree, s) => {
      addTree(tree, columns, usable, scores, S, s);
    });
    grown.push(...trees);
    const loss = lossOf(held, codes, weights, scores, S);
    if (loss < best) [best, kept] = [loss, grown.length];
  }
  return plantTrees(grown.slice(0, Math.max(S, kept)), { schema, classes, label, base, columns });
}

interface Boosting {
  readonly columns: readonly BinnedColumn[];
  readonly rows: Int32Array;
  readonly codes: Int32Array;
  readonly weights: Float64Array | undefined;
  /** All rows × S. */
  readonly scores: Float64Array;
  readonly S: number;
  readonly settings: GrowthSettings;
}

/** One step: a tree per sum, on the gradients p − y and curvatures p (1 − p) of the log loss. */
function boost({ columns, rows, codes, weights, scores, S, settings }: Boosting): GrownTree[] {
  const gradient = new Float64Array(codes.length);
  const curvature = new Float64Array(codes.length);
  const shares = probabilitiesOf(scores, S, rows, codes.length);
  return Array.from({ length: S }, (_, s) => {
    const own = S === 1 ? 1 : s;
    for (const r of rows) {
      const [p, weight] = [shares[r * S + s], weights?.[r] ?? 1];
      gradient[r] = weight * (p - (codes[r] === own ? 1 : 0));
      curvature[r] = weight * p * (1 - p);
    }
    return growTree(columns, rows, gradient, curvature, settings);
  });
}

function probabilitiesOf(scores: Float64Array, S: number, rows: Int32Array, all: number): Float64Array {
  const shares = new Float64Array(all * S);
  for (const r of rows) {
    if (S === 1) shares[r] = 1 / (1 + Math.exp(-scores[r]));
    else {
      shares.set(scores.subarray(r * S, (r + 1) * S), r * S);
      softmaxInPlace(shares, r * S, S);
    }
  }
  return shares;
}

/** Mean log loss of some rows. */
function lossOf(
  rows: Int32Array,
  codes: Int32Array,
  weights: Float64Array | undefined,
  scores: Float64Array,
  S: number,
): number {
  let [sum, total] = [0, 0];
  for (const r of rows) {
    const weight = weights?.[r] ?? 1;
    const own = S === 1 ? Float64Array.of(0, scores[r]) : scores.subarray(r * S, (r + 1) * S);
    sum += weight * (logSumExp(own) - own[codes[r]]);
    total += weight;
  }
  return sum / total;
}

/** Where the sums start: the log-odds of the second class, or the logarithms of the shares. */
function baseOf(
  rows: Int32Array,
  codes: Int32Array,
  weights: Float64Array | undefined,
  K: number,
): Float64Array {
  // Half a row for every class, so that one without rows does not become impossible.
  const counts = new Float64Array(K).fill(0.5);
  for (const r of rows) counts[codes[r]] += weights?.[r] ?? 1;
  const logs = counts.map(Math.log);
  return K === 2 ? Float64Array.of(logs[1] - logs[0]) : logs.map((log) => log - logSumExp(logs));
}

/** Divides the rows at random, class by class, so that each is on both sides; few rows are on both. */
function holdOut(rows: Int32Array, codes: Int32Array, K: number, seed: number): [Int32Array, Int32Array] {
  const generator = random(seed);
  const held = new Set<number>();
  for (let k = 0; k < K; k++) {
    const own = Array.from(rows).filter((r) => codes[r] === k);
    const wanted = Math.floor(own.length * HELD_OUT);
    for (let j = 0; j < wanted; j++) {
      const other = j + generator.integer(own.length - j);
      [own[j], own[other]] = [own[other], own[j]];
      held.add(own[j]);
    }
  }
  // Too few to judge by: then training ends by its own loss, within the number of steps.
  if (held.size < 5) return [rows, rows];
  return [rows.filter((r) => !held.has(r)), rows.filter((r) => held.has(r))];
}
