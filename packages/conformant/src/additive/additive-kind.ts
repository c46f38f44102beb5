import { ClassScorer } from "../distribution/class-scores.ts";
import { type CompletionSpace, completionSpace } from "../distribution/completion-space.ts";
import { drawCompletions, enumerateCompletions, type VisitCompletion } from "../distribution/completions.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { isMixture, mixtureScores, rejectInfinite, scoresOf } from "../distribution/score-rows.ts";
import { manyRows } from "../gaussian/many-rows.ts";
import { mixtureAbove, mixtureQuantile } from "../math/normal-mixture.ts";
import { logistic, logit, softmaxInPlace } from "../math/softmax.ts";
import { Scratch } from "../math/vectors.ts";
import type {
  AnswerRows,
  Bounds,
  Coalitions,
  CompletedAnswers,
  CompletionLimits,
  Expectation,
  Expected,
  LookAhead,
  OutputDistribution,
} from "../predictors/expectation.ts";
import type { Feature } from "../predictors/features.ts";
import type { PredictorKind } from "../predictors/predictor.ts";
import { weightedColumns } from "../schema/class-tilt.ts";
import type { Table } from "../schema/data.ts";
import { type Cells, tableOfRow } from "../schema/read-row.ts";
import { rowsWithGaps } from "../schema/rows.ts";
import { AdditiveCoalitions } from "./additive-coalitions.ts";
import { additiveLookAhead } from "./additive-look-ahead.ts";
import { addColumns, additiveResponse, type Classifier } from "./classifier.ts";
import { classifyRows } from "./classify.ts";
import {
  addCompletion,
  type CompletedScores,
  classGrid,
  logOddsNormals,
  normalParts,
  tiltedScores,
} from "./log-odds.ts";
import { expectRow, sumShares } from "./predict-incomplete-row.ts";

/** Additive classifiers: their conforming distribution carries their scores, so that the expected prediction is a closed form. */
export const additiveKind: PredictorKind<Classifier> = {
  kind: "additive",
  description: "an additive classifier",
  sampled: false,
  response: additiveResponse,
  columnsUsed: weightedColumns,
  evaluate: classifyRows,
  tilt: (classifier) => classifier,
  expectation: (classifier, distribution) => new AdditiveExpectation(classifier, distribution),
  write: ({ training }) => (training ? { training } : {}),
  addColumns,
};

/** Rows that are read and then scored while they are in the processor's cache, without a mixture. */
const TOGETHER = 2048;

/**
 * The expected prediction of an additive classifier under a distribution that carries its scores: P(k | y) = Σ_m P(m, k | y),
 * exact up to rounding. One row gives the same numbers as many rows do, to the last bit, unless a Gaussian is missing numbers.
 */
class AdditiveExpectation implements Expectation {
  readonly K: number;
  readonly cost: number;
  readonly scale = 1;
  readonly sampled = false;
  readonly isPosterior = true;
  readonly memoryBound: boolean;
  readonly rowsTogether: number;
  readonly #classifier: Classifier;
  readonly #distribution: Distribution;

  constructor(classifier: Classifier, distribution: Distribution) {
    const { schema, components } = distribution;
    const mixture = isMixture(distribution);
    this.K = classifier.intercept.length;
    this.cost = schema.columns.length * components.length * this.K;
    this.memoryBound = !mixture;
    this.rowsTogether = mixture
      ? Math.max(...scoresOf(distribution).map((factor) => factor.rowsTogether))
      : TOGETHER;
    this.#classifier = classifier;
    this.#distribution = distribution;
  }

