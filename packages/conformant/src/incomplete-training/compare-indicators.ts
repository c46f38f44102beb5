import { differenceOf, type Mean } from "../mixture/choose-mixture.ts";
import type { MixtureShape } from "../mixture/conform-mixture.ts";
import { Watch, type WatchOptions } from "../progress.ts";
import type { IndicatorColumn } from "../schema/column.ts";
import { columnsWithGaps, createIndicators, markGaps } from "../schema/indicators.ts";
import {
  answersAfter,
  bestRounds,
  HELD_OUT_EVERY,
  type HeldOut,
  inRounds,
  type LearningTask,
  lossAt,
  type RoundsTrial,
  tryRounds,
} from "./rounds.ts";

/**
 * How missing values are taken. "random": which values are missing says nothing about the outcome that the observed values do not say.
 * "informative": it does, and the classifier has a weight for each column that is missing. "auto": such weights for the columns for which
 * held-out rows are predicted better with them. A list of columns: such weights for these.
 */
export type MissingOption = "random" | "informative" | "auto" | readonly string[];

/** Rows without a value of a column: how often they have a class, and how often their other values lead to expect it. */
export interface MissingEffect {
  readonly column: string;
  readonly class: string;
  /** Held-out rows without the value. */
  readonly rows: number;
  /** The share of these rows that has the class. */
  readonly observed: number;
  /** The mean probability of the class that a classifier without indicators predicts for these rows. */
  readonly expected: number;
}

/** Whether held-out rows are predicted better when the classifier has weights for missing columns. */
export interface IndicatorComparison {
  /** Whether the classifier has these weights. */
  readonly taken: boolean;
  /** The columns that have such a weight; where it is not taken, those for which it was tried. */
  readonly columns: readonly string[];
  /** Mean log loss with the weights minus that without, over held-out rows with their own missing values. */
  readonly difference?: { readonly mean: number; readonly standardError: number };
  /** Rows that were held out, each once. */
  readonly rows: number;
  /** What being missing tells, per column that was tried, the clearest first. */
  readonly effects: readonly MissingEffect[];
}

/** A way to learn, and the trial that sets the number of rounds. */
interface Way {
  readonly task: LearningTask;
  readonly trial: RoundsTrial;
}

/**
 * Indicators are tried for the columns where held-out rows without the value differ from what is predicted for them by so many standard
 * deviations, and kept where the log loss then falls by more than a standard error. Together the two rules choose one of many useless
 * columns in about one table of a hundred: the loss of a column that is z standard deviations off falls by z²/2 − 1, with a standard error
 * of z, so that z must exceed 2.7.
 */
const TELLING = 2;
/** With fewer rows and cells than this, each fifth of the rows is held out once; otherwise a single fifth is. */
const [FEW_ROWS, FEW_CELLS] = [3000, 50_000];
/** The folds after one are not needed where by then at least so many rows differ by more than so many standard errors. */
const [ENOUGH_ROWS, CLEAR] = [100, 4];
const NOTHING: Mean = { mean: 0, standardError: 0 };
/** What the first trial is of the whole comparison, roughly. */
const TRIAL_SHARE = 0.7;

/**
 * Chooses how to learn from rows with missing values: with or without indicators of missing values among the columns of the classifier.
 * The trial without them sets the shape of the mixture and the number of rounds for both, so that the comparison takes a small part of
 * the time of a fit.
 */
export function compareIndicators(
  plain: LearningTask,
  asked: MixtureShape,
  missing: MissingOption,
  watch: Watch,
): { readonly way: Way; readonly comparison?: IndicatorComparison } {
  const indicators = indicatorsAsked(plain, missing);
  const isOpen = missing === "auto" && indicators.length > 0;
  const share = isOpen ? TRIAL_SHARE : 1;
  const trial = tryRounds(plain, asked, 0, inRounds(watch, 0, share, plain.maxRounds));
  const without: Way = { task: plain, trial };
  if (indicators.length === 0) return { way: without };
  if (isOpen) return chooseIndicators(without, indicators, new Watch(watch.part(share, 1), "completing"));
  const columns = indicators.map(({ gapOf }) => gapOf);
  const way = { task: withIndicators(plain, indicators), trial };
  return { way, comparison: { taken: true, columns, rows: 0, effects: [] } };
}

/** A way to learn whose size, kind and number of rounds are known. */
export function withoutTrial(
  plain: LearningTask,
  shape: MixtureShape,
  missing: Exclude<MissingOption, "auto">,
): Way {
  const indicators = indicatorsAsked(plain, missing);
  const trial = {
    heldOutLoss: [],
    held: new Int32Array(0),
    probabilities: new Float64Array(0),
    shape,
    choice: undefined,
  };
  return { task: indicators.length === 0 ? plain : withIndicators(plain, indicators), trial };
}

/** The indicators that may have weights. */
function indicatorsAsked({ table, labelled }: LearningTask, missing: MissingOption): IndicatorColumn[] {
  if (missing === "random") return [];
  const all = createIndicators(table.schema, columnsWithGaps(table, labelled));
  return typeof missing === "string" ? all : all.filter(({ gapOf }) => missing.includes(gapOf));
}

/** The same task with the indicators of some columns behind those that the classifier is trained on. */
export function withIndicatorsOf(task: LearningTask, columns: readonly string[]): LearningTask {
  const marked = task.table.schema.columns.filter(({ name }) => columns.includes(name));
  return columns.length === 0 ? task : withIndicators(task, createIndicators(task.table.schema, marked));
}

