import { triangle } from "../math/cholesky.ts";
import { cellMassOf, conditionMissing } from "./condition.ts";
import type { FactorExpectation, FactorSeeds, FactorSums } from "./factor-in-fit.ts";
import type { MissingGiven } from "./few-missing.ts";
import type { GaussianFrame } from "./frame.ts";
import {
  type CellMass,
  type Gaussian,
  type GaussianColumns,
  type Pattern,
  patternKey,
  patternOf,
} from "./gaussian.ts";
import { OuterSums } from "./moments.ts";
import type { ScoringContext } from "./patterns.ts";
import { createScorer, type GaussianScorer } from "./score-rows.ts";

/** Rows whose Gaussian is scored together. */
const BATCH = 256;
/** A component's share of a row below this adds nothing to its moments. */
const NEGLIGIBLE = 1e-15;

/** The pattern of a row, and of those behind it that have the same; each list has an entry per component. */
interface PreparedPattern {
  readonly key: string;
  readonly pattern: Pattern;
  masses?: readonly CellMass[];
  given?: readonly MissingGiven[];
}

/** The Gaussian's part of an E-step over some rows: scores on the way to the shares, moments on the way back. */
export class GaussianExpectation implements FactorExpectation {
  private readonly frame: GaussianFrame;
  private readonly gaussianColumns: GaussianColumns;
  private readonly factors: readonly Gaussian[];
  private readonly cells: Float64Array;
  private readonly context: ScoringContext;
  private readonly scorer: GaussianScorer;
  private readonly density: Float64Array;
  private readonly shift: Float64Array;
  private readonly moments: readonly OuterSums[];
  private readonly row: Float64Array;
  /** E[x_h | y_o] and how the classes move it on average, of one row and component. */
  private readonly mean: Float64Array;
  private readonly average: Float64Array;
  private last: PreparedPattern | undefined;

  /**
   * @param factors one per component
   * @param cells the Gaussian's cells of the rows, rows × n; rows of the same pattern are best neighbours
   */
  constructor(
    frame: GaussianFrame,
    factors: readonly Gaussian[],
    cells: Float64Array,
    context: ScoringContext,
  ) {
    const n = frame.origin.length;
    const M = factors.length;
    this.frame = frame;
    this.gaussianColumns = frame.gaussianColumns;
    this.factors = factors;
    this.cells = cells;
    this.context = context;
    this.scorer = createScorer(this.gaussianColumns, this.factors);
    this.density = new Float64Array(BATCH * M);
    this.shift = new Float64Array(BATCH * M * this.gaussianColumns.K);
    this.moments = this.factors.map(() => new OuterSums(n));
    this.row = new Float64Array(n);
    this.mean = new Float64Array(n);
    this.average = new Float64Array(n);
  }

  /** Adds log N(x; μ_m, Σ_m) of complete row r to M scores. Rows must come in order. */
  addDensities(scores: Float64Array, at: number, r: number): void {
    const M = this.factors.length;
    const from = this.scoredAt(r) * M;
    for (let m = 0; m < M; m++) scores[at + m] += this.density[from + m];
  }

  /** Adds what the known cells of row r say and the hidden ones are worth to M × K scores. Rows must come in order. */
  addScores(scores: Float64Array, at: number, r: number): void {
    const [M, K] = [this.factors.length, this.gaussianColumns.K];
    const from = this.scoredAt(r) * M;
    const own = classScoresOf(this.gaussianColumns, this.cells, r);
    for (let m = 0; m < M; m++) {
      for (let k = 0; k < K; k++)
        scores[at + m * K + k] += this.density[from + m] + this.shift[(from + m) * K + k] + own[k];
    }
  }

  /** Adds complete row r to the moments of each component, by M shares. */
  addRow(shares: Float64Array, at: number, r: number): void {
    if (this.frame.resolution) return; // rows are scored, and nobody asks for their moments
    this.centre(r);
    for (let m = 0; m < this.moments.length; m++) {
      if (shares[at + m] > NEGLIGIBLE) this.moments[m].add(this.row, shares[at + m]);
    }
  }

  /**
   * Adds row r with its gaps to the moments, by M × K shares. Given component and class the hidden cells have mean
   * E[x_h | y_o] + Σ_h|o w_k,h and covariance Σ_h|o.
   */
  addIncompleteRow(shares: Float64Array, at: number, r: number): void {
    if (this.frame.resolution) return;
    const [n, K] = [this.row.length, this.gaussianColumns.K];
    const prepared = this.patternAt(r);
    const { pattern } = prepared;
    prepared.given ??= this.factors.map((factor) => conditionMissing(this.gaussianColumns, factor, pattern));
    const { given } = prepared;
    this.centre(r);
    for (let m = 0; m < this.moments.length; m++) {
      let total = 0;
      for (let k = 0; k < K; k++) total += shares[at + m * K + k];
      if (!(total > NEGLIGIBLE)) continue;
      const { mean, average } = this;
      given[m].meanInto(this.cells, r * n, mean);
      averageShift(given[m], shares, at + m * K, K, total, average);
      for (let a = 0; a < pattern.hidden.length; a++) {
        const i = pattern.hidden[a];
        this.row[i] = mean[a] + average[a] - this.frame.origin[i];
      }
      this.moments[m].add(this.row, total);
      addSpread(this.moments[m].product, pattern.hidden, given[m], shares, at + m * K, K, average, total);
    }
  }

