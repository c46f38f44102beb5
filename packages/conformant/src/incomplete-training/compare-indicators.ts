import { differenceOf } from "../mixture/choose-mixture.ts";
import type { MixtureShape } from "../mixture/conform-mixture.ts";
import { Watch, type WatchOptions } from "../progress.ts";
import type { IndicatorColumn } from "../schema/column.ts";
import { gapColumns, markGaps } from "../schema/indicators.ts";
import {
  bestRounds,
  HELD_OUT_EVERY,
  inRounds,
  type LearningTask,
  lossesAfter,
  type RoundsTrial,
  tryRounds,
} from "./rounds.ts";

/**
 * How missing values are taken. "random": which values are missing says nothing about the outcome that the observed values do not say.
 * "informative": it does, and the classifier has a weight for each column that is missing. "auto": the latter where held-out rows are
 * predicted better with these weights.
 */
export type MissingOption = "random" | "informative" | "auto";

/** How much better held-out rows are predicted when the classifier has weights for missing columns. */
export interface IndicatorComparison {
  /** Whether the classifier has these weights. */
  readonly taken: boolean;
  /** Mean log loss with the weights minus that without, over held-out rows with their own missing values. */
  readonly difference: { readonly mean: number; readonly standardError: number };
  /** Rows that were held out, each once. */
  readonly rows: number;
  /** The columns whose missing values were looked at. */
  readonly columns: readonly string[];
}

/** A way to learn, and the trial that sets the number of rounds. */
interface Way {
  readonly task: LearningTask;
  readonly trial: RoundsTrial;
}

/** Standard errors by which the loss has to fall. */
const TELLING = 2;
/** With fewer rows than this each fifth of them is held out once. */
const FEW_ROWS = 3000;
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
  const indicators = missing === "random" ? [] : gapColumns(plain.table, plain.labelled);
  const share = indicators.length === 0 ? 1 : TRIAL_SHARE;
  const trial = tryRounds(plain, asked, 0, inRounds(watch, 0, share, plain.maxRounds));
  const without: Way = { task: plain, trial };
  if (indicators.length === 0) return { way: without };
  const marked = withIndicators(plain, indicators);
  const compared =
    trial.heldOutLoss.length === 0
      ? undefined
      : compare(plain, marked, trial, new Watch(watch.part(share, 1), "completing"));
  const isBetter =
    compared !== undefined && compared.difference.mean < -TELLING * compared.difference.standardError;
  const taken = missing === "informative" || isBetter;
  const columns = indicators.map(({ gapOf }) => gapOf);
  return {
    way: taken ? { task: marked, trial } : without,
    comparison: { taken, difference: compared?.difference ?? NOTHING, rows: compared?.rows ?? 0, columns },
  };
}

/** A way to learn whose size, kind and number of rounds are known. */
export function withoutTrial(
  plain: LearningTask,
  shape: MixtureShape,
  missing: Exclude<MissingOption, "auto">,
): Way {
  const indicators = missing === "random" ? [] : gapColumns(plain.table, plain.labelled);
  const trial = {
    heldOutLoss: [],
    held: new Int32Array(0),
    losses: new Float64Array(0),
    shape,
    choice: undefined,
  };
  return { task: indicators.length === 0 ? plain : withIndicators(plain, indicators), trial };
}

const NOTHING = { mean: 0, standardError: 0 };

/** The same task with the indicators behind the columns that the classifier is trained on. */
function withIndicators(task: LearningTask, indicators: readonly IndicatorColumn[]): LearningTask {
  const { table, also } = task;
  const own = table.columns.length - also.length;
  const { columns } = table.schema;
  const marks = indicators.map(({ gapOf }) =>
    markGaps(table.columns[columns.findIndex(({ name }) => name === gapOf)]),
  );
  return {
    ...task,
    table: {
      ...table,
      schema: { columns: [...columns.slice(0, own), ...indicators, ...columns.slice(own)] },
      columns: [...table.columns.slice(0, own), ...marks, ...table.columns.slice(own)],
    },
  };
}

/** The losses of both ways on rows that were held out, each once while there are few of them. */
function compare(
  plain: LearningTask,
  marked: LearningTask,
  trial: RoundsTrial,
  watch: Watch,
): Pick<IndicatorComparison, "difference" | "rows"> {
  const rounds = bestRounds(trial);
  const folds = plain.labelled.length < FEW_ROWS ? HELD_OUT_EVERY : 1;
  const losses = [plain, marked].map(() => new Float64Array(plain.table.rows).fill(Number.NaN));
  const parts = inRounds(watch, 0, 1, folds * 2 * rounds);
  for (let fold = 0; fold < folds; fold++)
    [plain, marked].forEach((task, way) => {
      const part = (round: number): WatchOptions => parts((2 * fold + way) * rounds + round);
      const own = way === 0 && fold === 0 ? trial : lossesAfter(rounds, task, trial.shape, fold, part);
      own.held.forEach((r, at) => {
        losses[way][r] = own.losses[at];
      });
    });
  const rows = plain.labelled.filter((r) => !losses.some((own) => Number.isNaN(own[r])));
  const [without, withThem, weights] = [...losses, plain.weights].map((numbers) =>
    Float64Array.from(rows, (r) => numbers[r]),
  );
  return { difference: differenceOf(withThem, without, weights), rows: rows.length };
}
