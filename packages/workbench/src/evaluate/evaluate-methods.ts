import { type Model, predictColumns, random, type Table, type WatchOptions } from "conformant";
import { pickRows } from "conformant/internal";
import type { LabeledRows } from "../source/labeled-rows.ts";
import type { Reporter } from "../source/reporter.ts";
import { shuffled } from "../source/shuffled.ts";
import { watchWork } from "../source/watch-work.ts";
import { classificationVerdict } from "../verdict/classification-verdict.ts";
import type { ClassificationVerdict } from "../verdict/model-verdict.ts";
import { addReliability, type Reliability, reliability } from "../verdict/reliability.ts";
import { type Mechanism, maskCells, maskSeed } from "./mask-cells.ts";
import type { Method } from "./method.ts";
import { type Metric, mean, metricsOf, type Scores, score, standardError } from "./metrics.ts";

export interface EvaluationPlan {
  readonly rates: readonly number[];
  readonly repeats: number;
  readonly mechanism: Mechanism;
  /** Columns, by position, that are masked together. */
  readonly blocks: readonly (readonly number[])[];
  readonly seed: number;
}

/** One method's scores: per metric one number per rate, the mean over the repeats and its standard error. */
export interface MethodResult {
  readonly name: string;
  /** Rows that were scored: fewer than those of the evaluation where a method is slow. */
  readonly rows: number;
  /** On the rows as they are. */
  readonly unmasked: Scores;
  readonly mean: Readonly<Record<Metric, readonly number[]>>;
  readonly standardError: Readonly<Record<Metric, readonly number[]>>;
  /** Per rate: how sure its answers were and how often right, over all repeats. */
  readonly reliability: readonly Reliability[];
}

export interface Evaluation {
  readonly rates: readonly number[];
  readonly mechanism: Mechanism;
  readonly rows: number;
  readonly classes: readonly string[];
  /** What was measured. */
  readonly metrics: readonly Metric[];
  /** The first method on the rows as they are, beside guessing. */
  readonly verdict: ClassificationVerdict;
  readonly methods: readonly MethodResult[];
}

/** Operations of a slow method over all masks, and the rows that it is scored on at least. */
const [WORK, LEAST_ROWS] = [1e10, 200];

/** Masks the same cells for all methods and scores their answers, for each rate and repeat; slow methods on a random part of the rows. */
export function evaluateMethods(
  model: Model,
  methods: readonly Method[],
  { table, labels }: LabeledRows,
  plan: EvaluationPlan,
  messages: Pick<Reporter, "progress" | "tried">,
): Evaluation {
  const { outputs: classes } = model.response;
  const masks = plan.rates.length * plan.repeats;
  const full = predictColumns(model, table, watchWork(messages)).probabilities;
  const scorers = methods.map(
    (method) => new Scorer(method, rowsFor(method, table.rows, plan), { labels, full, classes }),
  );
  const unmasked = scorers.map((scorer) => scorer.score(table));
  const runs = methods.map(() => plan.rates.map((): ScoredAnswers[] => []));
  plan.rates.forEach((rate, i) => {
    for (let repeat = 0; repeat < plan.repeats; repeat++) {
      const masked = maskCells(table, rate, plan.mechanism, plan.blocks, maskSeed(plan.seed, i, repeat));
      scorers.forEach((scorer, m) => {
        const part = (i * plan.repeats + repeat) * methods.length + m;
        runs[m][i].push(
          scorer.score(masked, watchWork(messages, part, masks * methods.length, "evaluating")),
        );
      });
    }
  });
  const metrics = metricsOf(classes.length);
  return {
    rates: plan.rates,
    mechanism: plan.mechanism,
    rows: table.rows,
    classes,
    metrics,
    verdict: unmasked[0].verdict,
    methods: methods.map(({ name }, m) => ({
      name,
      rows: scorers[m].rows,
      unmasked: unmasked[m].scores,
      mean: perMetric(metrics, runs[m], mean),
      standardError: perMetric(metrics, runs[m], standardError),
      reliability: runs[m].map((repeats) => addReliability(repeats.map(({ bins }) => bins))),
    })),
  };
}

/** The rows that a method is scored on, chosen at random, in order; undefined for all of them. */
export function rowsFor(
  { work = 0 }: Pick<Method, "work">,
  rows: number,
  { rates, repeats, seed }: EvaluationPlan,
): Int32Array | undefined {
  const most = Math.max(LEAST_ROWS, Math.floor(WORK / (work * (rates.length * repeats + 1))));
  return rows <= most ? undefined : shuffled(rows, random(seed)).subarray(0, most).sort();
}

interface ScoredAnswers {
  readonly scores: Scores;
  readonly bins: Reliability;
  readonly verdict: ClassificationVerdict;
}

/** Scores a method on all rows or some of them. */
class Scorer {
  readonly rows: number;
  readonly #method: Method;
  readonly #chosen: Int32Array | undefined;
  readonly #labels: ArrayLike<number>;
  readonly #full: Float64Array;
  readonly #classes: readonly string[];

  constructor(
    method: Method,
    chosen: Int32Array | undefined,
    { labels, full, classes }: { labels: ArrayLike<number>; full: Float64Array; classes: readonly string[] },
  ) {
    const K = classes.length;
    this.#method = method;
    this.#chosen = chosen;
    this.#classes = classes;
    this.#labels = chosen ? Float64Array.from(chosen, (r) => labels[r]) : labels;
    this.#full = chosen
      ? Float64Array.from(
          { length: chosen.length * K },
          (_, at) => full[chosen[Math.floor(at / K)] * K + (at % K)],
        )
      : full;
    this.rows = this.#labels.length;
  }

  score(table: Table, watch?: WatchOptions): ScoredAnswers {
    const labels = this.#labels;
    const classes = this.#classes;
    const answers = this.#method.predict(this.#chosen ? pickRows(table, this.#chosen) : table, watch);
    const bins = reliability(answers, labels, classes.length);
    const verdict = classificationVerdict({ answers, labels, classes, folds: 0 });
    return { verdict, bins, scores: score(verdict, bins, answers, this.#full) };
  }
}

function perMetric(
  metrics: readonly Metric[],
  runs: readonly (readonly ScoredAnswers[])[],
  summary: (values: readonly number[]) => number,
): Record<Metric, number[]> {
  const entries = metrics.map(
    (metric) =>
      [metric, runs.map((repeats) => summary(repeats.map(({ scores }) => scores[metric])))] as const,
  );
  return Object.fromEntries(entries) as Record<Metric, number[]>;
}
