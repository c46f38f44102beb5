import {
  type Classifier,
  conformMixture,
  type HeldOutScore,
  type MixtureOptions,
  type Model,
  predictColumns,
  type Table,
  train,
} from "conformant";
import { classifyRows } from "conformant/internal";
import { type BaselineName, fitBaseline } from "conformant-workbench/baselines";
import { LABEL } from "../datasets/dataset.ts";
import { seedOf } from "../protocol/random.ts";
import { maskColumns } from "../protocol/removal.ts";
import type { NumericScore, NumericTableResults } from "./numeric-results.ts";
import type { NumericTable } from "./numeric-table.ts";

/** Shares of the columns that are hidden. */
export const RATES = [0.2, 0.4, 0.6, 0.8] as const;

/** Baselines by the names they have in tables. */
const COMPARED_METHODS: readonly (readonly [method: string, name: BaselineName])[] = [
  ["mean", "mean"],
  ["chained equations", "mice"],
  ["nearest neighbors (10)", "knn"],
];

/** Runs the baselines (where asked for), the mixture that chooses for itself, and what it chose from. */
export function compareTable(
  table: NumericTable,
  seed: number,
  baselines: boolean,
  progress: (line: string) => void,
): NumericTableResults {
  const judge = new Judge(table, seed);
  const { classifier } = judge;
  const scores: NumericScore[] = [];
  if (baselines) {
    for (const [method, name] of COMPARED_METHODS) {
      scores.push(judge.score(method, () => baseline(classifier, table.training, name)));
      progress(`${table.title}: ${method}`);
    }
  }
  const auto = judge.scoreMixture("auto", {});
  progress(`${table.title}: auto`);
  const candidates = bestOfEachKind(auto.model.certificate.choice?.curve ?? []).map((candidate) => {
    const { components, gaussian = [] } = candidate;
    const chosen = sameColumns(gaussian, auto.score.gaussian ?? []);
    if (chosen) return { ...auto.score, method: kindOf(table, gaussian), chosen };
    const { score } = judge.scoreMixture(kindOf(table, gaussian), { components, numeric: gaussian });
    progress(`${table.title}: ${score.method}`);
    return { ...score, chosen };
  });
  const { columns } = table.test.schema;
  const numeric = columns.filter(({ kind }) => kind === "numeric").length;
  return {
    title: table.title,
    rows: { training: table.training.rows, test: table.test.rows },
    columns: { numeric, other: columns.length - numeric },
    hidden: judge.hidden,
    complete: judge.crossEntropy(judge.full),
    scores: [...scores, auto.score],
    candidates,
  };
}

function baseline(
  classifier: Classifier,
  training: Table,
  name: BaselineName,
): (rows: Table) => Float64Array {
  const fitted = fitBaseline(name, classifier, training, { knn: { neighbors: 10 } });
  return (rows) => fitted.predict(rows).probabilities;
}

/** The best size of every kind that was tried. */
function bestOfEachKind(curve: readonly HeldOutScore[]): HeldOutScore[] {
  const best = new Map<string, HeldOutScore>();
  for (const score of curve) {
    const key = (score.gaussian ?? []).join();
    if (!(lossOf(score) >= lossOf(best.get(key)))) best.set(key, score);
  }
  return [...best.values()];
}

/** What the choice made small; infinite where there is no candidate. */
function lossOf(score: HeldOutScore | undefined): number {
  return score ? (score.crossEntropy ?? -score.logLikelihood) : Number.POSITIVE_INFINITY;
}

function sameColumns(a: readonly string[], b: readonly string[]): boolean {
  return a.join() === b.join();
}

function kindOf({ test }: NumericTable, gaussian: readonly string[]): string {
  const numeric = test.schema.columns.filter(({ kind }) => kind === "numeric").length;
  if (gaussian.length === 0) return "atoms";
  return gaussian.length === numeric ? "Gaussian" : `Gaussian for ${gaussian.length} of ${numeric}, atoms`;
}

/** One table with its classifier, its masks and the predictions on complete rows. */
class Judge {
  readonly classifier: Classifier;
  readonly hidden: readonly number[];
  readonly full: Float64Array;
  private readonly table: NumericTable;
  private readonly masked: readonly Table[];

  constructor(table: NumericTable, seed: number) {
    const { test, training, title } = table;
    this.table = table;
    this.classifier = train(training, { label: LABEL });
    this.full = classifyRows(this.classifier, test);
    this.hidden = RATES.map((rate) => Math.round(rate * test.columns.length));
    this.masked = this.hidden.map((count) => maskColumns(test, count, seedOf(seed, title, count)));
  }

  /** Mean cross entropy to the prediction on complete rows, ×100. */
  crossEntropy(predicted: Float64Array): number {
    let sum = 0;
    this.full.forEach((p, at) => {
      if (p > 0) sum -= p * Math.log(Math.max(predicted[at], Number.MIN_VALUE));
    });
    return (100 * sum) / this.table.test.rows;
  }

  score(method: string, prepare: () => (rows: Table) => Float64Array): NumericScore {
    const start = performance.now();
    const predictor = prepare();
    const fitted = performance.now();
    const crossEntropy = this.masked.map((rows) => this.crossEntropy(predictor(rows)));
    const end = performance.now();
    return {
      method,
      crossEntropy,
      seconds: { fit: (fitted - start) / 1000, predict: (end - fitted) / 1000 },
    };
  }

  scoreMixture(method: string, options: MixtureOptions): { score: NumericScore; model: Model } {
    let model: Model | undefined;
    const score = this.score(method, () => {
      // No time limit: the choice must not depend on the machine.
      const fitted = conformMixture(this.classifier, this.table.training, { ...options, timeLimit: 1e9 });
      model = fitted;
      return (rows) => predictColumns(fitted, rows).probabilities;
    });
    if (!model) throw new Error("unreachable: preparing made the model");
    const { components, certificate } = model;
    const gaussian = certificate.gaussian?.columns ?? [];
    return { score: { ...score, components: components.length, gaussian }, model };
  }
}
