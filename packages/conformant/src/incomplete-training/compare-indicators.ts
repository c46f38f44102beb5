import { differenceOf } from "../mixture/choose-mixture.ts";
import type { MixtureShape } from "../mixture/conform-mixture.ts";
import type { Watch } from "../progress.ts";
import { gapColumns, markGaps } from "../schema/indicators.ts";
import {
  bestRounds,
  HELD_OUT_EVERY,
  type HeldOutLosses,
  inRounds,
  type LearningTask,
  lossesAfter,
  type RoundsTrial,
  tryRounds,
} from "./rounds.ts";

/**
 * How missing values are treated. "random": which values are missing carries no information beyond the known ones. "informative": it helps
 * to tell what is missing. "auto": whichever scores better on held-out rows.
 */
export type MissingOption = "random" | "informative" | "auto";

/** Held-out scores of a model with indicators of missing values against one without. */
export interface IndicatorComparison {
  /** Whether the indicators are part of the distribution. */
  readonly taken: boolean;
  /** Mean log loss with indicators minus that without, over the held-out rows as they are. */
  readonly difference: { readonly mean: number; readonly standardError: number };
  /** Rows that were held out. */
  readonly rows: number;
  /** The size of the best mixture with indicators. */
  readonly components: number;
}

/** A way to learn, and the trial that sets the number of rounds. */
interface Way {
  readonly task: LearningTask;
  readonly trial: RoundsTrial;
}

/** With fewer rows than this each fifth of them is held out once. */
const FEW_ROWS = 3000;
/** Sizes that are tried with the pattern of gaps, while there are so many rows for each component: one alone could learn nothing from it. */
const [SIZES, ROWS_PER_COMPONENT] = [[2, 4, 8, 16, 32], 10];

/** Standard errors by which the loss has to fall: the best of several sizes looks better than it is. */
const TELLING = 2;

/**
 * Chooses how to learn from rows with gaps: with or without their pattern. Sizes with it and numbers of rounds are compared on the first fold,
 * the best of them and the way without it on all.
 */
export function compareIndicators(
  plain: LearningTask,
  asked: MixtureShape,
  missing: MissingOption,
  watch: Watch,
): { readonly way: Way; readonly comparison?: IndicatorComparison } {
  const { labelled, maxRounds } = plain;
  const marked = missing === "random" || asked.components === 1 ? undefined : withPattern(plain);
  const sizes = marked ? sizesOf(asked, labelled.length) : [];
  const folds = labelled.length < FEW_ROWS ? HELD_OUT_EVERY : 1;
  const steps = 1 + sizes.length + (marked ? 2 * (folds - 1) : 0);
  let step = 0;
  const parts = (of: number): ReturnType<typeof inRounds> =>
    inRounds(watch, step / steps, ++step / steps, of);
  const tryFirst = (task: LearningTask, shape: MixtureShape): RoundsTrial =>
    tryRounds(task, shape, 0, parts(maxRounds));
  const without: Way = { task: plain, trial: tryFirst(plain, asked) };
  if (!marked) return { way: without };
  let best: Way | undefined;
  for (const components of sizes) {
    const trial = tryFirst(marked, { ...without.trial.shape, components });
    if (best && !(lossOf(trial) < lossOf(best.trial))) break;
    best = { task: marked, trial };
  }
  if (!best) return { way: without };
  step = 1 + sizes.length;
  const onAll = ({ task, trial }: Way): Float64Array => {
    const losses = new Float64Array(plain.table.rows).fill(Number.NaN);
    const chosen = bestRounds(trial);
    for (let fold = 0; fold < folds; fold++) {
      const own: HeldOutLosses =
        fold === 0 ? trial : lossesAfter(chosen, task, trial.shape, fold, parts(chosen));
      own.held.forEach((r, at) => {
        losses[r] = own.losses[at];
      });
    }
    return losses;
  };
  const [before, after] = [without, best].map(onAll);
  const rows = labelled.filter((r) => !Number.isNaN(before[r]) && !Number.isNaN(after[r]));
  const own = (numbers: Float64Array): Float64Array => Float64Array.from(rows, (r) => numbers[r]);
  const difference = differenceOf(own(after), own(before), own(plain.weights));
  const taken = missing === "informative" || difference.mean < -TELLING * difference.standardError;
  const components = Number(best.trial.shape.components);
  return { way: taken ? best : without, comparison: { taken, difference, rows: rows.length, components } };
}

/** The loss after the best round. */
function lossOf({ heldOutLoss }: RoundsTrial): number {
  return Math.min(...heldOutLoss);
}

/** The same task with a column behind all others for each that has gaps, or undefined where none has. */
function withPattern(task: LearningTask): LearningTask | undefined {
  const { table, also, labelled } = task;
  const marks = gapColumns(table, labelled);
  if (marks.length === 0) return undefined;
  const cells = marks.map(({ gapOf }) =>
    markGaps(table.columns[table.schema.columns.findIndex(({ name }) => name === gapOf)]),
  );
  return {
    ...task,
    table: {
      ...table,
      schema: { columns: [...table.schema.columns, ...marks] },
      columns: [...table.columns, ...cells],
    },
    also: [...also, ...marks],
    byClass: true,
  };
}

function sizesOf({ components }: MixtureShape, rows: number): number[] {
  if (typeof components === "number") return [components];
  return SIZES.filter((size, at) => at === 0 || size * ROWS_PER_COMPONENT <= rows);
}
