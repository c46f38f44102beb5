import { LogOddsGrid, normalParts, sumNormals } from "../additive/log-odds.ts";
import { ClassScorer } from "../distribution/class-scores.ts";
import type { CompletionSpace } from "../distribution/completion-space.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { isMixture, mixtureScores, rejectInfinite, scoresOf } from "../distribution/score-rows.ts";
import { missingSum } from "../gaussian/condition.ts";
import { manyRows } from "../gaussian/many-rows.ts";
import { expectedLogistic } from "../math/expected-logistic.ts";
import { normalBelow } from "../math/normal.ts";
import { mixtureAbove, mixtureQuantile, type NormalMixture } from "../math/normal-mixture.ts";
import { Scratch } from "../math/vectors.ts";
import { DefaultExpectation, TOGETHER } from "../predictors/default-expectation.ts";
import {
  type AnswerRows,
  type Bounds,
  type Expected,
  MANY_ROWS,
  ONE_ROW,
  type OutputDistribution,
  type Precision,
} from "../predictors/expectation.ts";
import { numberOf, sumOf } from "../predictors/number-link.ts";
import { openSpace } from "../predictors/open-space.ts";
import type { PredictorKind } from "../predictors/predictor.ts";
import { flatTilt } from "../schema/class-tilt.ts";
import { isLinear, slotOffsets } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import { type Cells, isMissing, tableOfRow } from "../schema/read-row.ts";
import { rowsWithGaps } from "../schema/rows.ts";
import {
  addColumns,
  columnsOf,
  evaluateLinear,
  type LinearRegressor,
  linearResponse,
  scoreOf,
} from "./linear-regressor.ts";
import { linearSums, withMeans, withSums } from "./linear-scores.ts";

/** Linear regression and generalized linear models: numbers made of a sum over columns. */
export const linearKind: PredictorKind<LinearRegressor> = {
  kind: "linear",
  description: "a linear regressor",
  sampled: false,
  response: linearResponse,
  columnsUsed: columnsOf,
  evaluate: evaluateLinear,
  tilt: ({ schema }) => flatTilt(schema, 1),
  expectation: (regressor, distribution) => new LinearExpectation(regressor, distribution),
  write: ({ output, link, intercept, weights, training }) => ({
    regressor: {
      kind: "linear",
      output,
      link,
      intercept,
      weights: [...weights],
      ...(training && { training }),
    },
  }),
  addColumns,
};

/** Rows that are scored together without a mixture. */
const WITHOUT_MIXTURE = 2048;
/** Normal distributions that are added up for one row; each is evaluated a hundred times where quantiles are asked for. */
const MOST_PARTS = 1 << 14;
/** The largest slope of Φ, 1/√(2π). */
const PROBIT_SLOPE = 0.3989422804014327;

/**
 * What a linear regressor is expected to answer. With r_m = P(m | y) and η the sum,
 *
 *     identity   Σ_m r_m E_m[η | y]             log   Σ_m r_m E_m[e^η | y]
 *
 * where both are products and sums over columns and a Gaussian adds w·μ + ½ wᵀΣw: exact, and scored for many rows at once. Under the other links it
 * is exact where few values are open, bounded on a grid for one row, else drawn.
 */
class LinearExpectation extends DefaultExpectation<LinearRegressor> {
  override readonly cost: number;
  override readonly sampled: boolean;
  override readonly memoryBound: boolean;
  override readonly rowsTogether: number;
  readonly #regressor: LinearRegressor;
  readonly #distribution: Distribution;
  readonly #used: readonly number[];
  readonly #closed: ClosedForm | undefined;
  #second: ClosedForm | undefined;

