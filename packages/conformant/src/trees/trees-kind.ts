import { missingNormals } from "../distribution/completion-space.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { Hypercubes, RowCompletions } from "../distribution/hypercube-draws.ts";
import { posteriorOfRow } from "../distribution/score-rows.ts";
import type { MissingNormals } from "../gaussian/condition.ts";
import { ExpectedCoalitions } from "../predictors/default-coalitions.ts";
import { defaultLookAhead } from "../predictors/default-look-ahead.ts";
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
} from "../predictors/expectation.ts";
import type { Feature } from "../predictors/features.ts";
import type { PredictorKind } from "../predictors/predictor.ts";
import { spreadOf } from "../predictors/spread.ts";
import { flatTilt } from "../schema/class-tilt.ts";
import { type Column, checkSchema, isDiscrete } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import { type Cells, tableOfRow } from "../schema/read-row.ts";
import { enumerateCells } from "./cells.ts";
import { leafMasks } from "./leaf-masks.ts";
import { expectedSums, type LeafBoxes, leafBoxes } from "./leaf-sums.ts";
import { MaskedTrees } from "./masked-trees.ts";
import { answersOf, type OpenTrees } from "./open-trees.ts";
import { PrunedTrees } from "./pruned-trees.ts";
import { drawAnswer } from "./sampled-answer.ts";
import {
  answerCount,
  answerRows,
  linkSums,
  type TreeClassifier,
  type TreeEnsemble,
  type TreeRegressor,
} from "./tree-ensemble.ts";
import { writeTrees } from "./trees-in-file.ts";

/**
 * Ensembles of trees F with any distribution of their rows: P(x, k) = q(x) · F_k(x) conforms with F whatever q is, and the
 * expected prediction is the mean of F over the ways to complete a row.
 */
export const treesKind: PredictorKind<TreeClassifier> = {
  kind: "trees",
  description: "an ensemble of trees",
  sampled: true,
  response: ({ classes }) => ({ kind: "classes", outputs: classes }),
  columnsUsed: askedColumns,
  evaluate: answerRows,
  tilt: ({ schema, classes }) => flatTilt(schema, classes.length),
  expectation: (trees, distribution) => new TreeExpectation(trees, distribution),
  write: (trees) => ({ trees: writeTrees(trees) }),
  addColumns,
};

/** Ensembles of trees whose answer is a number. Where it is the sum of the leaves its expectation is a sum over leaves, too. */
export const regressionTreesKind: PredictorKind<TreeRegressor> = {
  kind: "regression-trees",
  description: "an ensemble of regression trees",
  sampled: true,
  response: ({ output }) => ({ kind: "number", outputs: [output] }),
  columnsUsed: askedColumns,
  evaluate: answerRows,
  tilt: ({ schema }) => flatTilt(schema, 1),
  expectation: (trees, distribution) => new TreeExpectation(trees, distribution),
  write: (trees) => ({ regressor: { kind: "trees", output: trees.output }, trees: writeTrees(trees) }),
  addColumns,
};

/** Positions of the columns that nodes ask about, ascending. */
function askedColumns({ nodes }: TreeEnsemble): number[] {
  return [...new Set(nodes.column)].filter((i) => i >= 0).sort((a, b) => a - b);
}

function addColumns<T extends TreeEnsemble>(trees: T, columns: readonly Column[]): T {
  return { ...trees, schema: checkSchema({ columns: [...trees.schema.columns, ...columns] }) };
}

/** Rows of a part of the work: about a millisecond for small ensembles. */
const TOGETHER = 64;
/** Multiply-adds that one expected answer takes, as measured on ensembles of 100 trees. */
const COST = 1 << 15;
/** Components with smaller shares change sampled answers by far less than their standard errors. */
const NEGLIGIBLE = 1e-6;
/** Independent samples whose means differ by the error: enough for four standard errors to hold in 99.9 % of cases. */
const REPLICATES = 32;

/**
 * What trees are expected to answer: their own answer where nothing they ask about is missing, leaf sums where probabilities are
 * averaged, all cells of the missing columns where they are few, else draws with standard errors.
 */
class TreeExpectation implements Expectation {
  readonly K: number;
  readonly cost = COST;
  readonly sampled = true;
  readonly isPosterior = false;
  readonly memoryBound = false;
  readonly rowsTogether = TOGETHER;
  readonly #trees: TreeEnsemble;
  readonly #distribution: Distribution;
  #boxes: LeafBoxes | undefined;
  readonly #pruned: OpenTrees;
  readonly #x: Float64Array;
  readonly #isCode: readonly boolean[];
  #hypercubes: { readonly seed: number; readonly draws: Hypercubes } | undefined;
  #scale: number | undefined;

  constructor(trees: TreeEnsemble, distribution: Distribution) {
    this.K = answerCount(trees);
    this.#trees = trees;
    this.#distribution = distribution;
    const masks = leafMasks(trees);
    this.#pruned = masks ? new MaskedTrees(trees, masks) : new PrunedTrees(trees);
    this.#x = new Float64Array(trees.schema.columns.length);
    this.#isCode = trees.schema.columns.map(isDiscrete);
  }

  get scale(): number {
    this.#scale ??= this.K > 1 ? 1 : spreadOf(this.#distribution, (rows) => this.evaluate(rows));
    return this.#scale;
  }

