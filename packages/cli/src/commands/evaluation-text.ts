import {
  BINS,
  type Evaluation,
  METRICS,
  type Metric,
  type Reliability,
  roundPercent,
} from "conformant-workbench";
import { textTable } from "../terminal/text-table.ts";

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
};

/** A table per metric: a line per method, a column per share of masked cells; a star marks the best of each column. */
export function evaluationText({ rates, methods }: Evaluation): string {
  const blocks = METRICS.map((metric) => {
    const { title, better } = METRIC_WORDS[metric];
    const best = rates.map((_, i) =>
      bestOf(
        methods.map((method) => method.mean[metric][i]),
        better,
      ),
    );
    const asTheyAre = bestOf(
      methods.map(({ unhidden }) => unhidden[metric]),
      better,
    );
    const rows = methods.map(({ name, mean, standardError, unhidden }) => [
      name,
      `${unhidden[metric] === asTheyAre ? "* " : ""}${fixed(unhidden[metric])}`,
      ...rates.map(
        (_, i) =>
          `${mean[metric][i] === best[i] ? "* " : ""}${fixed(mean[metric][i])}${withError(standardError[metric][i])}`,
      ),
    ]);
    const table = textTable(["masked", "none", ...rates.map(roundPercent)], rows, (c) => c > 0);
    return `${title} (${better} is better)\n${table}`;
  });
  return blocks.join("\n\n");
}

export function bestOf(values: readonly number[], better: "higher" | "lower"): number {
  return better === "higher" ? Math.max(...values) : Math.min(...values);
}

/** The standard error after a mean, where there is one. */
export function withError(error: number): string {
  return Number.isFinite(error) ? ` ± ${error.toFixed(4)}` : "";
}

function fixed(x: number): string {
  return Number.isFinite(x) ? x.toFixed(4) : String(x);
}

/** The results as JSON. */
export function evaluationJson({ rates, methods, rows }: Evaluation): object {
  const results = methods.map(({ name, mean, standardError, unhidden, reliability }) => [
    name,
    {
      ...withAliases(mean),
      standardError: withAliases(standardError),
      standard_error: withAliases(standardError),
      unmasked: withAliases(unhidden),
      reliability: reliability.map(reliabilityJson),
    },
  ]);
  return {
    missing: rates,
    rows,
    methods: Object.fromEntries(results),
  };
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
