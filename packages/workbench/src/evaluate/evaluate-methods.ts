import { type Model, predictColumns } from "conformant";
import type { LabeledRows } from "../source/labeled-rows.ts";
import type { Reporter } from "../source/reporter.ts";
import { watchWork } from "../source/watch-work.ts";
import { addReliability, type Reliability, reliability } from "../verdict/reliability.ts";
import { type Mechanism, maskCells, maskSeed } from "./mask-cells.ts";
import type { Method } from "./method.ts";
import { METRICS, type Metric, mean, type Scores, score, standardError } from "./metrics.ts";

export interface EvaluationPlan {
  readonly rates: readonly number[];
  readonly repeats: number;
  readonly mechanism: Mechanism;
  /** Columns, by position, that are hidden together. */
  readonly blocks: readonly (readonly number[])[];
  readonly seed: number;
}

/** One method's scores: per metric one number per rate, the mean over the repeats and its standard error. */
export interface MethodResult {
  readonly name: string;
  /** On the rows as they are. */
  readonly unhidden: Scores;
  readonly mean: Readonly<Record<Metric, readonly number[]>>;
  readonly standardError: Readonly<Record<Metric, readonly number[]>>;
  /** Per rate: how sure its answers were and how often right, over all repeats. */
  readonly reliability: readonly Reliability[];
}

export interface Evaluation {
  readonly rates: readonly number[];
  readonly rows: number;
  readonly methods: readonly MethodResult[];
}

/** Hides the same cells from all methods and judges their answers, for each rate and repeat. */
export function evaluateMethods(
  model: Model,
  methods: readonly Method[],
  { table, labels }: LabeledRows,
  plan: EvaluationPlan,
  messages: Pick<Reporter, "progress" | "tried">,
): Evaluation {
  const K = model.response.outputs.length;
  const full = predictColumns(model, table, watchWork(messages)).probabilities;
  const parts = plan.rates.length * plan.repeats * methods.length;
  const runs = methods.map(() => plan.rates.map((): Scores[] => []));
  const sureness = methods.map(() => plan.rates.map((): Reliability[] => []));
  plan.rates.forEach((rate, i) => {
    for (let repeat = 0; repeat < plan.repeats; repeat++) {
      const hidden = maskCells(table, rate, plan.mechanism, plan.blocks, maskSeed(plan.seed, i, repeat));
      methods.forEach((method, m) => {
        const part = (i * plan.repeats + repeat) * methods.length + m;
        const answers = method.predict(hidden, watchWork(messages, part, parts, "evaluating"));
        runs[m][i].push(score(answers, labels, full, K));
        sureness[m][i].push(reliability(answers, labels, K));
      });
    }
  });
  return {
    rates: plan.rates,
    rows: table.rows,
    methods: methods.map(({ name, predict }, m) => ({
      name,
      unhidden: score(predict(table), labels, full, K),
      mean: perMetric(runs[m], mean),
      standardError: perMetric(runs[m], standardError),
      reliability: sureness[m].map(addReliability),
    })),
  };
}

function perMetric(
  runs: readonly (readonly Scores[])[],
  summary: (values: readonly number[]) => number,
): Record<Metric, number[]> {
  const entries = METRICS.map(
    (metric) => [metric, runs.map((repeats) => summary(repeats.map((scores) => scores[metric])))] as const,
  );
  return Object.fromEntries(entries) as Record<Metric, number[]>;
}