  expect(cells: Cells, precision = ONE_ROW): Expected {
    return this.#answer(tableOfRow(this.#distribution.schema, cells), 0, precision);
  }

  answerRows(table: Table, precision = MANY_ROWS): AnswerRows {
    const { K } = this;
    return (from, to, out, errors) =>
      this.#pruned.work(() => {
        for (let r = from; r < to; r++) {
          const { values, standardError } = this.#answer(table, r, precision);
          out.set(values, (r - from) * K);
          if (errors) errors[r - from] = standardError;
        }
      });
  }

  evaluate(rows: Table): Float64Array {
    return answerRows(this.#trees, rows);
  }

  completions(cells: Cells, { enumerate, samples, seed }: CompletionLimits): CompletedAnswers {
    const table = tableOfRow(this.#distribution.schema, cells);
    const [pruned, distribution] = [this.#prune(table, 0), this.#distribution];
    const shares = componentShares(distribution, table, 0);
    const few = enumerateCells(pruned, distribution, shares, enumerate);
    if (few) {
      const count = few.weights.length;
      return { values: answersOf(pruned, few.values, count), weights: few.weights, exact: true };
    }
    const missing = Array.from(this.#x.keys()).filter((i) => Number.isNaN(this.#x[i]));
    const completions = this.#completionsOf(missing, shares, missingNormals(distribution, table, 0));
    const drawn: Float64Array[] = [];
    for (const i of missing) drawn[i] = new Float64Array(samples);
    completions.write(new Hypercubes(seed, 1), 0, samples, drawn);
    const weights = new Float64Array(samples).fill(1 / samples);
    return { values: answersOf(pruned, drawn, samples), weights, exact: false };
  }

  lookAhead(cells: Cells): LookAhead {
    const remake = (other: Distribution): TreeExpectation => new TreeExpectation(this.#trees, other);
    return defaultLookAhead(this, this.#distribution, cells, remake);
  }

  #answer(table: Table, row: number, precision: Precision): Expected {
    const [pruned, distribution] = [this.#prune(table, row), this.#distribution];
    if (pruned.open === 0) return exactly(this.#link(pruned.start));
    const shares = componentShares(distribution, table, row);
    this.#boxes ??= leafBoxes(this.#trees, distribution);
    const sums = expectedSums(pruned, this.#boxes, shares, this.#x, isSum(this.#trees) ? 0 : NEGLIGIBLE);
    if (sums && isSum(this.#trees)) return exactly(sums);
    const few = enumerateCells(pruned, distribution, shares, precision.enumerate);
    if (few) return exactly(weightedMean(answersOf(pruned, few.values, few.weights.length), few.weights));
    const normals = missingNormals(distribution, table, row);
    const completions = this.#completionsOf(pruned.columns, shares, normals);
    return drawAnswer(pruned, completions, sums, {
      tolerance: precision.tolerance * this.scale,
      scale: this.scale,
      walks: precision.work,
      hypercubes: this.#hypercubesOf(precision),
    });
  }

  /** The trees with what is known of a row settled. */
  #prune(table: Table, row: number): OpenTrees {
    const x = this.#x;
    for (let i = 0; i < x.length; i++) {
      const cell = table.columns[i][row];
      x[i] = this.#isCode[i] && cell < 0 ? Number.NaN : cell;
    }
    this.#pruned.prune(x);
    return this.#pruned;
  }

  /** Rows of the same precision share their draws. */
  #hypercubesOf({ seed, replicates = REPLICATES }: Precision): Hypercubes {
    if (this.#hypercubes?.seed !== seed || this.#hypercubes.draws.count !== replicates)
      this.#hypercubes = { seed, draws: new Hypercubes(seed, replicates) };
    return this.#hypercubes.draws;
  }

  #completionsOf(columns: readonly number[], shares: Float64Array, normals: MissingNormals): RowCompletions {
    return new RowCompletions(this.#distribution, columns, shares, normals);
  }

  #link(sums: Float64Array): Float64Array {
    const out = new Float64Array(this.K);
    linkSums(this.#trees, sums, out);
    return out;
  }

  coalitions(
    cells: Cells,
    features: readonly Feature[],
    before?: () => void,
    precision?: Precision,
  ): Coalitions {
    return new ExpectedCoalitions(this, this.#distribution.schema, cells, features, before, precision);
  }
}

/** Whether the answers are the sums themselves. */
function isSum({ link }: TreeEnsemble): boolean {
  return link === "probability" || link === "identity";
}

function exactly(values: Float64Array): Expected {
  return { values, standardError: 0 };
}

/** Σ_p weight_p · answer_p, K numbers. */
function weightedMean(answers: Float64Array, weights: Float64Array): Float64Array {
  const K = answers.length / weights.length;
  const mean = new Float64Array(K);
  for (let at = 0; at < answers.length; at++) mean[at % K] += weights[Math.floor(at / K)] * answers[at];
  return mean;
}

/** P(m | y), M numbers. */
function componentShares(distribution: Distribution, table: Table, row: number): Float64Array {
  const posterior = posteriorOfRow(distribution, table, row);
  const K = distribution.tilt.intercept.length;
  const shares = new Float64Array(distribution.components.length);
  for (let a = 0; a < posterior.length; a++) shares[Math.floor(a / K)] += posterior[a];
  return shares;
}
