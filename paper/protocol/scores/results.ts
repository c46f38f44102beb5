import type { Split } from "../../datasets/dataset.ts";
import type { RepeatScores } from "../evaluate-repeat.ts";
import type { Protocol } from "../protocol.ts";
import type { Provenance } from "../provenance.ts";
import type { MethodSeconds } from "../time-methods.ts";
import type { Scores } from "./metrics.ts";

/** Per method one number per entry of `missing`; null where the method was not run. */
export type Series = Readonly<Record<string, readonly (number | null)[]>>;

/** The evaluation of one dataset, as it is stored and as `--json` prints it. */
export interface Results {
  readonly dataset: string;
  readonly title: string;
  readonly split: Split;
  readonly seed: number;
  readonly repeats: number;
  /** Repeats of each method: the slow ones have fewer. */
  readonly method_repeats: Readonly<Record<string, number>>;
  /** The seed of what goes missing, for each repeat. */
  readonly removal_seeds: readonly number[];
  readonly measure: Protocol["measure"];
  readonly l2: number;
  readonly pseudocount: number;
  readonly columns: number;
  readonly training_rows: number;
  readonly test_rows: number;
  /** How many columns were missing. */
  readonly missing: readonly number[];
  /** The numbers behind 20, 40, 60 and 80 %. */
  readonly rates: readonly number[];
  readonly one_percent: number;
  readonly cross_entropy: Series;
  readonly accuracy: Series;
  readonly weighted_f1: Series;
  /** Of the means over repeats; null where there is one repeat. */
  readonly standard_error: Readonly<Record<Measure, Series>>;
  /** How long each method takes at one per cent missing. */
  readonly seconds: Readonly<Record<string, MethodSeconds>>;
  /** Processor time of the whole evaluation in seconds, over all runs where it was interrupted. */
  readonly processor_seconds: number;
  readonly provenance: Provenance;
}

/** The measures by the names they have in results. */
export type Measure = "cross_entropy" | "accuracy" | "weighted_f1";

/** What is known of a run besides the scores and the protocol. */
export type Heading = Pick<
  Results,
  | "dataset"
  | "title"
  | "seed"
  | "training_rows"
  | "test_rows"
  | "removal_seeds"
  | "seconds"
  | "processor_seconds"
  | "provenance"
>;

/** Means and standard errors over the repeats. */
export function summarize(
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
  const { dataset, title, seed, training_rows, test_rows, removal_seeds, ...rest } = heading;
  return {
    dataset,
    title,
    split: protocol.split,
    seed,
    repeats: repeats.length,
    method_repeats: Object.fromEntries(counts),
    removal_seeds,
    measure: protocol.measure,
    l2: protocol.l2,
    pseudocount: protocol.pseudocount,
    columns: protocol.columns,
    training_rows,
    test_rows,
    missing: protocol.missing,
    rates: protocol.rates,
    one_percent: protocol.onePercent,
    cross_entropy: series("crossEntropy", mean),
    accuracy: series("accuracy", mean),
    weighted_f1: series("weightedF1", mean),
    standard_error: {
      cross_entropy: series("crossEntropy", standardError),
      accuracy: series("accuracy", standardError),
      weighted_f1: series("weightedF1", standardError),
    },
    ...rest,
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
  const center = mean(x);
  if (center === null || x.length < 2) return null;
  const squares = x.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return Math.sqrt(squares / (x.length - 1) / x.length);
}
