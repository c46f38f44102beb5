import type { Tilt } from "../distribution/factor.ts";
import type { Table } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import type { Evidence } from "./additive-evidence.ts";
import type { Feature } from "./features.ts";

/** An expected response. */
export interface Expected {
  /** K numbers. */
  readonly values: Float64Array;
  /** The largest standard error of the K values, in their own unit; 0 where they are exact up to rounding. */
  readonly standardError: number;
  /** Where they are sampled: independent estimates of K numbers each, as many for every row, whose mean the values are. */
  readonly replicates?: readonly Float64Array[];
}

/** How exact a sampled answer has to be; closed forms ignore it. */
export interface Precision {
  /** Up to this many completions are enumerated. */
  readonly enumerate: number;
  /** The standard error at which drawing ends, in units of {@link Expectation.scale}. */
  readonly tolerance: number;
  /** Evaluations of a decision tree, or of something as quick, at most. */
  readonly work: number;
  readonly seed: number;
  /** Independent estimates that a sampled answer is the mean of, where the predictor lets it be chosen. */
  readonly replicates?: number;
}

/** For one row by itself: as exact as can be had within a tenth of a second. */
export const ONE_ROW: Precision = { enumerate: 4096, tolerance: 0.002, work: 1 << 23, seed: 0 };
/** For the rows of a table. */
export const MANY_ROWS: Precision = { enumerate: 256, tolerance: 0.01, work: 1 << 22, seed: 0 };

/**
 * Writes the expected responses of rows `from` to `to` of a table.
 *
 * @param out (to − from) × K
 * @param errors the largest standard error of each row, where it is wanted
 */
export type AnswerRows = (from: number, to: number, out: Float64Array, errors?: Float64Array) => void;

/** When completions are enumerated, and how many are drawn otherwise. */
export interface CompletionLimits {
  readonly enumerate: number;
  readonly samples: number;
  readonly seed: number;
}

/** Answers to completions of a row: all of them, or draws. */
export interface CompletedAnswers {
  /** completions × K. */
  readonly values: Float64Array;
  /** One per completion; they sum to 1. */
  readonly weights: Float64Array;
  /** Whether these are all completions. */
  readonly exact: boolean;
}

/** What the answer becomes as missing columns become known, one at a time. */
export interface LookAhead {
  /** E[f | y], K numbers, as exact as the answers below. */
  readonly now: Float64Array;
  /** What learning a missing column does; the row is then what `learn` in features.ts makes of it. */
  column(i: number): Ahead;
}

/** The law of E[f | y, x_i] over P(x_i | y), for one missing column. */
export interface Ahead {
  /**
   * E_{x_i}[ g( E[f | y, x_i], E[f | y] ) ]: a sum over values, or an integral with its estimated error. Where answers are sampled the
   * second is the mean of the first, so that their common errors cancel, and the error is a standard error. A column with an
   * indicator of missing values has no such second argument: the answer also changes because the column is no longer missing.
   */
  mean(g: (then: Float64Array, now: Float64Array) => number): {
    readonly value: number;
    readonly error?: number;
  };
  /** P( test( E[f | y, x_i] ) ). */
  share(test: (values: Float64Array) => boolean): number;
  /**
   * E[f | y] with the missing column tilted, K numbers: Σ_v P(v | y) e^{t(v)} E[f | y, v] / Σ_v P(v | y) e^{t(v)}. The column stays
   * missing, so that indicators of missing values stay as they are.
   */
  tilted(tilt: Tilt): Float64Array;
}

/** Positions of features that are known; all others of the row are hidden. */
export type FeatureSet = readonly number[];

/** An output for several sets of features, as its score: the log-odds of a class, or the number itself. */
export interface SetValues {
  readonly scores: Float64Array;
  /** Standard errors of the output's own values, probabilities of a class; absent where all are exact up to rounding. */
  readonly errors?: Float64Array;
}

/** How an output changes when one feature after the other is hidden and all others stay known: n numbers each. */
export interface LeaveOneOut {
  /** The score with all features less the score without the feature: of log-odds of a class, or of the number itself. */
  readonly scores: Float64Array;
  /** The same of the output itself: probabilities of a class, or the number. */
  readonly values: Float64Array;
  /** 1 where the feature raises the output, −1 where it lowers it, 0 where the difference is rounding or noise of sampled answers. */
  readonly sign: Int8Array;
}

