import type { Certificate } from "../distribution/certificate.ts";
import type { Component, DistributionParts } from "../distribution/distribution.ts";
import { ConformantError } from "../errors.ts";
import { triangle } from "../math/cholesky.ts";
import type { Random } from "../math/random.ts";
import { dot } from "../math/vectors.ts";
import type { Table } from "../schema/data.ts";
import { priorWith } from "./class-prior.ts";
import type {
  CellsAtRandom,
  FactorExpectation,
  FactorInFit,
  FactorOutcome,
  FactorPrior,
  FactorSums,
  FactorTarget,
} from "./factor-in-fit.ts";
import type { GaussianFrame } from "./frame.ts";
import { type Gaussian, gaussianCells, patternKey, quadratic } from "./gaussian.ts";
import { classScoresOf, GaussianExpectation, GaussianSeeds } from "./gaussian-e-step.ts";
import {
  type GaussianTarget,
  gaussianLogPrior,
  matchMoments,
  momentMismatch,
  shrunkTarget,
} from "./gaussian-m-step.ts";
import type { GaussianMoments } from "./moments.ts";
import type { ScoringContext } from "./patterns.ts";

/** Columns for each row's worth of the prior: a covariance of many columns takes more rows to be sane. */
const COLUMNS_PER_ROW = 8;

/** A Gaussian over a Gaussian of numeric columns, q_m(x) = N(x; μ_m, Σ_m), while a mixture is fitted. */
export class GaussianInFit implements FactorInFit {
  readonly columns: readonly number[];
  readonly parameters: number;
  readonly priorRows: number;
  readonly independentRows: number;
  readonly ofModel: DistributionParts;
  readonly #frame: GaussianFrame;

  constructor(frame: GaussianFrame) {
    const n = frame.origin.length;
    this.#frame = frame;
    this.columns = [...frame.gaussianColumns.columns];
    this.parameters = n + (frame.rank === undefined ? triangle(n) : n * (frame.rank + 1));
    this.priorRows = n / COLUMNS_PER_ROW;
    this.independentRows = frame.independent;
    this.ofModel = { gaussianColumns: frame.gaussianColumns };
  }

  cellsOf(table: Table, rows: ArrayLike<number>): Float64Array {
    return gaussianCells(this.#frame.gaussianColumns, table, rows);
  }

  /** Rows in which the same cells of the Gaussian are hidden become neighbours. */
  inOrder(table: Table, rows: Int32Array): Int32Array {
    const n = this.columns.length;
    const cells = this.cellsOf(table, rows);
    const keys = Array.from(rows, (_, r) => patternKey(cells, r * n, n));
    const order = Array.from(rows.keys()).sort((a, b) =>
      keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b,
    );
    return Int32Array.from(order, (r) => rows[r]);
  }

  addClassScores(cells: Float64Array, r: number, scores: Float64Array, at: number): void {
    const own = classScoresOf(this.#frame.gaussianColumns, cells, r);
    for (let k = 0; k < own.length; k++) scores[at + k] += own[k];
  }

  expect(components: readonly Component[], cells: Float64Array, context: ScoringContext): FactorExpectation {
    return new GaussianExpectation(this.#frame, components.map(gaussianOf), cells, context);
  }

  placeOf(table: Table, row: number): Float64Array {
    const { origin, scale } = this.#frame;
    return this.cellsOf(table, [row]).map((x, i) => (x - origin[i]) / Math.sqrt(scale[i]));
  }

  seed(M: number): GaussianSeeds {
    return new GaussianSeeds(this.#frame, M);
  }

  target({ moments }: FactorSums, m: number, prior: FactorPrior): FactorTarget {
    if (!moments) throw new Error("unreachable: the sums of a gaussianColumns are moments");
    const target = targetOf(moments[m], this.#frame, prior);
    return {
      ...priorWith(target),
      match: (classes) => ({ gaussian: matchMoments(target, classes) }),
      mismatch: (component) =>
        momentMismatch(target, gaussianOf(component), component.logPrior.map(Math.exp)),
    };
  }

  logPrior(component: Component, prior: FactorPrior): number {
    return gaussianLogPrior(gaussianOf(component), this.#frame, prior);
  }

  isFinite(component: Component): boolean {
    return gaussianOf(component).covariance.every(Number.isFinite);
  }

  /**
   * Numbers around the mean, each within a few of its standard deviations. log N(x; μ + Σ w_k, Σ) up to what all classes share: with
   * d = x − μ − Σ w_k it is −½ dᵀ Σ⁻¹ d, of which dᵀ Σ⁻¹ d − d₀ᵀ Σ⁻¹ d₀, d₀ = x − μ, is −2 w_k·d₀ + w_kᵀ Σ w_k.
   */
  cellsAtRandom(component: Component, generator: Random): CellsAtRandom {
    const { mean, covariance } = gaussianOf(component);
    const { weights, K } = this.#frame.gaussianColumns;
    const n = mean.length;
    const x = mean.map((centre, i) => centre + Math.sqrt(covariance[i * n + i]) * generator.normal());
    const away = x.map((value, i) => value - mean[i]);
    const own = (k: number): Float64Array => weights.subarray(k * n, (k + 1) * n);
    return {
      scores: Float64Array.from({ length: K }, (_, k) => dot(own(k), x)),
      logGivenClass: Float64Array.from(
        { length: K },
        (_, k) => dot(own(k), away) - quadratic(covariance, own(k), own(k)) / 2,
      ),
    };
  }

  certify({ schema, rows, mismatch, ridge }: FactorOutcome): Pick<Certificate, "gaussian"> {
    const columns = this.columns.map((i) => schema.columns[i].name);
    const { singular, rank } = this.#frame;
    return {
      gaussian: {
        columns,
        ...(rank !== undefined && { rank }),
        momentMismatch: mismatch,
        ridge,
        singular: Array.from(singular, (i) => columns[i]),
        fewRows: rows.filter((weight) => weight < columns.length + 1).length,
      },
    };
  }

  checkSums({ moments }: FactorSums): void {
    if (moments) return;
    const message = "an answer must have the moments of the gaussianColumns, as the start has a frame";
    throw new ConformantError("invalid-argument", message, { argument: "answer" });
  }
}

/** What moments came to, which an M-step asks for twice. */
const targets = new WeakMap<
  GaussianMoments,
  { readonly prior: FactorPrior; readonly target: GaussianTarget }
>();

function targetOf(moments: GaussianMoments, frame: GaussianFrame, prior: FactorPrior): GaussianTarget {
  const known = targets.get(moments);
  const { rows, correlated, pseudocount, ridge } = prior;
  if (
    known?.target.gaussianColumns === frame.gaussianColumns &&
    known.prior.rows === rows &&
    known.prior.correlated === correlated &&
    known.prior.pseudocount === pseudocount &&
    known.prior.ridge === ridge
  )
    return known.target;
  const target = shrunkTarget(moments, frame, prior);
  targets.set(moments, { prior, target });
  return target;
}

function gaussianOf({ gaussian }: Component): Gaussian {
  if (!gaussian) throw new Error("unreachable: every component of a gaussianColumns has its Gaussian");
  return gaussian;
}
