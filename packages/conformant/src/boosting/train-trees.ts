import { ConformantError, show } from "../errors.ts";
import { fastContext } from "../kernels/context.ts";
import { random, shuffle } from "../math/random.ts";
import {
  integer,
  number,
  numbers,
  type OptionsOf,
  oneOf,
  type ReadOptions,
  readOptions,
  required,
  text,
} from "../options.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { Data } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { holdOut } from "../schema/hold-out.ts";
import { type InferOptions, inferOptions, inferSchema } from "../schema/infer-schema.ts";
import { readLabels, readNumbers } from "../schema/labels.ts";
import { checkWeights } from "../schema/rows.ts";
import {
  createTreeClassifier,
  createTreeRegressor,
  type TreeClassifier,
  type TreeEnsemble,
  type TreeRegressor,
} from "../trees/tree-ensemble.ts";
import { binRows, chooseBins, roomOfBins } from "./binned-columns.ts";
import { Boosting } from "./boosting.ts";
import { plantTrees } from "./build-ensemble.ts";
import { type BoostingLoss, logLoss, numberLoss } from "./loss.ts";
import { type GrowthSettings, TreeGrower } from "./tree-grower.ts";

/** Options of {@link trainTrees}. */
export interface TrainTreesOptions extends InferOptions, WatchOptions {
  /** The column to learn. */
  readonly label: string;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number> | undefined;
  /** Iterations of boosting at most; each adds a tree, or one per class. Default 300. */
  readonly maxIterations?: number | undefined;
  /** What every tree's values are multiplied by. Default 0.1. */
  readonly rate?: number | undefined;
  /** Leaves of a tree at most. Default 31. */
  readonly leaves?: number | undefined;
  /** Rows in a leaf at least. Default 20, in small tables a twentieth of the rows. */
  readonly leastRows?: number | undefined;
  /** Added to the curvature in every leaf. Default 1. */
  readonly l2?: number | undefined;
  /** Iterations without a smaller loss of held-out rows after which training ends. Default 10. */
  readonly patience?: number | undefined;
  /** Decides which rows are held out. Default 0. */
  readonly seed?: number | undefined;
}

/** How {@link TrainTreesOptions} are read. */
const trainTreesOptions = {
  ...inferOptions,
  ...watchOptions,
  label: required(text(undefined)),
  weights: numbers(undefined),
  maxIterations: integer(300, { least: 1 }),
  rate: number(0.1),
  leaves: integer(31, { least: 2 }),
  leastRows: integer(undefined, { least: 1 }),
  l2: number(1),
  patience: integer(10, { least: 1 }),
  seed: integer(0),
} satisfies OptionsOf<TrainTreesOptions>;

/** With fewer rows than this they are cut into so many folds, each held out once; with more, a tenth is held out. */
const [FEW_ROWS, FOLDS] = [1000, 5];
const HELD_OUT = 0.1;

/**
 * Trains gradient-boosted trees (Friedman 2001) on histograms of the columns, grown leaf by leaf with second-order steps; rows may have
 * gaps, which go to the side that gains more. Training ends when rows that it does not see stop to gain; where rows are few, all of them
 * are then trained on for as many steps as suited the folds.
 *
 *     const trees = trainTrees(rows, { label: "outcome" });
 */
export function trainTrees(data: Data, options: TrainTreesOptions): TreeClassifier {
  const read = readOptions(options, trainTreesOptions);
  const { label } = read;
  const { classes, codes } = readLabels(data, label);
  const ensemble = boost(data, codes, read, (weights) => logLoss(codes, weights, classes.length));
  const link = classes.length === 2 ? "logistic" : "softmax";
  return createTreeClassifier({ kind: "trees", ...ensemble, classes, link });
}

/** Options of {@link trainTreeRegressor}. */
export interface TrainTreeRegressorOptions extends TrainTreesOptions {
  /** "identity": squared errors; "log": the Poisson deviance of counts and rates from 0, whose logarithm the trees add up. Default "identity". */
  readonly link?: "identity" | "log" | undefined;
}

const trainTreeRegressorOptions = {
  ...trainTreesOptions,
  link: oneOf(["identity", "log"], "identity"),
} satisfies OptionsOf<TrainTreeRegressorOptions>;

/** Ranges of a number that folds have equal parts of. */
const STRATA = 10;

/**
 * Trains gradient-boosted trees whose answer is a number, as {@link trainTrees} does for classes.
 *
 *     const trees = trainTreeRegressor(rows, { label: "price" });
 */