  expect(cells: Cells): Expected {
    return { values: expectRow(this.#distribution, cells), standardError: 0 };
  }

  answerRows(table: Table): AnswerRows {
    const distribution = this.#distribution;
    return this.memoryBound ? fromComponent(distribution, table) : fromMixture(distribution, table);
  }

  evaluate(rows: Table): Float64Array {
    return classifyRows(this.#classifier, rows);
  }

  completions(cells: Cells, { enumerate, samples, seed }: CompletionLimits): CompletedAnswers {
    const { K } = this;
    const space = completionSpace(this.#distribution, tableOfRow(this.#distribution.schema, cells), 0);
    const scores = tiltedScores(space, cells);
    const exact = space.size <= enumerate;
    const count = exact ? space.size : samples;
    const [values, weights] = [new Float64Array(count * K), new Float64Array(count)];
    let at = 0;
    const visit: VisitCompletion = (atoms, weight, numbers) => {
      const own = values.subarray(at * K, (at + 1) * K);
      addCompletion(scores, atoms, numbers, own);
      softmaxInPlace(own);
      weights[at++] = weight;
    };
    if (exact) enumerateCompletions(space, visit);
    else drawCompletions(space, samples, seed, visit);
    return { values, weights, exact };
  }

  coalitions(cells: Cells, features: readonly Feature[], before?: () => void): Coalitions {
    return new AdditiveCoalitions(this.#distribution, cells, features, this.expect(cells), before);
  }

  lookAhead(cells: Cells, tolerance?: number): LookAhead {
    return additiveLookAhead(this.#distribution, cells, this.expect(cells).values, tolerance);
  }

  outputDistribution(cells: Cells, output: number, enumerate: number): OutputDistribution | undefined {
    if (this.K !== 2) return undefined;
    const space = completionSpace(this.#distribution, tableOfRow(this.#distribution.schema, cells), 0);
    if (space.size <= enumerate) return undefined;
    return logOddsDistribution(space, tiltedScores(space, cells), output, Math.min(enumerate, MOST_PARTS));
  }
}

/** Normal distributions that are added up; each is evaluated a hundred times. */
const MOST_PARTS = 1 << 14;

/** The law of P(output) of two classes: in closed form where it is a mixture of few normal distributions, else on a grid. */
function logOddsDistribution(
  space: CompletionSpace,
  scores: CompletedScores,
  output: number,
  mostParts: number,
): OutputDistribution {
  if (normalParts(space) > mostParts) {
    const grid = classGrid(space, scores, output);
    return {
      method: "grid",
      atLeast: (threshold) => grid.atLeast(logit(threshold)),
      quantile: (p) => {
        const { lower, upper } = grid.quantile(p);
        return { lower: logistic(lower), upper: logistic(upper) };
      },
    };
  }
  const mixture = logOddsNormals(space, scores, output);
  const exactly = (value: number): Bounds => ({ lower: value, upper: value });
  return {
    method: "exact",
    atLeast: (threshold) => exactly(mixtureAbove(mixture, logit(threshold))),
    quantile: (p) => exactly(logistic(mixtureQuantile(mixture, p))),
  };
}

/** P(k | y) under the only component. */
function fromComponent({ tilt, components }: Distribution, table: Table): AnswerRows {
  const K = tilt.intercept.length;
  const scorer = new ClassScorer(tilt, components[0].logZ);
  return (from, to, out, errors) => {
    errors?.fill(0, 0, to - from);
    scorer.classify(table, from, to, out, manyRows);
    for (let r = 0; r < to - from; r++) if (Number.isNaN(out[r * K])) rejectInfinite(table, from + r);
  };
}

/** P(k | y) = Σ_m P(m, k | y). */
function fromMixture(distribution: Distribution, table: Table): AnswerRows {
  const [M, K] = [distribution.components.length, distribution.tilt.intercept.length];
  const work = new Scratch();
  const complete = fromComponent(distribution, table);
  return (from, to, out, errors) => {
    const rows = to - from;
    errors?.fill(0, 0, rows);
    const missing = rowsWithGaps(table, from, to, weightedColumns(distribution.tilt));
    // The classifier's own answer where its columns are known, to the last bit: every component gives the same.
    if (missing.includes(0)) complete(from, to, out);
    if (!missing.includes(1)) return;
    const scores = work.take(rows * M * K);
    mixtureScores(distribution, table, from, to, scores, manyRows);
    manyRows.use(scores.length, (kernels) => {
      const shares = kernels.hold(scores);
      kernels.exponentials(shares, rows, M * K);
      for (let r = 0; r < rows; r++) {
        if (missing[r] === 1 && !sumShares(shares, r * M * K, M, K, out, r * K))
          rejectInfinite(table, from + r);
      }
    });
  };
}
