import type { Factor, Tilt, TiltedFactor } from "../distribution/factor.ts";
import { plainContext } from "../kernels/context.ts";
import { dot } from "../math/vectors.ts";
import type { Table } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import { conditionMissing, type MissingNormals } from "./condition.ts";
import { createGaussian, type Gaussian, type GaussianColumns, gaussianCells, patternOf } from "./gaussian.ts";
import { createScorer, type GaussianScorer } from "./score-rows.ts";

/** Numeric columns that are jointly normal in each component, q_m(x) = N(x; μ_m, Σ_m). */
export class GaussianFactor implements Factor {
  readonly columns: readonly number[];
  readonly independent = false;
  readonly #gaussianColumns: GaussianColumns;
  readonly #gaussians: readonly Gaussian[];
  #scorer: GaussianScorer | undefined;

  /** @param gaussians one per component */
  constructor(gaussianColumns: GaussianColumns, gaussians: readonly Gaussian[]) {
    this.#gaussianColumns = gaussianColumns;
    this.#gaussians = gaussians;
    this.columns = [...gaussianColumns.columns];
  }

  addLogGivenClass(table: Table, row: number, joint: Float64Array): void {
    const { K } = this.#gaussianColumns;
    const { density, terms } = this.#terms(gaussianCells(this.#gaussianColumns, table, [row]));
    for (let a = 0; a < joint.length; a++) joint[a] += density[Math.floor(a / K)] + terms[a];
  }

  addEvidence(cells: Cells, columns: readonly number[], to: Float64Array, at: number): number {
    const { K } = this.#gaussianColumns;
    const known = new Set(columns);
    const { density, terms } = this.#terms(
      Float64Array.from(this.columns, (i) => (known.has(i) ? cells[i] : Number.NaN)),
    );
    // Less the largest density: with one component only the classes' terms remain.
    const most = density.reduce((largest, x) => Math.max(largest, x), Number.NEGATIVE_INFINITY);
    let scale = 0;
    for (let a = 0; a < terms.length; a++) {
      const relative = terms[a] + density[Math.floor(a / K)] - most;
      to[at + a] += relative;
      scale = Math.max(scale, Math.abs(relative));
    }
    return scale;
  }

  missingColumns(): [] {
    return [];
  }

  /** N( E_m[x_h | y_o] + Σ_m,h|o w_k,h , Σ_m,h|o ). */
  missingNormals(table: Table, row: number, only?: number): MissingNormals | undefined {
    const { columns, K } = this.#gaussianColumns;
    const gaussians = only === undefined ? this.#gaussians : [this.#gaussians[only]];
    const cells = gaussianCells(this.#gaussianColumns, table, [row]);
    const pattern = patternOf(cells, 0, cells.length);
    const h = pattern.hidden.length;
    if (h === 0) return undefined;
    const means = new Float64Array(gaussians.length * K * h);
    const mean = new Float64Array(h);
    const covariances = gaussians.map((gaussian, m) => {
      const given = conditionMissing(this.#gaussianColumns, gaussian, pattern);
      given.meanInto(cells, 0, mean);
      for (let k = 0; k < K; k++)
        for (let a = 0; a < h; a++) means[(m * K + k) * h + a] = mean[a] + given.shift[k * h + a];
      return given.covariance;
    });
    return { columns: Array.from(pattern.hidden, (i) => columns[i]), K, means, covariances };
  }

  /** N(x; μ, Σ) e^{d·x} = N(x; μ + Σ d, Σ) · e^{d·μ + ½ dᵀ Σ d}. */
  tilted(m: number, tilts: ReadonlyMap<number, Tilt>): TiltedFactor {
    const { mean, covariance, lowRank } = this.#gaussians[m];
    const n = mean.length;
    const d = Float64Array.from(this.columns, (i) => tilts.get(i)?.slope ?? 0);
    const moved = mean.map((_, i) => dot(covariance.subarray(i * n, (i + 1) * n), d));
    const centre = mean.map((x, i) => x + moved[i]);
    return {
      parts: { gaussian: createGaussian(this.#gaussianColumns, centre, covariance, lowRank) },
      logFactor: dot(d, mean) + dot(d, moved) / 2,
    };
  }

  /**
   * log P_m(y_o | k) = density_m + terms_mk, with terms w_k,o·y_o + w_k,h·E[x_h | y_o] + ½ w_k,hᵀ Σ_h|o w_k,h − log Z_mk.
   *
   * @param cells n numbers, NaN where nothing is known
   */
  #terms(cells: Float64Array): { density: Float64Array; terms: Float64Array } {
    const { weights, K } = this.#gaussianColumns;
    const [M, n] = [this.#gaussians.length, cells.length];
    const density = new Float64Array(M);
    const terms = new Float64Array(M * K);
    this.#scorer ??= createScorer(this.#gaussianColumns, this.#gaussians);
    this.#scorer.score(cells, 1, density, terms, plainContext);
    for (let k = 0; k < K; k++) {
      let own = 0;
      for (let i = 0; i < n; i++) if (!Number.isNaN(cells[i])) own += weights[k * n + i] * cells[i];
      for (let m = 0; m < M; m++) terms[m * K + k] += own - this.#gaussians[m].logZ[k];
    }
    return { density, terms };
  }
}
