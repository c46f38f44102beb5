import type { Classifier } from "../additive/classifier.ts";
import type { ChoiceOfMixture } from "../distribution/certificate.ts";
import { ConformantError, show } from "../errors.ts";
import { type TrainOptions, trainOptions } from "../logistic-regression/train.ts";
import { random, shuffle } from "../math/random.ts";
import {
  type MixtureOptions,
  type MixtureShape,
  mixtureOptions,
  mixtureShape,
} from "../mixture/conform-mixture.ts";
import type { EarlierFit } from "../mixture/fit-mixture.ts";
import type { Model } from "../model/model.ts";
import { either, integer, names, type OptionsOf, oneOf, readOptions } from "../options.ts";
import { type StopSignal, Watch } from "../progress.ts";
import type { Schema } from "../schema/column.ts";
import { type Data, isMissingCell } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { type AlsoOptions, alsoColumns, alsoOptions, inferSchema } from "../schema/infer-schema.ts";
import { readLabels } from "../schema/labels.ts";
import { checkWeights, pickRows } from "../schema/rows.ts";
import {
  compareIndicators,
  type IndicatorComparison,
  type MissingOption,
  withIndicatorsOf,
  withoutTrial,
} from "./compare-indicators.ts";
import { completeRows, drawFromModel } from "./complete-rows.ts";
import { alternate, bestRounds, fitRound, inRounds, type LearningTask, trainOn } from "./rounds.ts";

/** Options of {@link trainOnIncomplete}. */
export interface TrainOnIncompleteOptions
  extends TrainOptions,
    AlsoOptions,
    Pick<
      MixtureOptions,
      "components" | "numeric" | "rank" | "bins" | "pseudocount" | "most" | "threads" | "rough"
    > {
  /**
   * Seconds that the training may take; the search for a mixture takes at most 0.4 of it. At the end the best model so far is given back, so
   * that the result depends on the speed of the machine. Default: no limit.
   */
  readonly timeLimit?: number | undefined;
  /** How often a row with missing values is completed. Default 3. */
  readonly draws?: number | undefined;
  /** Rounds at most, each of which completes the rows, trains and fits. Default 4. */
  readonly maxRounds?: number | undefined;
  /** Exactly so many rounds, as an earlier call with similar rows chose them: without the trial that sets their number. */
  readonly rounds?: number | undefined;
  /**
   * Whether it matters for the outcome which values are missing: "random", it does not; "informative", it does, and the classifier has
   * a weight for each column that has missing values ("age is missing"); "auto", a weight for each column for which held-out rows are
   * predicted better with it; a list of columns, weights for these. Default "random".
   */
  readonly missing?: MissingOption | undefined;
  /**
   * Rows at most, drawn at random, by which everything is chosen and to which the mixture is fitted. The classifier is trained on all rows,
   * completed by draws from that mixture. Default: all rows.
   */
  readonly mixtureRows?: number | undefined;
  /** Random seed. Default 0. */
  readonly seed?: number | undefined;
}

/** How {@link TrainOnIncompleteOptions} are read. */
const trainOnIncompleteOptions = {
  ...trainOptions,
  ...alsoOptions,
  components: mixtureOptions.components,
  numeric: mixtureOptions.numeric,
  rank: mixtureOptions.rank,
  bins: mixtureOptions.bins,
  pseudocount: mixtureOptions.pseudocount,
  most: mixtureOptions.most,
  timeLimit: mixtureOptions.timeLimit,
  threads: mixtureOptions.threads,
  rough: mixtureOptions.rough,
  draws: integer(3, { least: 1 }),
  maxRounds: integer(4, { least: 1 }),
  rounds: integer(undefined, { least: 1 }),
  mixtureRows: integer(undefined, { least: 1 }),
  missing: either(oneOf(["random", "informative", "auto"], "random"), names(undefined)),
  seed: integer(0),
} satisfies OptionsOf<TrainOnIncompleteOptions>;

/** A classifier trained on rows with missing values, and the distribution that completed them. */
export interface TrainedOnIncomplete {
  readonly classifier: Classifier;
  /** A model of the features that conforms with the classifier. */
  readonly model: Model;
  /** Rounds that led to it. */
  readonly rounds: number;
  /**
   * Mean log loss on held-out rows, as they are, after each round of the trial that set the number of rounds. Empty where no
   * class has the five rows of which one is held out: there is one round then.
   */
  readonly heldOutLoss: readonly number[];
  /** Whether the time limit ended the training early. */
  readonly timedOut?: true;
  /** Where the question came up: whether held-out rows are predicted better with weights for missing values. */
  readonly indicators?: IndicatorComparison;
}

/** What the trial is of the whole work, roughly. */
const TRIAL_SHARE = 0.5;

/**
 * Trains a logistic regression on all labeled rows, including those with missing values. Missing values are drawn given the known columns
 * and the label: first from the column's values among rows of the same class, then from a mixture that conforms with the classifier of the
 * round before. Every draw is a row with its share of the weight. The number of rounds is chosen on a held-out fifth of the rows.
 *
 *     const { model } = trainOnIncomplete(rows, { label: "outcome" });
 */
