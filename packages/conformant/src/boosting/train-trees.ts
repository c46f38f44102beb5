import { ConformantError, show } from "../errors.ts";
import { fastContext } from "../kernels/context.ts";
import { random, shuffle } from "../math/random.ts";
import {
  either,
  integer,
  names,
  number,
  numbers,
  type OptionsOf,
  oneOf,
  type ReadOptions,
  readOptions,
  required,
  seconds,
  text,
} from "../options.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { Schema } from "../schema/column.ts";
import type { Data, Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { dealGroups, holdOut } from "../schema/hold-out.ts";
import { columnsWithGaps } from "../schema/indicators.ts";
import { type InferOptions, inferOptions, inferSchema } from "../schema/infer-schema.ts";
import { readLabels, readNumbers } from "../schema/labels.ts";
import { checkWeights } from "../schema/rows.ts";
import { splitOnIndicators } from "../trees/split-on-indicators.ts";
import {
  createTreeClassifier,
  createTreeRegressor,
  type TreeClassifier,
  type TreeEnsemble,
  type TreeRegressor,
} from "../trees/tree-ensemble.ts";
import { type Bins, binRows, chooseBins, roomOfBins } from "./binned-columns.ts";
import { Boosting, type BoostingGround } from "./boosting.ts";
import { plantTrees } from "./build-ensemble.ts";
import { type BoostingLoss, logLoss, numberLoss } from "./loss.ts";
import { type GrowthSettings, TreeGrower } from "./tree-grower.ts";

/** Options of {@link trainTrees}. */
export interface TrainTreesOptions extends InferOptions, WatchOptions {
  /** The column to predict. */
  readonly label: string;
  /** Weight of each row. Default 1. */
  readonly weights?: ArrayLike<number> | undefined;
  /** Maximum number of iterations; each adds a tree, or one per class. Default 300. */
  readonly maxIterations?: number | undefined;
  /** Learning rate: the factor of every tree's values. Default 0.1. */
  readonly rate?: number | undefined;
  /** Maximum number of leaves of a tree. Default 31. */
  readonly leaves?: number | undefined;
  /** Minimum number of rows in a leaf. Default 20, in small tables a twentieth of the rows. */
  readonly leastRows?: number | undefined;
  /** Added to the curvature in every leaf. Default 1. */
  readonly l2?: number | undefined;
  /** Training ends after this many iterations that do not lower the loss of held-out rows. Default 10. */
  readonly patience?: number | undefined;
  /** Exactly so many iterations, as an earlier call with similar rows chose them: none of the rows are held out. */
  readonly iterations?: number | undefined;
  /**
   * Whether it matters for the outcome which values are missing: "random", it does not, and an expected prediction averages over the values;
   * "informative", it does, and the trees send rows without a value where they learned to; a list of columns, it does for these. Default
   * "random".
   */
  readonly missing?: "random" | "informative" | readonly string[] | undefined;
  /** Seconds after which boosting ends with what it has, so that the trees depend on the speed of the machine. Default: no limit. */
  readonly timeLimit?: number | undefined;
  /** Random seed of the choice of held-out rows. Default 0. */
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
  iterations: integer(undefined, { least: 1 }),
  missing: either(oneOf(["random", "informative"], "random"), names(undefined)),
  timeLimit: seconds(Number.POSITIVE_INFINITY),
  seed: integer(0),
} satisfies OptionsOf<TrainTreesOptions>;

/** The share of the time limit in which several folds find the number of iterations. */
const FOLDS_LIMIT = 0.6;

/** Fewer rows than this are divided into so many folds, each held out once. Of more rows a tenth is held out. */
const [FEW_ROWS, FOLDS] = [1000, 5];
const HELD_OUT = 0.1;

/**
 * Trains gradient-boosted trees (Friedman 2001) on histograms of the columns, grown leaf by leaf with second-order steps. Missing values go
 * to the side with the larger gain. Training ends when the loss of held-out rows no longer falls. Of a small table, all rows are then
 * trained on for the number of iterations that cross-validation chose.
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

/** Strata of a number: each fold gets an equal share of each. */
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

/** Held-out rows, and how trees of the other rows predict them with missing values sent where the trees send them. */
export interface ScoredBoosting {
  /** The number of iterations after which their loss is least. */
  readonly iterations: number;
  /** The rows that are held out in any of the folds, fold by fold. */
  readonly held: Int32Array;
  /** −log P(label) of each of them. */
  readonly losses: Float64Array;
}

/**
 * Boosts trees on the rows outside of a fold and scores those in it, for some folds.
 *
 * @param fold per row
 * @param scored folds that are held out, from 0
 */
export function scoreTrees(
  data: Table,
  fold: Int32Array,
  scored: number,
  options: TrainTreesOptions,
): ScoredBoosting {
  const read = readOptions(options, trainTreesOptions);
  const { classes, codes } = readLabels(data, read.label);
  const prepared = prepareRows(data, codes, read, (weights) => logLoss(codes, weights, classes.length));
  const { usable } = prepared;
  const splits = Array.from({ length: scored }, (_, f) => holdOut(usable, (at) => fold[usable[at]] === f));
  return withGround(prepared, (ground) => {
    const { kept, losses } = boostFolds(ground, splits, prepared.watch, read, true);
    return {
      iterations: Math.max(1, kept),
      held: Int32Array.from(splits.flatMap(([, held]) => [...held])),
      losses: Float64Array.from(losses.flatMap((own) => [...own])),
    };
  });
}

/** Rows that trees are boosted on. */
interface PreparedRows {
  readonly schema: Schema;
  readonly table: Table;
  readonly bins: readonly Bins[];
  readonly loss: BoostingLoss;
  /** The rows that have a label and a weight. */
  readonly usable: Int32Array;
  readonly settings: GrowthSettings;
  readonly watch: Watch;
}

/** @param codes per row what folds have equal parts of, −1 where the label is missing */
function prepareRows(
  data: Data,
  codes: Int32Array,
  { label, columns, exclude = [], types, ...read }: ReadOptions<typeof trainTreesOptions>,
  lossOf: (weights: Float64Array | undefined) => BoostingLoss,
): PreparedRows {
  const watch = new Watch(read, "training");
  const schema = inferSchema(data, { columns, exclude: [...exclude, label], types });
  const table = encode(schema, data);
  const weights = checkWeights(read.weights, table.rows);
  const usable = Int32Array.from({ length: table.rows }, (_, r) => r).filter(
    (r) => codes[r] >= 0 && (weights?.[r] ?? 1) > 0,
  );
  if (usable.length === 0)
    throw new ConformantError("empty-data", "trainTrees needs rows with a label, got none");
  const leastRows = read.leastRows ?? Math.min(20, Math.ceil(usable.length / 20));
  const settings: GrowthSettings = { leaves: read.leaves, rate: read.rate, leastRows, l2: read.l2 };
  return { schema, table, bins: chooseBins(table, usable), loss: lossOf(weights), usable, settings, watch };
}

/** Works with a grower of trees on the rows. */
function withGround<T>(
  { table, bins, loss, settings }: PreparedRows,
  work: (ground: BoostingGround) => T,
): T {
  const room = roomOfBins(bins, table.rows) + TreeGrower.room(bins, table.rows, settings);
  return fastContext.use(room, (kernels) => {
    const grower = new TreeGrower(kernels, binRows(table, bins, kernels), table.rows, settings);
    return work({ grower, loss, rows: table.rows });
  });
}

/**
 * Boosts all folds together until the loss of their held-out rows stops to fall.
 *
 * @param perRow whether the losses of the rows are wanted, after the best iteration
 */
function boostFolds(
  ground: BoostingGround,
  splits: readonly (readonly [train: Int32Array, held: Int32Array])[],
  watch: Watch,
  { maxIterations, patience, timeLimit }: ReadOptions<typeof trainTreesOptions>,
  perRow = false,
): { readonly folds: Boosting[]; readonly kept: number; readonly losses: readonly Float64Array[] } {
  const folds = splits.map(([train, held]) => new Boosting(ground, train, held));
  const total = (): number => folds.reduce((sum, fold) => sum + fold.heldLoss(), 0);
  const ofRows = (): Float64Array[] => (perRow ? folds.map((fold) => fold.heldLosses()) : []);
  let [best, kept, losses] = [total(), 0, ofRows()];
  const end = Date.now() + 1000 * (splits.length > 1 ? FOLDS_LIMIT : 1) * timeLimit;
  for (let step = 1; step <= maxIterations && step - kept <= patience; step++) {
    watch.step((step - 1) / maxIterations);
    if (Date.now() > end || !folds.map((fold) => fold.step()).some((grew) => grew)) break;
    const now = total();
    if (now < best) [best, kept, losses] = [now, step, ofRows()];
  }
  return { folds, kept, losses };
}

/**
 * Boosts trees.
 *
 * @param codes stratum of each row, −1 where the label is missing
 */
function boost(
  data: Data,
  codes: Int32Array,
  read: ReadOptions<typeof trainTreesOptions>,
  lossOf: (weights: Float64Array | undefined) => BoostingLoss,
): Omit<TreeEnsemble, "link"> {
  const { label, missing, iterations } = read;
  const end = Date.now() + 1000 * read.timeLimit;
  const prepared = prepareRows(data, codes, read, lossOf);
  const { schema, table, bins, usable, watch } = prepared;
  const trees = withGround(prepared, (ground) => {
    const { folds, kept } =
      iterations === undefined
        ? boostFolds(ground, splitRows(usable, codes, read.seed, table.groups), watch, read)
        : { folds: [], kept: iterations };
    const final = folds.length === 1 ? folds[0] : new Boosting(ground, usable, new Int32Array(0));
    while (final.steps < kept && Date.now() <= end && final.step()) watch.check();
    if (final.steps === 0) final.step(); // a tree at least, if only a leaf
    return plantTrees(final.trees(Math.max(1, Math.min(kept, final.steps))), {
      schema,
      label,
      base: final.base,
      columns: bins,
    });
  });
  if (missing === "random") return trees;
  const gaps = columnsWithGaps(table, usable).map(({ name }) => name);
  return splitOnIndicators(
    trees,
    missing === "informative" ? gaps : gaps.filter((name) => missing.includes(name)),
  );
}

/** Divides rows at random into training and test rows, stratified by class. */
function splitRows(
  rows: Int32Array,
  codes: Int32Array,
  seed: number,
  groups: Int32Array | undefined,
): (readonly [train: Int32Array, held: Int32Array])[] {
  const order = shuffle(rows.slice(), random(seed));
  const byClass = Int32Array.from(order.keys()).sort((a, b) => codes[order[a]] - codes[order[b]] || a - b);
  const few = rows.length < FEW_ROWS;
  const parts = few ? Math.min(FOLDS, rows.length) : Math.round(1 / HELD_OUT);
  const dealt = groups && dealGroups(groups, order, parts, codes);
  if (dealt)
    return Array.from({ length: few ? dealt.parts : 1 }, (_, f) =>
      holdOut(rows, (at) => dealt.part[rows[at]] === f),
    );
  const partOf = new Map(Array.from(byClass, (at, place) => [order[at], place % parts]));
  return Array.from({ length: few ? parts : 1 }, (_, f) => holdOut(rows, (at) => partOf.get(rows[at]) === f));
}