export function trainTreeRegressor(data: Data, options: TrainTreeRegressorOptions): TreeRegressor {
  const read = readOptions(options, trainTreeRegressorOptions);
  const { label, link } = read;
  const y = readNumbers(data, label);
  const bad = link === "log" ? y.find((value) => value < 0) : undefined;
  if (bad !== undefined) {
    const message = `label ${show(label)} must have numbers of at least 0 for link "log", got ${bad}`;
    throw new ConformantError("invalid-value", message, { column: label, value: bad });
  }
  const strata = new Int32Array(y.length).fill(-1);
  const known = Int32Array.from(y.keys()).filter((r) => !Number.isNaN(y[r]));
  known.sort((a, b) => y[a] - y[b] || a - b);
  known.forEach((r, rank) => {
    strata[r] = Math.floor((STRATA * rank) / known.length);
  });
  const ensemble = boost(data, strata, read, (weights) => numberLoss(y, weights, link));
  return createTreeRegressor({ kind: "regression-trees", ...ensemble, output: label, link });
}

/**
 * Boosts trees.
 *
 * @param codes per row what folds have equal parts of, −1 where the label is missing
 */
function boost(
  data: Data,
  codes: Int32Array,
  read: ReadOptions<typeof trainTreesOptions>,
  lossOf: (weights: Float64Array | undefined) => BoostingLoss,
): Omit<TreeEnsemble, "link"> {
  const { label, columns: chosen, exclude = [], types, maxIterations, patience } = read;
  const watch = new Watch(read, "training");
  const schema = inferSchema(data, { columns: chosen, exclude: [...exclude, label], types });
  const table = encode(schema, data);
  const weights = checkWeights(read.weights, table.rows);
  const usable = Int32Array.from({ length: table.rows }, (_, r) => r).filter(
    (r) => codes[r] >= 0 && (weights?.[r] ?? 1) > 0,
  );
  if (usable.length === 0)
    throw new ConformantError("empty-data", "trainTrees needs rows with a label, got none");
  const leastRows = read.leastRows ?? Math.min(20, Math.ceil(usable.length / 20));
  const settings: GrowthSettings = { leaves: read.leaves, rate: read.rate, leastRows, l2: read.l2 };
  const bins = chooseBins(table, usable);
  const loss = lossOf(weights);
  const splits = splitRows(usable, codes, read.seed);
  const room = roomOfBins(bins, table.rows) + TreeGrower.room(bins, table.rows, settings);
  return fastContext.use(room, (kernels) => {
    const grower = new TreeGrower(kernels, binRows(table, bins, kernels), table.rows, settings);
    const ground = { grower, loss, rows: table.rows };
    const folds = splits.map(([train, held]) => new Boosting(ground, train, held));
    const losses = (): number => folds.reduce((sum, fold) => sum + fold.heldLoss(), 0);
    let [best, kept] = [losses(), 0];
    for (let step = 1; step <= maxIterations && step - kept <= patience; step++) {
      watch.step((step - 1) / maxIterations);
      if (!folds.map((fold) => fold.step()).some((grew) => grew)) break;
      const now = losses();
      if (now < best) [best, kept] = [now, step];
    }
    const final = folds.length === 1 ? folds[0] : new Boosting(ground, usable, new Int32Array(0));
    while (final.steps < kept && final.step()) watch.check();
    if (final.steps === 0) final.step(); // a tree at least, if only a leaf
    return plantTrees(final.trees(Math.max(1, kept)), { schema, label, base: final.base, columns: bins });
  });
}

/** Rows to train on and rows to test on, at random and class by class, so that each class is on both sides. */
function splitRows(
  rows: Int32Array,
  codes: Int32Array,
  seed: number,
): (readonly [train: Int32Array, held: Int32Array])[] {
  const order = shuffle(rows.slice(), random(seed));
  const byClass = Int32Array.from(order.keys()).sort((a, b) => codes[order[a]] - codes[order[b]] || a - b);
  const few = rows.length < FEW_ROWS;
  const parts = few ? Math.min(FOLDS, rows.length) : Math.round(1 / HELD_OUT);
  const partOf = new Map(Array.from(byClass, (at, place) => [order[at], place % parts]));
  return Array.from({ length: few ? parts : 1 }, (_, f) => holdOut(rows, (at) => partOf.get(rows[at]) === f));
}