export function trainOnIncomplete(data: Data, options: TrainOnIncompleteOptions): TrainedOnIncomplete {
  const read = readOptions(options, trainOnIncompleteOptions);
  const {
    label,
    columns,
    types,
    components,
    numeric,
    rank,
    missing,
    draws,
    maxRounds,
    rounds,
    mixtureRows,
    seed,
    rough,
    ...how
  } = read;
  const limit = new TimeLimit(read);
  const labels = readLabels(data, label);
  const exclude = [...(read.exclude ?? []), label];
  const schema = withoutAlso(inferSchema(data, { columns, exclude, types }), read);
  const also = alsoColumns(data, read, schema, exclude);
  const table = encode({ columns: [...schema.columns, ...also] }, data);
  const weights = checkWeights(read.weights, table.rows) ?? new Float64Array(table.rows).fill(1);
  let kept: Model<Classifier> | undefined;
  const plain: LearningTask = {
    table,
    also,
    labels,
    weights,
    labelled: Int32Array.from(labels.codes.keys()).filter((r) => labels.codes[r] >= 0 && weights[r] > 0),
    options: { ...how, label, timeLimit: SEARCH_LIMIT * how.timeLimit },
    keep: (model) => {
      kept = model;
    },
    seed,
    draws,
    maxRounds,
    rough,
  };
  checkColumns(plain);
  const asked: AskedLearning = { shape: { components, numeric, rank }, missing, rounds };
  const most = mixtureRows ?? plain.labelled.length;
  try {
    const watch = new Watch({ ...read, signal: limit.signal }, "completing");
    return plain.labelled.length <= most
      ? learn(plain, asked, watch).learned
      : learnFromSample(plain, asked, most, watch);
  } catch (thrown) {
    if (!limit.isOver(thrown)) throw thrown;
    if (kept) return { classifier: kept.predictor, model: kept, rounds: 1, heldOutLoss: [], timedOut: true };
    const least: AskedLearning = { shape: { components: 1, numeric: "atoms" }, missing: "random", rounds: 1 };
    const part = sampleTask(plain, Math.min(most, LEAST_LEARNED));
    return { ...learn({ ...part, rough: true }, least, new Watch({}, "completing")).learned, timedOut: true };
  }
}

/** The share of the time limit that the search for a mixture may take. */
const SEARCH_LIMIT = 0.4;
/** Rows that are learned from where time has run out before a first model was done. */
const LEAST_LEARNED = 5000;

/** Stops the work after some time, beside a signal that stops it for other reasons. */
class TimeLimit {
  readonly signal: StopSignal;
  readonly #asked: StopSignal | undefined;
  readonly #end: number;