  constructor(regressor: LinearRegressor, distribution: Distribution) {
    super(linearKind, regressor, distribution);
    const mixture = isMixture(distribution);
    this.#regressor = regressor;
    this.#distribution = distribution;
    this.#used = columnsOf(regressor);
    this.#closed = closedForm(regressor, distribution);
    this.sampled = this.#closed === undefined;
    this.cost = distribution.schema.columns.length * distribution.components.length * 3;
    this.memoryBound = this.#closed !== undefined && !mixture;
    if (!this.#closed) this.rowsTogether = TOGETHER;
    else if (!mixture) this.rowsTogether = WITHOUT_MIXTURE;
    else this.rowsTogether = Math.max(...scoresOf(distribution).map((factor) => factor.rowsTogether));
  }

  override expect(cells: Cells, precision = ONE_ROW): Expected {
    const table = tableOfRow(this.#distribution.schema, cells);
    if (this.#isComplete(cells)) return { values: this.evaluate(table), standardError: 0 };
    if (this.#closed) {
      const values = new Float64Array(1);
      this.#closed(table, 0, 1, values);
      return { values, standardError: 0 };
    }
    const space = openSpace(this.#distribution, cells, new Set(this.#used));
    const meanOf = this.#regressor.link === "logit" ? expectedLogistic : expectedProbit;
    if (normalParts(space) <= Math.max(precision.enumerate, space.posterior.length)) {
      const { weights, means, standardDeviations } = this.#lawOf(cells, space);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const mean = weights.reduce(
        (sum, w, j) => sum + (w / total) * meanOf(means[j], standardDeviations[j]),
        0,
      );
      return { values: Float64Array.of(mean), standardError: 0 };
    }
    if (precision !== ONE_ROW) return super.expect(cells, precision);
    const { start, values, slopes } = this.#terms(cells, space);
    const slope = this.#regressor.link === "logit" ? 1 / 4 : PROBIT_SLOPE;
    const found = new LogOddsGrid(space, start, values, slopes).expected(meanOf, slope);
    // Sums that lie far apart make the grid coarse.
    if (found.upper - found.lower > precision.tolerance) return super.expect(cells, precision);
    return { values: Float64Array.of(found.value), standardError: 0 };
  }

  override answerRows(table: Table, precision: Precision = MANY_ROWS): AnswerRows {
    const closed = this.#closed;
    if (!closed) return super.answerRows(table, precision);
    return (from, to, out, errors) => {
      errors?.fill(0, 0, to - from);
      if (this.memoryBound) return closed(table, from, to, out); // a complete row has no constants then, but its own sum
      const missing = rowsWithGaps(table, from, to, this.#used);
      if (missing.includes(1)) closed(table, from, to, out);
      if (!missing.includes(0)) return;
      // The regressor's own answer where its columns are known, to the last bit.
      const own = this.evaluate(rowsOf(table, from, to));
      for (let r = 0; r < to - from; r++) if (missing[r] === 0) out[r] = own[r];
    };
  }

  /** Var(f | y) = Σ_m r_m ( Var_m + mean_m² ) − mean²; of e^η by E[e^2η] as well. */
  variance(cells: Cells): number | undefined {
    const { link } = this.#regressor;
    if (link !== "identity" && link !== "log") return undefined;
    if (this.#isComplete(cells)) return 0;
    const space = openSpace(this.#distribution, cells, new Set(this.#used));
    if (link === "identity") return this.#varianceOfSum(cells, space);
    const table = tableOfRow(this.#distribution.schema, cells);
    const { intercept, weights } = this.#regressor;
    const twice = { ...this.#regressor, intercept: 2 * intercept, weights: weights.map((w) => 2 * w) };
    this.#second ??= closedForm(twice, this.#distribution);
    const square = new Float64Array(1);
    this.#second?.(table, 0, 1, square);
    return Math.max(0, square[0] - this.expect(cells).values[0] ** 2);
  }

  outputDistribution(cells: Cells, _: number, limit: number): OutputDistribution | undefined {
    const { link } = this.#regressor;
    const space = openSpace(this.#distribution, cells, new Set(this.#used));
    if (space.size <= limit) return undefined;
    if (normalParts(space) > Math.min(limit, MOST_PARTS)) {
      const { start, values, slopes } = this.#terms(cells, space);
      const grid = new LogOddsGrid(space, start, values, slopes);
      return {
        method: "grid",
        atLeast: (threshold) => grid.atLeast(sumOf(link, threshold)),
        quantile: (p) => {
          const { lower, upper } = grid.quantile(p);
          return { lower: numberOf(link, lower), upper: numberOf(link, upper) };
        },
      };
    }
    const law = this.#lawOf(cells, space);
    const exactly = (value: number): Bounds => ({ lower: value, upper: value });
    return {
      method: "exact",
      atLeast: (threshold) => exactly(mixtureAbove(law, sumOf(link, threshold))),
      quantile: (p) => exactly(numberOf(link, mixtureQuantile(law, p))),
    };
  }

  #isComplete(cells: Cells): boolean {
    const { columns } = this.#distribution.schema;
    return this.#used.every((i) => !isMissing(columns[i], cells[i]));
  }

  #varianceOfSum(cells: Cells, space: CompletionSpace): number {
    const { posterior, missing, normals } = space;
    const { values, slopes } = this.#terms(cells, space);
    const normal = missingSum(normals, slopes);
    const M = posterior.length;
    const [means, variances] = [normal.means.slice(), normal.deviations.map((deviation) => deviation ** 2)];
    missing.forEach(({ count, conditional }, j) => {
      for (let m = 0; m < M; m++) {
        let mean = 0;
        for (let v = 0; v < count; v++) mean += conditional[v * M + m] * values[j][v];
        let variance = 0;
        for (let v = 0; v < count; v++) variance += conditional[v * M + m] * (values[j][v] - mean) ** 2;
        means[m] += mean;
        variances[m] += variance;
      }
    });
    const mean = posterior.reduce((sum, r, m) => sum + r * means[m], 0);
    return posterior.reduce((sum, r, m) => sum + r * (variances[m] + (means[m] - mean) ** 2), 0);
  }

  /** The law of the sum. */
  #lawOf(cells: Cells, space: CompletionSpace): NormalMixture {
    const { start, values, slopes } = this.#terms(cells, space);
    return sumNormals(space, start, values, slopes);
  }

  /** What is known of the sum, what each value of a missing column adds, and what a unit of each hidden number adds. */
  #terms(
    cells: Cells,
    { missing, normals }: CompletionSpace,
  ): { readonly start: number; readonly values: readonly Float64Array[]; readonly slopes: Float64Array } {
    const { intercept, weights } = this.#regressor;
    const { schema } = this.#distribution;
    const slots = slotOffsets(schema);
    const scoreAt = (i: number, cell: number): number =>
      isLinear(schema.columns[i]) ? weights[slots[i]] * cell : weights[slots[i] + cell];
    let start = intercept;
    for (const i of this.#used) if (!isMissing(schema.columns[i], cells[i])) start += scoreAt(i, cells[i]);
    return {
      start,
      values: missing.map(({ index, count, cellOf }) =>
        Float64Array.from({ length: count }, (_, v) => scoreAt(index, cellOf(v))),
      ),
      slopes: Float64Array.from(normals.columns, (i) => weights[slots[i]]),
    };
  }
}

/** E[Φ(μ + s Z)] = Φ( μ / √(1 + s²) ) for a standard normal Z. */
function expectedProbit(mean: number, deviation: number): number {
  return normalBelow(mean / Math.hypot(1, deviation));
}

/** Writes the expected answers of rows, as if none were complete. */
type ClosedForm = (table: Table, from: number, to: number, out: Float64Array) => void;

function closedForm(regressor: LinearRegressor, distribution: Distribution): ClosedForm | undefined {
  const { link } = regressor;
  if (link !== "identity" && link !== "log") return undefined;
  if (!isMixture(distribution)) return fromComponent(regressor, distribution);
  return link === "identity" ? fromMeans(regressor, distribution) : fromExponentials(regressor, distribution);
}

/** Under the only component a missing column adds a constant: its mean, or the logarithm of the mean of its exponential. */
function fromComponent(regressor: LinearRegressor, distribution: Distribution): ClosedForm {
  const { link, intercept } = regressor;
  const tilt = scoreOf(regressor);
  const { components } = (link === "identity" ? withMeans : withSums)(distribution, tilt);
  const used = new Set(columnsOf(regressor));
  // Exactly 0 for columns without weights, so that rows in which all others are known get the regressor's own answer to the last bit.
  const constants = components[0].logZ.map((constant, i) => (used.has(i) ? constant : 0));
  const scorer = new ClassScorer({ ...tilt, intercept: Float64Array.of(intercept) }, constants);
  return (table, from, to, out) => {
    scorer.score(table, from, to, out, manyRows);
    for (let r = 0; r < to - from; r++) {
      if (link !== "identity") out[r] = numberOf(link, out[r]);
      if (Number.isNaN(out[r])) rejectInfinite(table, from + r);
    }
  };
}

/** Σ_m r_m E_m[η | y]. */
function fromMeans(regressor: LinearRegressor, distribution: Distribution): ClosedForm {
  const { intercept } = regressor;
  const { scored, unit } = linearSums(regressor, distribution);
  const [M, T] = [scored.components.length, scored.tilt.intercept.length];
  const work = new Scratch();
  return (table, from, to, out) => {
    const rows = to - from;
    const scores = work.take(rows * M * T);
    mixtureScores(scored, table, from, to, scores, manyRows);
    for (let r = 0; r < rows; r++) {
      const start = r * M * T;
      let most = Number.NEGATIVE_INFINITY;
      for (let at = start; at < start + M * T; at += T) if (scores[at] > most) most = scores[at];
      let [total, sum] = [0, 0];
      for (let at = start; at < start + M * T; at += T) {
        const share = Math.exp(scores[at] - most);
        if (share === 0) continue;
        total += share;
        sum += share * (T === 2 ? scores[at + 1] - scores[at] : (scores[at + 1] - scores[at + 2]) / 2);
      }
      out[r] = intercept + (unit * sum) / total;
      if (Number.isNaN(out[r])) rejectInfinite(table, from + r);
    }
  };
}

/** Σ_m r_m E_m[e^η | y]: the scores of η and 0 are log π_m q_m(y) with and without log E_m[e^η | y]. */
function fromExponentials(regressor: LinearRegressor, distribution: Distribution): ClosedForm {
  const { intercept } = regressor;
  const { scored } = linearSums(regressor, distribution);
  const M = scored.components.length;
  const work = new Scratch();
  return (table, from, to, out) => {
    const rows = to - from;
    const scores = work.take(rows * M * 2);
    mixtureScores(scored, table, from, to, scores, manyRows);
    for (let r = 0; r < rows; r++) {
      out[r] = Math.exp(intercept + logSum(scores, 2 * r * M + 1, M) - logSum(scores, 2 * r * M, M));
      if (Number.isNaN(out[r])) rejectInfinite(table, from + r);
    }
  };
}

/** log Σ exp of M numbers, every second one from `start` on. */
function logSum(scores: Float64Array, start: number, M: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let m = 0; m < M; m++) most = Math.max(most, scores[start + 2 * m]);
  let sum = 0;
  for (let m = 0; m < M; m++) sum += Math.exp(scores[start + 2 * m] - most);
  return most + Math.log(sum);
}

/** Some rows of a table, as a table. */
function rowsOf(table: Table, from: number, to: number): Table {
  return { ...table, rows: to - from, columns: table.columns.map((cells) => cells.subarray(from, to)) };
}
