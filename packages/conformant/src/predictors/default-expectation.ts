import { type CompletionSpace, eachCell } from "../distribution/completion-space.ts";
import { drawCompletions, enumerateCompletions, type VisitCompletion } from "../distribution/completions.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { emptyLike, type Table } from "../schema/data.ts";
import { type Cells, cellsOfRow, tableOfRow } from "../schema/read-row.ts";
import { ExpectedCoalitions } from "./default-coalitions.ts";
import { defaultLookAhead } from "./default-look-ahead.ts";
import {
  type AnswerRows,
  type Coalitions,
  type CompletedAnswers,
  type CompletionLimits,
  type Expectation,
  type Expected,
  type LookAhead,
  MANY_ROWS,
  ONE_ROW,
  type Precision,
} from "./expectation.ts";
import type { Feature } from "./features.ts";
import { openSpace } from "./open-space.ts";
import type { Predictor, PredictorKind } from "./predictor.ts";
import { spreadOf } from "./spread.ts";

/** Draws of the first round; every further round doubles their number. */
const FIRST = 512;
/** Groups of draws, whose means are independent estimates. */
const REPLICATES = 16;
/** Multiply-adds that one evaluation is taken for. */
const COST = 1 << 10;
/** Rows of a part of the work. */
export const TOGETHER = 64;

/**
 * The expectation of any predictor that can be evaluated: the mean of its answers over the completions of the columns it uses,
 * all of them where they are few, else draws until the standard error is small enough.
 */
export class DefaultExpectation<P extends Predictor> implements Expectation {
  readonly K: number;
  readonly cost: number = COST;
  readonly isPosterior = false;
  readonly sampled: boolean = true;
  readonly memoryBound: boolean = false;
  readonly rowsTogether: number = TOGETHER;
  readonly #kind: PredictorKind<P>;
  readonly #predictor: P;
  readonly #distribution: Distribution;
  readonly #used: ReadonlySet<number>;
  #scale: number | undefined;

  constructor(kind: PredictorKind<P>, predictor: P, distribution: Distribution) {
    this.K = kind.response(predictor).outputs.length;
    this.#kind = kind;
    this.#predictor = predictor;
    this.#distribution = distribution;
    this.#used = new Set(kind.columnsUsed(predictor));
  }

  get scale(): number {
    this.#scale ??= this.K > 1 ? 1 : spreadOf(this.#distribution, (rows) => this.evaluate(rows));
    return this.#scale;
  }

  expect(row: Cells, { enumerate, tolerance, work, seed } = ONE_ROW): Expected {
    const cells = row.slice(); // a row that was read is good until another one is
    const space = openSpace(this.#distribution, cells, this.#used);
    if (space.size <= enumerate) {
      const { values, weights } = this.#answers(cells, space, space.size, enumerateCompletions);
      return { values: meanOf(values, weights, this.K), standardError: 0 };
    }
    const most = Math.max(FIRST, Math.floor(work / COST));
    const sums = new Float64Array(2 * this.K); // of answers and of their squares
    let origin: number | undefined; // of a number, so that its squares do not drown its variance
    const groups = Array.from({ length: REPLICATES }, () => new Float64Array(this.K)); // sums of answers
    let count = 0;
    for (let round = FIRST; ; round = count) {
      const draw = (own: CompletionSpace, visit: VisitCompletion): void =>
        drawCompletions(own, round, seed + count, visit);
      const { values } = this.#answers(cells, space, round, draw);
      origin ??= this.K === 1 ? values[0] : 0;
      for (let at = 0; at < values.length; at++) {
        values[at] -= origin;
        sums[at % this.K] += values[at];
        sums[this.K + (at % this.K)] += values[at] ** 2;
        groups[Math.floor(at / this.K) % REPLICATES][at % this.K] += values[at];
      }
      count += round;
      const mean = sums.slice(0, this.K).map((sum) => sum / count);
      const variances = mean.map((p, k) => Math.max(0, sums[this.K + k] / count - p * p));
      const standardError = Math.sqrt(variances.reduce((most, v) => Math.max(most, v), 0) / (count - 1));
      if (standardError > tolerance * this.scale && count < most) continue;
      const start = origin;
      const replicates = groups.map((own) => own.map((sum) => start + (sum * REPLICATES) / count));
      return { values: mean.map((x) => start + x), standardError, replicates };
    }
  }

  answerRows(table: Table, precision = MANY_ROWS): AnswerRows {
    return (from, to, out, errors) => {
      for (let r = from; r < to; r++) {
        const { values, standardError } = this.expect(cellsOfRow(table, r).slice(), precision);
        out.set(values, (r - from) * this.K);
        if (errors) errors[r - from] = standardError;
      }
    };
  }

  evaluate(rows: Table): Float64Array {
    return this.#kind.evaluate(this.#predictor, rows);
  }

  completions(cells: Cells, { enumerate, samples, seed }: CompletionLimits): CompletedAnswers {
    const space = openSpace(this.#distribution, cells, this.#used);
    if (space.size <= enumerate)
      return { ...this.#answers(cells, space, space.size, enumerateCompletions), exact: true };
    const draw = (own: CompletionSpace, visit: VisitCompletion): void =>
      drawCompletions(own, samples, seed, visit);
    return { ...this.#answers(cells, space, samples, draw), exact: false };
  }

  lookAhead(cells: Cells): LookAhead {
    const remake = (other: Distribution): DefaultExpectation<P> =>
      new DefaultExpectation(this.#kind, this.#predictor, other);
    return defaultLookAhead(this, this.#distribution, cells, remake);
  }

  coalitions(
    cells: Cells,
    features: readonly Feature[],
    before?: () => void,
    precision?: Precision,
  ): Coalitions {
    return new ExpectedCoalitions(this, this.#distribution.schema, cells, features, before, precision);
  }

  /** Answers to completions, which are evaluated together. */
  #answers(
    cells: Cells,
    space: CompletionSpace,
    count: number,
    visitAll: (space: CompletionSpace, visit: VisitCompletion) => void,
  ): { values: Float64Array; weights: Float64Array } {
    const known = tableOfRow(this.#distribution.schema, cells);
    const columns = known.columns.map((column) => emptyLike(column, count).fill(column[0]));
    const weights = new Float64Array(count);
    let r = 0;
    visitAll(space, (atoms, weight, numbers) => {
      eachCell(space, atoms, numbers, (i, cell) => {
        columns[i][r] = cell;
      });
      weights[r++] = weight;
    });
    return { values: this.evaluate({ ...known, rows: count, columns }), weights };
  }
}

/** Σ_p weight_p · answer_p / Σ_p weight_p, K numbers. */
function meanOf(answers: Float64Array, weights: Float64Array, K: number): Float64Array {
  if (weights.length === 1) return answers; // the predictor's own answer, to the last bit
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = new Float64Array(K);
  for (let at = 0; at < answers.length; at++)
    mean[at % K] += (weights[Math.floor(at / K)] / total) * answers[at];
  return mean;
}