  constructor({
    signal,
    timeLimit,
  }: { readonly signal?: StopSignal | undefined; readonly timeLimit: number }) {
    const end = Date.now() + 1000 * timeLimit;
    [this.#asked, this.#end] = [signal, end];
    this.signal = {
      get aborted() {
        return signal?.aborted === true || Date.now() > end;
      },
      get reason() {
        return signal?.reason;
      },
    };
  }

  /** Whether work was stopped because the time is over. */
  isOver(thrown: unknown): boolean {
    const stopped = thrown instanceof ConformantError && thrown.code === "aborted";
    return stopped && this.#asked?.aborted !== true && Date.now() > this.#end;
  }
}

/** What is asked for, or left open. */
interface AskedLearning {
  readonly shape: MixtureShape;
  readonly missing: MissingOption;
  readonly rounds: number | undefined;
}

/** What came of learning, and its last fit of the mixture. */
interface Learned {
  readonly learned: TrainedOnIncomplete;
  readonly fit: EarlierFit;
}

/** Learns from all rows of a task. */
function learn(plain: LearningTask, { shape: asked, missing, rounds }: AskedLearning, watch: Watch): Learned {
  const trials = new Watch(watch.part(0, TRIAL_SHARE), "completing");
  const { way, comparison } =
    rounds === undefined || missing === "auto"
      ? compareIndicators(plain, asked, missing, trials)
      : { way: withoutTrial(plain, asked, missing), comparison: undefined };
  const { task, trial } = way;
  const { keep } = task;
  const { shape, choice, heldOutLoss } = trial;
  const best = rounds ?? bestRounds(trial);
  const parts = inRounds(watch, heldOutLoss.length > 0 ? TRIAL_SHARE : 0, 1, best);
  let round = 0;
  for (const { model, fit } of alternate(task, task.labelled, shape, parts, best - 1)) {
    keep(withChoice(model, choice));
    if (++round === best)
      return {
        learned: {
          classifier: model.predictor,
          model: withChoice(model, choice),
          rounds: best,
          heldOutLoss,
          ...(comparison && { indicators: comparison }),
        },
        fit,
      };
  }
  throw new Error("unreachable: the rounds do not end by themselves");
}

/** What learning from a sample, and then training on all rows, are of the whole work, roughly. */
const [SAMPLE_SHARE, ALL_SHARE] = [0.6, 0.9];
/** Draws of each incomplete row beyond which one more would change nothing: so many completed rows are enough. */
const ENOUGH_COMPLETED = 150_000;

/** Chooses everything and fits the mixture by a sample, and trains on all rows. */
function learnFromSample(
  all: LearningTask,
  asked: AskedLearning,
  most: number,
  watch: Watch,
): TrainedOnIncomplete {
  const { seed, labels, also, weights } = all;
  const part = sampleTask(all, most);
  // What is compared, and what completes rows, need not be solved to the end.
  const own = new Watch(watch.part(0, SAMPLE_SHARE), "completing");
  const { learned, fit } = learn({ ...part, rough: true }, asked, own);
  const { model, indicators } = learned;
  const columns = indicators?.taken ? indicators.columns : [];
  const [whole, sampled] = [all, part].map((task) => withIndicatorsOf(task, columns));
  const draws = Math.max(1, Math.min(all.draws, Math.round(ENOUGH_COMPLETED / all.labelled.length)));
  const draw = drawFromModel(model, whole.table, labels.codes, random(seed + 2), true);
  const completed = completeRows(
    { table: whole.table, rows: all.labelled, weights, learned: whole.table.columns.length - also.length },
    draws,
    draw,
  );
  const classifier = trainOn(completed, whole, watch.part(SAMPLE_SHARE, ALL_SHARE));
  const shape = mixtureShape(model);
  const rest = watch.part(ALL_SHARE, 1);
  const { model: fitted } = fitRound(sampled, sampled.labelled, classifier, shape, rest, fit);
  return { ...learned, classifier, model: withChoice(fitted, model.certificate.choice) };
}

/** Rows of each class, and rows with a value of each column, that a sample has at least, where there are as many. */
const LEAST_SAMPLED = 20;

/** The task of learning from a sample of the rows. */
function sampleTask(all: LearningTask, most: number): LearningTask {
  const { table, labels, weights } = all;
  const rows = sampleLabelled(all, most);
  return {
    ...all,
    table: pickRows(table, rows),
    labels: { ...labels, codes: rows.map((r) => labels.codes[r]) },
    weights: Float64Array.from(rows, (r) => weights[r]),
    labelled: Int32Array.from(rows.keys()),
  };
}

/** A sample of the rows to learn from, in their order: random, with more rows of rare classes and rows that know rare columns. */
function sampleLabelled(
  { table, labels: { codes }, labelled, seed }: LearningTask,
  most: number,
): Int32Array {
  const shuffled = shuffle(labelled.slice(), random(seed));
  const chosen = Array.from(shuffled.subarray(0, most));
  const rest = shuffled.subarray(most);
  const keep = (has: (row: number) => boolean): void => {
    let missing = LEAST_SAMPLED - chosen.filter(has).length;
    for (let at = 0; missing > 0 && at < rest.length; at++)
      if (has(rest[at])) {
        chosen.push(rest[at]);
        missing--;
      }
  };
  for (const code of new Set(labelled.map((r) => codes[r]))) keep((r) => codes[r] === code);
  for (const cells of table.columns) keep((r) => !isMissingCell(cells, r));
  return Int32Array.from(new Set(chosen)).sort();
}

/** @deprecated Since 0.3: call {@link trainOnIncomplete}. */
export const trainWithGaps = trainOnIncomplete;

/** Where no columns were asked for by name: all but those that are to have no weight. */
function withoutAlso(
  schema: Schema,
  { columns, also }: Pick<TrainOnIncompleteOptions, "columns" | "also">,
): Schema {
  if (columns !== undefined || !Array.isArray(also)) return schema;
  return { columns: schema.columns.filter(({ name }) => !also.includes(name)) };
}

/** Throws where a column has no value in the rows that are learned from. */
function checkColumns({ table, labels, labelled: rows }: LearningTask): void {
  if (rows.length === 0) {
    const message = `trainOnIncomplete needs rows with a label and a positive weight, got none of ${table.rows}`;
    throw new ConformantError("empty-data", message);
  }
  const [first] = rows;
  if (rows.every((r) => labels.codes[r] === labels.codes[first])) {
    const message = `the label must have two or more classes among the rows of positive weight, got only ${show(labels.classes[labels.codes[first]])}`;
    throw new ConformantError("single-class", message, { argument: "options.weights" });
  }
  table.columns.forEach((cells, i) => {
    if (rows.some((r) => !isMissingCell(cells, r))) return;
    const { name } = table.schema.columns[i];
    const message = `column ${show(name)} has no value in any row with a label, so nothing is known about its distribution`;
    throw new ConformantError("empty-column", message, {
      column: name,
      hint: "leave the column out with { exclude }",
    });
  });
}

/** The certificate says how the size was chosen, though that was in the trial. */
function withChoice<M extends Model>(model: M, choice: ChoiceOfMixture | undefined): M {
  return choice ? { ...model, certificate: { ...model.certificate, choice } } : model;
}
