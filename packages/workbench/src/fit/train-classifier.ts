import {
  type Classifier,
  type Column,
  type IndicatorComparison,
  type Model,
  type Table,
  type TrainOnIncompleteOptions,
  train,
  trainOnIncomplete,
  type WatchOptions,
} from "conformant";
import { addColumns, columnsWithGaps, findCompleteRows, mixtureShape } from "conformant/internal";
import type { Host } from "../source/host.ts";
import { sampleRows } from "../source/sample-rows.ts";
import { watchWork } from "../source/watch-work.ts";
import { withoutColumns, withoutLast } from "../source/without-columns.ts";
import { type ChosenPenalty, choosePenalty } from "./choose-penalty.ts";
import { columnsWithin, shapeWithin, type TrainAgain } from "./fit-again.ts";
import { rowsToComplete } from "./sample-bounds.ts";
import type { TimeLimit } from "./time-limit.ts";
import type { TrainingOptions } from "./training-options.ts";
import type { TrainingSummary } from "./training-summary.ts";
import { withIndicators } from "./with-indicators.ts";

/** Cells × classes beyond which training stops earlier: each pass takes seconds, and the last hundred change no decision. */
const COSTLY = 1e8;
const EARLIER = 3e-4;

/** The share of the time that a training may take where a verdict follows. */
const TRAINING_LIMIT = 0.6;

/** In tables with fewer rows the penalty depends on single rows: to score one, it is chosen again without it. */
const FEW_ROWS = 100;

/** A classifier that was trained here. */
export interface Trained {
  readonly classifier: Classifier;
  /** Where rows with gaps were trained on: the mixture that completed them. */
  readonly distribution?: Model;
  readonly training: TrainingSummary;
  readonly trainAgain: TrainAgain;
}

/**
 * Trains with the given penalty, or with the one that does best on rows not trained on.
 *
 * @param also columns of the table that get no weights and help to complete rows
 */
export function trainClassifier(
  table: Table,
  also: readonly Column[],
  label: string,
  options: TrainingOptions,
  host: Host,
  limit: TimeLimit,
): Trained {
  const { l2 } = options;
  // What is left of the time is for the verdict.
  const most = options.crossValidation ? TRAINING_LIMIT : 1;
  const choose = (rows: Table): ChosenPenalty =>
    l2 === "auto"
      ? choosePenaltyFor(withoutColumns(rows, columnsWithin(also, rows)), label, options, host, limit)
      : { l2, compared: [] };
  const { l2: penalty, compared } = choose(table);
  const { gaps, rounds, classifier, distribution, timedOut } = trainOnRows(
    { table, also, label },
    penalty,
    { ...options, timeLimit: limit.share(most) },
    host,
  );
  if (timedOut) limit.note("the training on incomplete rows");
  const chosen: RoundsOptions = {
    ...options,
    timeLimit: Number.POSITIVE_INFINITY,
    ...(distribution && fixedShape(distribution, options)),
    gaps: gaps?.taken ? gaps.columns : "random",
    rounds,
  };
  return {
    classifier,
    ...(distribution && { distribution }),
    training: { penalties: compared, ...(gaps && { gaps }), sampled: false },
    trainAgain: (rows, watch) => {
      const some = sampleRows(rows, options.bounds.triedRows, options.seed);
      const again = trainOnRows(
        { table: some, also: columnsWithin(also, some), label },
        table.rows < FEW_ROWS ? choose(some).l2 : penalty,
        { ...shapeWithin(chosen, some.schema), rough: true },
        host,
        watch,
      );
      return { predictor: again.classifier, mixture: again.distribution };
    },
  };
}

/**
 * Chooses a penalty without or with indicators of missing values, whichever predicts held-out rows better: a penalty that suits the other
 * columns can be too large for the weight of a telling indicator.
 */
function choosePenaltyFor(
  table: Table,
  label: string,
  { gaps, trainOn, seed }: TrainingOptions,
  { reporter }: Host,
  limit: TimeLimit,
): ChosenPenalty {
  const plain = choosePenalty(table, label, seed, reporter, limit);
  const all = Int32Array.from({ length: table.rows }, (_, r) => r);
  const names = columnsWithGaps(withoutLast(table), all).map(({ name }) => name);
  if (gaps === "random" || trainOn === "complete" || names.length === 0) return plain;
  const marked = choosePenalty(withIndicators(table, names), label, seed, reporter, limit);
  return leastLoss(marked) < leastLoss(plain) ? marked : plain;
}

function leastLoss({ compared }: ChosenPenalty): number {
  return Math.min(...compared.map(({ logLoss }) => logLoss));
}

/** What was chosen for a mixture, in the place of what is to be chosen. */
function fixedShape(
  model: Model,
  { bins }: TrainingOptions,
): Pick<RoundsOptions, "components" | "numeric" | "rank" | "bins"> {
  const { components = "auto", ...shape } = mixtureShape(model);
  return { bins, ...shape, components } as Pick<RoundsOptions, "components" | "numeric" | "rank" | "bins">;
}

/** Rows to train on: the columns of the table that get no weights, and its last, the label. */
interface TrainingRows {
  readonly table: Table;
  readonly also: readonly Column[];
  readonly label: string;
}

/** Training options, where what an earlier training chose may stand in the place of what is to be chosen. */
type RoundsOptions = Omit<TrainingOptions, "numeric"> &
  Pick<TrainOnIncompleteOptions, "numeric" | "rank" | "rounds" | "rough">;

function trainOnRows(
  { table, also, label }: TrainingRows,
  l2: number,
  options: RoundsOptions,
  host: Host,
  watch: WatchOptions = watchWork(host.reporter),
): Pick<Trained, "classifier" | "distribution"> & {
  readonly gaps?: IndicatorComparison;
  readonly rounds?: number;
  readonly timedOut?: true;
} {
  const how = { label, l2, ...toleranceOf(table), ...watch };
  const own = withoutColumns(table, also);
  const complete = findCompleteRows(own);
  if (options.trainOn === "complete" || complete.length === own.rows)
    return { classifier: addColumns(train(own, how), also) };
  const { components, numeric, rank, bins, pseudocount, seed, timeLimit, gaps, rounds, rough, bounds } =
    options;
  const distribution = {
    ...{ components, numeric, rank, bins, pseudocount, seed, timeLimit, missing: gaps, rounds, rough },
    mixtureRows: rowsToComplete(own, bounds),
    threads: host.threads,
    also: also.map(({ name }) => name),
  };
  const trained = trainOnIncomplete(table, { ...how, ...distribution });
  const { classifier, model, indicators } = trained;
  return {
    classifier,
    distribution: model,
    rounds: trained.rounds,
    ...(trained.timedOut && { timedOut: true }),
    ...(indicators && { gaps: indicators }),
  };
}

function toleranceOf({ rows, schema }: Table): { readonly tolerance?: number } {
  const label = schema.columns[schema.columns.length - 1];
  const classes = label.kind === "categorical" ? label.values.length : 2;
  return rows * schema.columns.length * classes > COSTLY ? { tolerance: EARLIER } : {};
}
