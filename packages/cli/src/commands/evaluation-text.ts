import {
  BINS,
  CLASS_SHARES,
  counted,
  type Evaluation,
  type MethodResult,
  type Metric,
  maskNames,
  type Reliability,
  type Scores,
} from "conformant-workbench";
import { describeVerdict } from "conformant-workbench/describe";
import { textTable } from "../terminal/text-table.ts";
import { verdictText } from "./verdict-text.ts";

/** The metrics in words, and which direction is better. */
export const METRIC_WORDS: Readonly<
  Record<Metric, { readonly title: string; readonly better: "higher" | "lower"; readonly meaning: string }>
> = {
  accuracy: {
    title: "Accuracy",
    better: "higher",
    meaning: "share of rows whose likeliest class is their label",
  },
  weightedF1: {
    title: "Weighted F1",
    better: "higher",
    meaning: "harmonic mean of precision and recall, classes weighted by their rows",
  },
  logLoss: { title: "Log loss", better: "lower", meaning: "mean of −log P(label)" },
  crossEntropy: {
    title: "Cross entropy to the full prediction",
    better: "lower",
    meaning: "how far the answer is from what the full row would get",
  },
  brier: {
    title: "Brier score",
    better: "lower",
    meaning: "mean squared distance of the probabilities from the label, over all classes",
  },
  calibrationError: {
    title: "Expected calibration error",
    better: "lower",
    meaning: "how far the likeliest class is from being right as often as its probability says, in ten bins",
  },
  auc: {
    title: "AUC",
    better: "higher",
    meaning:
      "probability that a row of the second class gets a higher probability of it than a row of the first",
  },
  recall: {
    title: "Recall",
    better: "higher",
    meaning: "share of the rows of the second class that are predicted to be of it",
  },
  precision: {
    title: "Precision",
    better: "higher",
    meaning: "share of the rows that are predicted to be of the second class that are of it",
  },
};

/** The title of a metric; those of two classes name the class they are about. */
export function metricTitle(metric: Metric, classes: readonly string[]): string {
  const { title } = METRIC_WORDS[metric];
  return metric === "recall" || metric === "precision" ? `${title} of ${classes[1]}` : title;
}

/** Which methods were scored on a sample of the rows, as a sentence; undefined where none was. */
export function sampledSentence({
  methods,
  rows,
}: Pick<Evaluation, "rows"> & { readonly methods: readonly Pick<MethodResult, "name" | "rows">[] }):
  | string
  | undefined {
  const sampled = methods.filter((method) => method.rows < rows);
  if (sampled.length === 0) return undefined;
  const names = sampled.map(
    (method) => `${method.name} is slow and scored on ${counted(method.rows, "row")}`,
  );
  return `${names.join("; ")}, chosen at random from the ${counted(rows, "test row")}`;
}

/**
 * The verdict on the rows as they are, and a table per metric: a line per method, a column per share of masked cells; a star marks the best
 * of each column.
 */
export function evaluationText(evaluation: Evaluation): string {
  const { rates, mechanism, methods, metrics, classes, verdict } = evaluation;
  const blocks = metrics.map((metric) => {
    const { better } = METRIC_WORDS[metric];
    const best = bestScores(evaluation, metric);
    const rows = methods.map(({ name, ...method }) => [
      name,
      ...scoresOf(method, metric).map(
        ([value, error], i) => `${value === best[i] ? "* " : ""}${fixed(value)}${withError(error)}`,
      ),
    ]);
    const table = textTable(["masked", ...maskNames(rates, mechanism)], rows, (c) => c > 0);
    return `${metricTitle(metric, classes)} (${better} is better)\n${table}`;
  });
  const sampled = sampledSentence(evaluation);
  const shares = methods.some(({ name }) => name === CLASS_SHARES)
    ? [
        `${CLASS_SHARES} answers every row with the class shares of the rows that the baselines are trained on; the first sentence has those of the scored rows.`,
      ]
    : [];
  return [
    verdictText(describeVerdict(verdict, classes)),
    ...(sampled ? [sampled] : []),
    ...blocks,
    ...shares,
  ].join("\n\n");
}

/** The scores of a method with their standard errors: on the rows as they are, then per share of masked cells. */
export function scoresOf(
  { unmasked, mean, standardError }: Pick<MethodResult, "unmasked" | "mean" | "standardError">,
  metric: Metric,
): (readonly [value: number, error: number])[] {
  return [
    [unmasked[metric], Number.NaN],
    ...mean[metric].map((value, i) => [value, standardError[metric][i]] as const),
  ];
}

/** The best scores on the rows as they are and per share of masked cells, of the methods that were scored on all rows. */
export function bestScores({ methods, rows, rates }: Evaluation, metric: Metric): number[] {
  // Shares that are the same for every row are calibrated by construction, and tell no row from another.
  const canWin = ({ name, ...method }: MethodResult): boolean =>
    method.rows === rows && !(metric === "calibrationError" && name === CLASS_SHARES);
  const scores = methods.filter(canWin).map((method) => scoresOf(method, metric));
  return [0, ...rates].map((_, i) => {
    const defined = scores.map((own) => own[i][0]).filter((value) => !Number.isNaN(value));
    return METRIC_WORDS[metric].better === "higher" ? Math.max(...defined) : Math.min(...defined);
  });
}

/** The standard error after a mean, where there is one. */
export function withError(error: number): string {
  return Number.isFinite(error) ? ` ± ${error.toFixed(4)}` : "";
}

export function fixed(x: number): string {
  return Number.isFinite(x) ? x.toFixed(4) : Number.isNaN(x) ? "-" : String(x);
}

/** The results as JSON. */
export function evaluationJson({ rates, mechanism, methods, rows, metrics, verdict }: Evaluation): object {
  const results = methods.map(({ name, mean, standardError, unmasked, reliability, ...method }) => [
    name,
    {
      rows: method.rows,
      ...withAliases(mean),
      standardError: withAliases(standardError),
      standard_error: withAliases(standardError),
      asTheyAre: withAliases(only(metrics, unmasked)),
      unmasked: withAliases(only(metrics, unmasked)),
      reliability: reliability.map(reliabilityJson),
    },
  ]);
  return {
    missing: rates,
    mask: mechanism,
    rows,
    verdict,
    methods: Object.fromEntries(results),
  };
}

function only(metrics: readonly Metric[], scores: Scores): Scores {
  return Object.fromEntries(metrics.map((metric) => [metric, scores[metric]])) as Scores;
}

/** Metrics by their names and, for one release, by the names in snake_case that earlier versions had. */
function withAliases<T>(byMetric: Readonly<Record<Metric, T>>): Record<string, T> {
  const { weightedF1, logLoss, crossEntropy, calibrationError } = byMetric;
  return {
    ...byMetric,
    weighted_f1: weightedF1,
    log_loss: logLoss,
    cross_entropy: crossEntropy,
    calibration_error: calibrationError,
  };
}

/** Per bin of how sure answers were: how many, how sure on average, and the share that was right. */
function reliabilityJson({ rows, confidence, right }: Reliability): object[] {
  return Array.from(rows, (n, bin) => ({
    from: bin / BINS,
    to: (bin + 1) / BINS,
    answers: n,
    confidence: n > 0 ? confidence[bin] / n : null,
    accuracy: n > 0 ? right[bin] / n : null,
  }));
}
