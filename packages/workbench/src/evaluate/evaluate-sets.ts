import { type Calibration, type Model, predictionSets, random } from "conformant";
import { pickRows } from "conformant/internal";
import type { LabeledRows } from "../source/labeled-rows.ts";
import type { Reporter } from "../source/reporter.ts";
import { shuffled } from "../source/shuffled.ts";
import { watchWork } from "../source/watch-work.ts";
import type { EvaluationPlan } from "./evaluate-methods.ts";
import { type Mechanism, maskCells, maskSeed } from "./mask-cells.ts";
import { mean, standardError } from "./metrics.ts";

/** The coverage of prediction sets as more values are masked, one number per rate; the first is with nothing masked. */
export interface SetsEvaluation {
  /** What was asked for. */
  readonly coverage: number;
  readonly rates: readonly number[];
  readonly mechanism: Mechanism;
  readonly rows: number;
  readonly calibrationRows: number;
  /** The share of rows whose set holds their class: the mean over the repeats and its standard error. */
  readonly covered: readonly number[];
  readonly standardError: readonly number[];
  /** Classes in a set, on average. */
  readonly classes: readonly number[];
  /** The share of rows for which there were enough calibration rows to rule anything out. */
  readonly enough: readonly number[];
}

/** Rows that are judged at a time: each may have gaps of its own, and so a pass over all calibration rows. */
const MOST_ROWS = 200;

/** Hides the same cells as from all methods and looks whether the sets hold the class as often as they say. */
export function evaluateSets(
  model: Model,
  { calibration, coverage }: { readonly calibration: Calibration; readonly coverage: number },
  { table, labels }: LabeledRows,
  plan: EvaluationPlan,
  messages: Pick<Reporter, "progress" | "tried">,
): SetsEvaluation {
  const chosen = shuffled(table.rows, random(plan.seed)).subarray(0, MOST_ROWS).sort();
  const rates = [0, ...plan.rates];
  const parts = rates.length * plan.repeats;
  const judged = rates.map((rate, i) =>
    Array.from({ length: rate === 0 ? 1 : plan.repeats }, (_, repeat) => {
      const seed = maskSeed(plan.seed, i - 1, repeat);
      const masked = rate === 0 ? table : maskCells(table, rate, plan.mechanism, plan.blocks, seed);
      const watch = watchWork(messages, i * plan.repeats + repeat, parts, "judging sets");
      const sets = predictionSets(model, calibration, pickRows(masked, chosen), { coverage, ...watch });
      return judge(sets, chosen, labels, coverage);
    }),
  );
  const per = (pick: (run: JudgedSets) => number): number[] => judged.map((runs) => mean(runs.map(pick)));
  return {
    coverage,
    rates,
    mechanism: plan.mechanism,
    rows: chosen.length,
    calibrationRows: calibration.labels.length,
    covered: per((run) => run.covered),
    standardError: judged.map((runs) => standardError(runs.map((run) => run.covered))),
    classes: per((run) => run.classes),
    enough: per((run) => run.enough),
  };
}

interface JudgedSets {
  readonly covered: number;
  readonly classes: number;
  readonly enough: number;
}

function judge(
  { members, calibrationRows, classes }: ReturnType<typeof predictionSets>,
  chosen: Int32Array,
  labels: ArrayLike<number>,
  coverage: number,
): JudgedSets {
  const [K, n] = [classes.length, chosen.length];
  const share = (holds: (r: number) => boolean): number =>
    chosen.reduce((sum, _, r) => sum + (holds(r) ? 1 : 0), 0) / n;
  return {
    covered: share((r) => members[r * K + labels[chosen[r]]] === 1),
    classes: members.reduce((sum, isIn) => sum + isIn, 0) / n,
    enough: share((r) => (calibrationRows[r] + 1) * coverage <= calibrationRows[r] + ROUNDING),
  };
}

/** Rounding of a product: 10 · 0.9 is 9. */
const ROUNDING = 1e-9;