/** The same task with the indicators behind the columns that the classifier is trained on. */
function withIndicators(task: LearningTask, indicators: readonly IndicatorColumn[]): LearningTask {
  const { table, also } = task;
  const own = table.columns.length - also.length;
  const { columns } = table.schema;
  const marks = indicators.map((indicator) => markGaps(markedCells(task, indicator.gapOf)));
  return {
    ...task,
    table: {
      ...table,
      schema: { columns: [...columns.slice(0, own), ...indicators, ...columns.slice(own)] },
      columns: [...table.columns.slice(0, own), ...marks, ...table.columns.slice(own)],
    },
  };
}

function markedCells({ table }: Labeled, column: string): LearningTask["table"]["columns"][number] {
  return table.columns[table.schema.columns.findIndex(({ name }) => name === column)];
}

/** Tries indicators of the columns whose missing values tell something about held-out rows, and keeps them where these are predicted better. */
function chooseIndicators(
  plain: Way,
  indicators: readonly IndicatorColumn[],
  watch: Watch,
): { readonly way: Way; readonly comparison: IndicatorComparison } {
  const { task, trial } = plain;
  const rounds = bestRounds(trial);
  const rowCount = task.labelled.length;
  const isSmall = rowCount < FEW_ROWS && rowCount * task.table.columns.length < FEW_CELLS;
  const folds = isSmall ? HELD_OUT_EVERY : 1;
  const parts = inRounds(watch, 0, 1, 2 * folds * rounds);
  const answersOf = (own: LearningTask, fold: number, before: number): HeldOut =>
    answersAfter(rounds, own, trial, fold, (round): WatchOptions => parts(before + fold * rounds + round));
  const without = Array.from({ length: folds }, (_, fold) => (fold === 0 ? trial : answersOf(task, fold, 0)));
  const effects = missingEffects(
    task,
    without,
    indicators.map(({ gapOf }) => gapOf),
  );
  const tried = indicators.filter(({ gapOf }) => effects.some(({ column }) => column === gapOf));
  const columns = tried.map(({ gapOf }) => gapOf);
  const found = { columns, effects };
  const rows = without.reduce((sum, { held }) => sum + held.length, 0);
  if (tried.length === 0) return { way: plain, comparison: { taken: false, ...found, rows } };
  const marked = withIndicators(task, tried);
  const withThem: HeldOut[] = [];
  let [difference, compared] = [NOTHING, 0];
  for (let fold = 0; fold < folds && !isClear(difference, compared); fold++) {
    withThem.push(answersOf(marked, fold, folds * rounds));
    const [after, before] = [withThem, without.slice(0, fold + 1)].map((answers) =>
      Float64Array.from(answers.flatMap((own) => Array.from(own.held, (_, at) => lossAt(task, own, at)))),
    );
    const weights = Float64Array.from(
      withThem.flatMap(({ held }) => Array.from(held, (r) => task.weights[r])),
    );
    difference = differenceOf(after, before, weights);
    compared = after.length;
  }
  const taken = difference.mean < -difference.standardError;
  return {
    way: taken ? { task: marked, trial } : plain,
    comparison: { taken, ...found, difference, rows: compared },
  };
}

/** Whether the folds so far tell enough. */
function isClear({ mean, standardError }: Mean, rows: number): boolean {
  return rows >= ENOUGH_ROWS && Math.abs(mean) > CLEAR * standardError;
}

/** Labeled rows and their weights. */
type Labeled = Pick<LearningTask, "table" | "labels" | "weights">;

/**
 * The columns whose missing values tell something about held-out rows, the clearest first.
 *
 * @param answers what models of other rows predict for held-out rows
 */
export function missingEffects(
  task: Labeled,
  answers: readonly HeldOut[],
  columns: readonly string[],
): MissingEffect[] {
  return columns
    .flatMap((column) => effectOf(task, answers, column))
    .sort((a, b) => b.deviations - a.deviations)
    .map(({ effect }) => effect);
}

/**
 * How held-out rows without a value differ from what is predicted for them, for the class where they do most: with residuals
 * e_k = [y = k] − p_k, Σ w e_k against its standard deviation √( Σ w² p_k (1 − p_k) ). Empty where that is within what chance explains.
 */
function effectOf(
  task: Labeled,
  answers: readonly HeldOut[],
  column: string,
): { readonly effect: MissingEffect; readonly deviations: number }[] {
  const { labels, weights } = task;
  const K = labels.classes.length;
  const marks = markGaps(markedCells(task, column));
  const [observed, expected, variance] = [new Float64Array(K), new Float64Array(K), new Float64Array(K)];
  let [rows, total] = [0, 0];
  for (const { held, probabilities } of answers)
    held.forEach((r, at) => {
      if (marks[r] === 0) return;
      rows++;
      total += weights[r];
      observed[labels.codes[r]] += weights[r];
      for (let k = 0; k < K; k++) {
        const p = probabilities[at * K + k];
        expected[k] += weights[r] * p;
        variance[k] += weights[r] ** 2 * p * (1 - p);
      }
    });
  const off = observed.map((sum, k) => (variance[k] > 0 ? (sum - expected[k]) / Math.sqrt(variance[k]) : 0));
  // Two classes are equally far off: the second is the one whose probability people ask for.
  const k = K === 2 ? 1 : off.reduce((best, z, own) => (Math.abs(z) > Math.abs(off[best]) ? own : best), 0);
  if (Math.abs(off[k]) < TELLING) return [];
  const effect: MissingEffect = {
    column,
    class: labels.classes[k],
    rows,
    observed: observed[k] / total,
    expected: expected[k] / total,
  };
  return [{ effect, deviations: Math.abs(off[k]) }];
}