  /** The moments so far, one per component. */
  sums(weights: Float64Array): FactorSums {
    return { moments: this.moments.map((own, m) => own.moments(weights[m])) };
  }

  /** The row about the origin; hidden cells are NaN. */
  private centre(r: number): void {
    const { row, cells } = this;
    for (let i = 0; i < row.length; i++) row[i] = cells[r * row.length + i] - this.frame.origin[i];
  }

  private scoredAt(r: number): number {
    if (r % BATCH === 0) {
      const n = this.row.length;
      const rows = Math.min(BATCH, this.cells.length / n - r);
      this.density.fill(0);
      this.shift.fill(0);
      this.scorer.score(
        this.cells.subarray(r * n, (r + rows) * n),
        rows,
        this.density,
        this.shift,
        this.context,
      );
      if (this.frame.resolution) this.massesFrom(r, rows, this.frame.resolution);
    }
    return r % BATCH;
  }

  /** Replaces the densities of a batch by the masses of the recorded cells. */
  private massesFrom(r: number, rows: number, resolution: Float64Array): void {
    const M = this.factors.length;
    for (let s = r; s < r + rows; s++) {
      const prepared = this.patternAt(s);
      const { pattern } = prepared;
      prepared.masses ??= this.factors.map((factor) => cellMassOf(factor, pattern));
      const start = s * this.row.length;
      for (let m = 0; m < M; m++)
        this.density[(s - r) * M + m] = prepared.masses[m](this.cells, start, resolution);
    }
  }

  private patternAt(r: number): PreparedPattern {
    const n = this.row.length;
    const key = patternKey(this.cells, r * n, n);
    if (this.last?.key === key) return this.last;
    this.last = { key, pattern: patternOf(this.cells, r * n, n) };
    return this.last;
  }
}

/** Σ_{i known} w_ki y_i of row r: K numbers. */
export function classScoresOf(
  { weights, K, columns }: GaussianColumns,
  cells: Float64Array,
  r: number,
): Float64Array {
  const n = columns.length;
  const scores = new Float64Array(K);
  for (let i = 0; i < n; i++) {
    const x = cells[r * n + i];
    if (Number.isNaN(x)) continue;
    for (let k = 0; k < K; k++) scores[k] += weights[k * n + i] * x;
  }
  return scores;
}

/** Writes Σ_k P(k | y, m) Σ_h|o w_k,h. */
function averageShift(
  { shift }: MissingGiven,
  shares: Float64Array,
  at: number,
  K: number,
  total: number,
  average: Float64Array,
): void {
  const h = shift.length / K;
  average.fill(0, 0, h);
  for (let k = 0; k < K; k++)
    for (let a = 0; a < h; a++) average[a] += (shares[at + k] / total) * shift[k * h + a];
}

/** Adds the hidden cells' covariance within the classes and that of the classes' means. */
function addSpread(
  product: Float64Array,
  hidden: Int32Array,
  { covariance, shift }: MissingGiven,
  shares: Float64Array,
  at: number,
  K: number,
  average: Float64Array,
  total: number,
): void {
  const h = hidden.length;
  for (let a = 0; a < h; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = total * covariance[a * h + b];
      for (let k = 0; k < K; k++)
        sum += shares[at + k] * (shift[k * h + a] - average[a]) * (shift[k * h + b] - average[b]);
      product[triangle(hidden[a]) + hidden[b]] += sum;
    }
  }
}

/** The moments that EM begins with: a gap counts as the column's mean, with its variance. */
export class GaussianSeeds implements FactorSeeds {
  readonly #frame: GaussianFrame;
  readonly #own: readonly { readonly moments: OuterSums; readonly total: Float64Array }[];

  constructor(frame: GaussianFrame, M: number) {
    const n = frame.origin.length;
    this.#frame = frame;
    this.#own = Array.from({ length: M }, () => ({ moments: new OuterSums(n), total: new Float64Array(1) }));
  }

  add(m: number, cells: Float64Array, r: number, weight: number): void {
    const { origin, covariance } = this.#frame;
    const { moments, total } = this.#own[m];
    const n = origin.length;
    const row = origin.map((mean, i) => (Number.isNaN(cells[r * n + i]) ? 0 : cells[r * n + i] - mean));
    moments.add(row, weight);
    for (let i = 0; i < n; i++)
      if (Number.isNaN(cells[r * n + i])) moments.product[triangle(i) + i] += weight * covariance[i * n + i];
    total[0] += weight;
  }

  sums(spread = (own: readonly Float64Array[]): readonly Float64Array[] => own): FactorSums {
    const totals = spread(this.#own.map(({ total }) => total));
    const own = this.#own.map(({ moments }) => moments.moments(0));
    const sums = spread(own.map(({ sum }) => sum));
    const products = spread(own.map(({ product }) => product));
    return { moments: totals.map(([weight], m) => ({ weight, sum: sums[m], product: products[m] })) };
  }
}
