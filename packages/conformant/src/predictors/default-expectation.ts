import { type CompletionSpace, completionSpace, eachCell, sizeOf } from "../distribution/completion-space.ts";
import { drawCompletions, enumerateCompletions, type VisitCompletion } from "../distribution/completions.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { pickNormals } from "../gaussian/condition.ts";
import { emptyLike, type Table } from "../schema/data.ts";
import { type Cells, cellsOfRow, isMissing, tableOfRow } from "../schema/read-row.ts";
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
import type { Predictor, PredictorKind } from "./predictor.ts";

/** Draws of the first round; every further round doubles their number. */
const FIRST = 512;
/** Groups of draws, whose means are independent estimates. */
const REPLICATES = 16;
/** Multiply-adds that one evaluation is taken for. */
const COST = 1 << 10;

/**
 * The expectation of any predictor that can be evaluated: the mean of its answers over the completions of the columns it uses,
 * all of them where they are few, else draws until the standard error is small enough.
 */
export class DefaultExpectation<P extends Predictor> implements Expectation {
  readonly K: number;
  readonly cost = COST;
  readonly isPosterior = false;
  readonly sampled = true;
  readonly memoryBound = false;
  readonly rowsTogether = 64;
  readonly #kind: PredictorKind<P>;
  readonly #predictor: P;
  readonly #distribution: Distribution;
  readonly #used: ReadonlySet<number>;

  constructor(kind: PredictorKind<P>, predictor: P, distribution: Distribution) {
    this.K = kind.response(predictor).outputs.length;
    this.#kind = kind;
    this.#predictor = predictor;
    this.#distribution = distribution;
    this.#used = new Set(kind.columnsUsed(predictor));
  }

  expect(cells: Cells, { enumerate, tolerance, work, seed } = ONE_ROW): Expected {
    const space = this.#openColumns(cells);
    if (space.size <= enumerate) {
      const { values, weights } = this.#answers(cells, space, space.size, enumerateCompletions);
      return { values: meanOf(values, weights, this.K), standardError: 0 };
    }
    const most = Math.max(FIRST, Math.floor(work / COST));
    const sums = new Float64Array(2 * this.K); // of answers and of their squares
    const groups = Array.from({ length: REPLICATES }, () => new Float64Array(this.K)); // sums of answers
    let count = 0;
    for (let round = FIRST; ; round = count) {
      const draw = (own: CompletionSpace, visit: VisitCompletion): void =>
        drawCompletions(own, round, seed + count, visit);
      const { values } = this.#answers(cells, space, round, draw);
      for (let at = 0; at < values.length; at++) {
        sums[at % this.K] += values[at];
        sums[this.K + (at % this.K)] += values[at] ** 2;
        groups[Math.floor(at / this.K) % REPLICATES][at % this.K] += values[at];
      }
      count += round;
      const mean = sums.slice(0, this.K).map((sum) => sum / count);
      const variances = mean.map((p, k) => Math.max(0, sums[this.K + k] / count - p * p));
      const standardError = Math.sqrt(variances.reduce((most, v) => Math.max(most, v), 0) / (count - 1));
      if (standardError > tolerance && count < most) continue;
      const replicates = groups.map((own) => own.map((sum) => (sum * REPLICATES) / count));
      return { values: mean, standardError, replicates };
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
    const space = this.#openColumns(cells);
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

  /** The ways to complete the missing columns that the predictor uses; what the others may be does not matter. */
  #openColumns(cells: Cells): CompletionSpace {
    const { schema } = this.#distribution;
    const space = completionSpace(this.#distribution, tableOfRow(schema, cells), 0);
    const isOpen = (i: number): boolean => this.#used.has(i) && isMissing(schema.columns[i], cells[i]);
    const missing = space.missing.filter(({ index }) => isOpen(index));
    const normals = pickNormals(space.normals, isOpen);
    return {
      ...space,
      missing,
      normals,
      size: normals.columns.length > 0 ? Number.POSITIVE_INFINITY : sizeOf(missing),
    };
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
