import type { Dataset, Split } from "../datasets/dataset.ts";
import type { RepeatScores } from "./evaluate-repeat.ts";
import type { Scores } from "./metrics.ts";
import type { Protocol } from "./protocol.ts";

/** Per method one number per entry of `missing`; null where the method was not run. */
export type Series = Readonly<Record<string, readonly (number | null)[]>>;

/** The evaluation of one dataset, as it is stored and as `--json` prints it. */
export interface Results {
  readonly dataset: Dataset["name"];
  readonly title: string;
  readonly split: Split;
  readonly seed: number;
  readonly repeats: number;
  /** Repeats of each method: the slow ones have fewer. */
  readonly method_repeats: Readonly<Record<string, number>>;
  readonly l2: number;
  readonly columns: number;
  readonly training_rows: number;
  readonly test_rows: number;
  /** How many columns were missing. */
  readonly missing: readonly number[];
  readonly one_percent: number;
  readonly cross_entropy: Series;
  readonly accuracy: Series;
  readonly weighted_f1: Series;
  /** Of the means over repeats; null where there is one repeat. */
  readonly standard_error: {
    readonly cross_entropy: Series;
    readonly accuracy: Series;
    readonly weighted_f1: Series;
  };
}

/** What is known of a dataset besides the scores. */
export type Heading = Pick<
  Results,
  "dataset" | "title" | "split" | "seed" | "repeats" | "training_rows" | "test_rows"
>;

/** Means and standard errors over the repeats. */
export function summarise(
  heading: Heading,
  protocol: Protocol,
  repeats: readonly RepeatScores[],
  methods: readonly string[],
): Results {
  const series = (measure: keyof Scores, statistic: Statistic): Series =>
    Object.fromEntries(
      methods.map((name) => {
        const runs = repeats.flatMap((scores) => (scores[name] ? [scores[name]] : []));
        return [
          name,
          protocol.missing.map((_, at) => statistic(runs.map((run) => run[at]?.[measure] ?? null))),
        ];
      }),
    );
  const counts = methods.map((name) => [name, repeats.filter((scores) => scores[name]).length]);
  return {
    ...heading,
    method_repeats: Object.fromEntries(counts),
    l2: protocol.l2,
    columns: protocol.columns,
    missing: protocol.missing,
    one_percent: protocol.onePercent,
    cross_entropy: series("crossEntropy", mean),
    accuracy: series("accuracy", mean),
    weighted_f1: series("weightedF1", mean),
    standard_error: {
      cross_entropy: series("crossEntropy", standardError),
      accuracy: series("accuracy", standardError),
      weighted_f1: series("weightedF1", standardError),
    },
  };
}

type Statistic = (values: readonly (number | null)[]) => number | null;

function known(values: readonly (number | null)[]): number[] {
  return values.filter((x) => x !== null);
}

/** The mean of the repeats that have a number. */
export function mean(values: readonly (number | null)[]): number | null {
  const x = known(values);
  return x.length === 0 ? null : x.reduce((sum, value) => sum + value, 0) / x.length;
}

/** √( Σ (x − mean)² / (n − 1) / n ). */
export function standardError(values: readonly (number | null)[]): number | null {
  const x = known(values);
  const centre = mean(x);
  if (centre === null || x.length < 2) return null;
  const squares = x.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  return Math.sqrt(squares / (x.length - 1) / x.length);
}
