import type { MixtureShape } from "../conform/choosing/mixture-shape.ts";
import { differenceOf, type Mean } from "../conform/choosing/weighted-mean.ts";
import { gapColumns, markGaps } from "../schema/gap-columns.ts";
import type { Watch } from "../watch.ts";
import type { LearningTask } from "./alternate.ts";
import { HELD_OUT_EVERY, inRounds, type RoundsTrial, tryRounds } from "./try-rounds.ts";

/**
 * What gaps are taken for. "random": which cells are missing says nothing that the known ones do not. "informative": the pattern of gaps
 * itself helps to tell what is missing. "auto": the latter where held-out rows say so.
 */
export type GapsOption = "random" | "informative" | "auto";

/** What held-out rows say of the pattern of gaps. */
export interface GapsJudgement {
  /** Whether the pattern is part of the distribution. */
  readonly taken: boolean;
  /** Mean log loss with the pattern less that without it, over the held-out rows as they are. */
  readonly difference: Mean;
  /** Rows that were held out. */
  readonly rows: number;
  /** The size of the best mixture with the pattern. */
  readonly components: number;
}

/** A way to learn, and what was seen of it. */
interface Way {
  readonly task: LearningTask;
  /** The trial that sets the number of rounds. */
  readonly trial: RoundsTrial;
  /** Per row of the table, NaN where it was not held out. */
  readonly losses: Float64Array;
  readonly loss: number;
}

/** With fewer rows than this each fifth of them is held out once. */
const FEW_ROWS = 3000;
/** Sizes that are tried with the pattern of gaps, while there are so many rows for each component: one alone could learn nothing from it. */
const [SIZES, ROWS_PER_COMPONENT] = [[2, 4, 8, 16, 32], 10];

/** Standard errors by which the loss has to fall: the best of several sizes looks better than it is. */
const TELLING = 2;

/** Chooses how to learn from rows with gaps: with or without their pattern. */
export function judgeGaps(
  plain: LearningTask,
  labelled: Int32Array,
  asked: MixtureShape,
  gaps: GapsOption,
  rounds: number,
  watch: Watch,
): { readonly way: Pick<Way, "task" | "trial">; readonly judgement?: GapsJudgement } {
  const marked = gaps === "random" || asked.components === 1 ? undefined : withPattern(plain, labelled);
  const folds = marked && labelled.length < FEW_ROWS ? HELD_OUT_EVERY : 1;
  const sizes = sizesOf(asked, labelled.length);
  const steps = 1 + (marked ? sizes.length : 0);
  const tryWay = (task: LearningTask, shape: MixtureShape, step: number): Way => {
    const share = (fold: number): number => (step + fold / folds) / steps;
    const tryFold = (fold: number, own: MixtureShape): RoundsTrial =>
      tryRounds(task, labelled, own, rounds, fold, inRounds(watch, share(fold), share(fold + 1), rounds));
    const trial = tryFold(0, shape);
    // What was chosen for the first fold serves the others: to choose takes longer than all the rest.
    const others = Array.from({ length: folds - 1 }, (_, other) => tryFold(1 + other, trial.shape));
    return { task, trial, ...together(task, [trial, ...others]) };
  };
  const without = tryWay(plain, asked, 0);
  if (!marked) return { way: without };
  let best: Way | undefined;
  for (const [at, components] of sizes.entries()) {
    const way = tryWay(marked, { ...without.trial.shape, components }, 1 + at);
    if (best && !(way.loss < best.loss)) break;
    best = way;
  }
  if (!best) return { way: without };
  const rows = labelled.filter((r) => !Number.isNaN(without.losses[r]) && !Number.isNaN(best.losses[r]));
  const own = (losses: Float64Array): Float64Array => Float64Array.from(rows, (r) => losses[r]);
  const difference = differenceOf(own(best.losses), own(without.losses), own(plain.weights));
  const taken = gaps === "informative" || difference.mean < -TELLING * difference.standardError;
  const components = Number(best.trial.shape.components);
  return { way: taken ? best : without, judgement: { taken, difference, rows: rows.length, components } };
}

/** The same task with a column behind all others for each that has gaps, or undefined where none has. */
function withPattern(task: LearningTask, labelled: Int32Array): LearningTask | undefined {
  const { table, also } = task;
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

/** The losses of all folds. */
function together(
  { table, weights }: LearningTask,
  trials: readonly RoundsTrial[],
): Pick<Way, "losses" | "loss"> {
  const losses = new Float64Array(table.rows).fill(Number.NaN);
  let [sum, total] = [0, 0];
  for (const trial of trials)
    trial.held.forEach((r, at) => {
      losses[r] = trial.losses[at];
      sum += weights[r] * losses[r];
      total += weights[r];
    });
  return { losses, loss: sum / total };
}