/** The expected response for every set of a row's known features. Each set is computed once. */
export interface Coalitions {
  readonly features: readonly Feature[];
  /** The expected response where only these features are known. */
  value(set: FeatureSet): Expected;
  leaveOneOut(output: number): LeaveOneOut;
  /** All 2ⁿ sets, bit f of the set being feature f; undefined where that would take too long. */
  table(output: number): SetValues | undefined;
  /** The sets of the first 0, 1, …, n features of an order. */
  along(order: ArrayLike<number>, output: number): SetValues;
  /** Multiply-adds of the value of a set, roughly: more once a value was sampled. */
  readonly cost: number;
  /** Whether any value so far was sampled: then nothing is proved. */
  readonly sampled: boolean;
  /** Sums of log-odds per feature, for proofs of a minimum; absent where answers are no such sums. */
  readonly evidence?: Evidence;
}

/** The law of one output over the completions of a row. */
export interface OutputDistribution {
  /** P(output ≥ threshold), with bounds. */
  atLeast(threshold: number): Bounds;
  quantile(p: number): Bounds;
  /** "exact": the bounds are the same number up to rounding; "grid": the truth is proved to lie between them. */
  readonly method: "exact" | "grid";
}

export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/**
 * E[f(X) | known cells], made once of a predictor and a distribution. Questions ask this and never which kind of
 * predictor they have. Optional members are capabilities: absent where they cannot be had.
 */
export interface Expectation {
  /** Number of outputs. */
  readonly K: number;
  /** Multiply-adds of one answer, roughly: questions set their budgets by it. */
  readonly cost: number;
  /** The unit of errors: 1 for probabilities, the standard deviation of all answers for a number. */
  readonly scale: number;
  /** Whether E[f | y] is the posterior of the classes whose scores the distribution carries: P(k | y) = Σ_m P(m, k | y). */
  readonly isPosterior: boolean;
  /** Whether answers may come with standard errors. */
  readonly sampled: boolean;
  /** Whether rows are answered about as fast as their cells are copied, so that threads pay only for shared memory. */
  readonly memoryBound: boolean;
  /** Rows that are best answered together. */
  readonly rowsTogether: number;
  /** The expected response to one row; the predictor's own answer, to the last bit, where all columns it uses are known. */
  expect(cells: Cells, precision?: Precision): Expected;
  /** The same for rows of a table, whose numbers are finite or missing. */
  answerRows(table: Table, precision?: Precision): AnswerRows;
  /** The predictor's own answers to complete rows: rows × K. */
  evaluate(rows: Table): Float64Array;
  /** The predictor's answers to the ways to complete a row. */
  completions(cells: Cells, limits: CompletionLimits): CompletedAnswers;
  /**
   * What the answer becomes as missing columns become known.
   *
   * @param tolerance the error of an integral that is small enough
   */
  lookAhead(cells: Cells, tolerance?: number): LookAhead;
  /**
   * The expected response for sets of a row's known features.
   *
   * @param before called before each computation
   * @param precision of sampled answers
   */
  coalitions(
    cells: Cells,
    features: readonly Feature[],
    before?: () => void,
    precision?: Precision,
  ): Coalitions;
  /** Var(f | known cells) of a number, where it is exact; undefined where it is not. */
  variance?(cells: Cells): number | undefined;
  /** The law of an output where it has a closed form or proved bounds, within so many normal distributions. */
  outputDistribution?(cells: Cells, output: number, limit: number): OutputDistribution | undefined;
}

/** The expected responses to all rows of a table, rows × K. */
export function answerTable(expectation: Expectation, table: Table, precision?: Precision): Float64Array {
  const { K, rowsTogether } = expectation;
  const out = new Float64Array(table.rows * K);
  const answer = expectation.answerRows(table, precision);
  for (let from = 0; from < table.rows; from += rowsTogether) {
    const to = Math.min(from + rowsTogether, table.rows);
    answer(from, to, out.subarray(from * K, to * K));
  }
  return out;
}
