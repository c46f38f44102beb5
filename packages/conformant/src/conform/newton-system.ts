import type { ColumnSystem } from "../kernels/kernels.ts";
import { addColumn } from "../kernels/plain-fitting.ts";
import { choleskySolve } from "../math/cholesky.ts";
import { solveLaplacian } from "../math/laplacian.ts";
import type { ConformProblem, HeldProblem } from "./conform-problem.ts";
import type { Evaluation } from "./objective.ts";

/**
 * The curvature along every atom is raised by this share of its natural size m_v: where weights are so large that a column
 * is decided by the class, the true curvature underflows and a step would have no bound.
 */
const LEAST_CURVATURE = 1e-9;
/** Atoms whose columns are solved for together, but for a column that has more. */
const TOGETHER = 1024;

/**
 * Solves H x = g for the Hessian H = D + BᵀB of the objective, in time linear in the atoms.
 *
 * D has one block per column, D_i = Σ_k ω_ki [ diag(a_k) − a_k a_kᵀ ] with a_k = P(· | k) and ω_ki = T·p_k + d_i. It is
 * the Laplacian of a graph on the column's atoms with edge weights Σ_k ω_ki a_kv a_kw. B is K × atoms with rows
 * √(T·p_k) (a_k − ā), ā = Σ_k p_k a_k; with other factors it is √T Rᵀ a, R the root of the prior's response. The matrix inversion
 * lemma leaves a K × K system:
 *
 *     x = D⁻¹g − D⁻¹Bᵀ y,    (I + B D⁻¹ Bᵀ) y = B D⁻¹ g
 */
export class NewtonSystem {
  readonly #problem: HeldProblem;
  readonly #prior: Float64Array;
  readonly #roots: Float64Array;
  readonly #direction: Float64Array;
  readonly #system: Pick<ColumnSystem, "rows" | "work" | "solved" | "capacitance" | "y">;
  readonly #byClass: ClassSolve;

  constructor(problem: HeldProblem) {
    const { kernels, intercept, target, columns } = problem;
    const { offsets, lanes } = columns;
    const K = intercept.length;
    this.#problem = problem;
    this.#prior = kernels.numbers(lanes).fill(0);
    this.#roots = kernels.numbers(lanes).fill(0);
    this.#direction = kernels.numbers(target.length);
    this.#system = {
      rows: kernels.numbers(together(offsets) * lanes),
      work: kernels.numbers(K * (K + 1)),
      solved: kernels.numbers(target.length * (lanes + 2)),
      capacitance: kernels.numbers(lanes * lanes),
      y: kernels.numbers(lanes),
    };
    this.#byClass = classSolver(problem);
  }

  /** Numbers that it needs of the kernels. */
  static room({ atoms, target, intercept, tilts: { lanes } }: ConformProblem): number {
    const [A, K] = [target.length, intercept.length];
    return A * (lanes + 3) + together(atoms.offsets) * lanes + K * (K + 1) + lanes * (lanes + 3) + 32;
  }

  /**
   * The direction at a point. The same array for all points.
   *
   * @param residual g, one number per atom, summing to zero in each column; the last that was asked for
   */
  direction(at: Evaluation, residual: Float64Array): Float64Array {
    const { kernels, columns, weights, target, intercept, total } = this.#problem;
    const { offsets, lanes } = columns;
    const { capacitance, y, solved } = this.#system;
    const [n, K] = [offsets.length - 1, intercept.length];
    this.#prior.set(at.prior);
    for (let k = 0; k < K; k++) this.#roots[k] = Math.sqrt(total * at.prior[k]);
    capacitance.fill(0);
    for (let k = 0; k < lanes; k++) capacitance[k * lanes + k] = 1;
    y.fill(0);
    const { conditional } = at;
    const system = {
      ...this.#system,
      conditional,
      weights,
      target,
      leastCurvature: LEAST_CURVATURE,
      residual,
    };
    // Columns with more atoms than classes are solved for on the classes, one by one.
    const isWide = (i: number): boolean => offsets[i + 1] - offsets[i] > K;
    // A column of one atom has nothing to solve for: its probability is 1.
    const isFixed = (i: number): boolean => offsets[i + 1] - offsets[i] === 1;
    let isCoupled = false;
    for (let from = 0, to = 0; from < n; from = to) {
      to = from + 1;
      if (isFixed(from)) {
        solved.fill(0, offsets[from] * (lanes + 2), offsets[to] * (lanes + 2));
        continue;
      }
      isCoupled = true;
      const fits = (i: number): boolean =>
        !isWide(i) && !isFixed(i) && offsets[i + 1] - offsets[from] <= TOGETHER;
      if (!isWide(from)) while (to < n && fits(to)) to++;
      this.#spread(at, offsets[from], offsets[to]);
      if (isWide(from)) this.#byClass(from, system);
      else kernels.solveColumns(columns, from, to, system);
    }
    // I + a positive semidefinite matrix, unless numbers overflowed: without what columns share it is still a descent.
    if (isCoupled && !choleskySolve(capacitance, lanes, y)) y.fill(0);
    kernels.combineSolved(lanes, solved, y, this.#direction);
    return this.#direction;
  }

  /** Writes Bᵀ of some atoms: √(T·p_k) (a_k − ā), or √T a R for the root R of the response of a prior that other factors take part in. */
  #spread({ conditional, classPrior }: Evaluation, from: number, to: number): void {
    const { kernels, columns, total, intercept } = this.#problem;
    const [{ lanes }, { rows }, K] = [columns, this.#system, intercept.length];
    if (!classPrior) {
      kernels.spreadAtoms(lanes, conditional, from, to, { prior: this.#prior, roots: this.#roots }, rows);
      return;
    }
    const { response } = classPrior;
    const scale = Math.sqrt(total);
    for (let j = from, at = 0; j < to; j++, at += lanes) {
      response(conditional, j * lanes, rows, at);
      for (let l = 0; l < K; l++) rows[at + l] *= scale;
      if (lanes > K) rows[at + K] = 0;
    }
  }
}

/** Solves D_i X = [g 0 Bᵀ] for column i, whose Bᵀ stands in the rows, and adds to the capacitance. */
type ClassSolve = (i: number, system: ColumnSystem) => void;

/**
 * The solve of a column through the classes, for one with more atoms than classes. With G = diag(g_v + ε_v), g_v = Σ_k ω_k a_kv,
 * ε the least curvature and A the K × V matrix of a_k: D = G − AᵀΩA, so x = G⁻¹( r + AᵀΩ y ) where y solves
 * (Ω − ΩA G⁻¹ AᵀΩ) y = ΩA G⁻¹ r. That matrix is again a Laplacian, on the classes, with edge weights
 * Σ_v ω_k a_kv ω_l a_lv / G_v and ground Σ_v ω_k a_kv ε_v / G_v.
 */
function classSolver({ columns, intercept }: HeldProblem): ClassSolve {
  const { offsets, lanes } = columns;
  const K = intercept.length;
  const m = lanes + 2;
  const edges = new Float64Array(K * K);
  const ground = new Float64Array(K);
  const y = new Float64Array(K * m);
  const omega = new Float64Array(K);
  const scaled = new Float64Array(K);
  return (i, system) => {
    const { conditional: a, weights, target, residual, rows } = system;
    const [start, end] = [offsets[i], offsets[i + 1]];
    const x = system.solved.subarray(start * m, end * m);
    for (let k = 0; k < K; k++) omega[k] = weights.shares[k] + weights.smoothing[i];
    edges.fill(0);
    ground.fill(0);
    y.fill(0);
    for (let v = start; v < end; v++) {
      const own = (v - start) * m;
      x[own] = residual[v];
      x[own + 1] = 0;
      for (let k = 0; k < lanes; k++) x[own + 2 + k] = rows[(v - start) * lanes + k];
      const least = LEAST_CURVATURE * target[v];
      let g = least;
      for (let k = 0; k < K; k++) g += scaled[k] = omega[k] * a[v * lanes + k];
      if (g === 0) continue;
      for (let k = 0; k < K; k++) {
        const share = scaled[k] / g;
        ground[k] += share * least;
        for (let l = k + 1; l < K; l++) edges[k * K + l] += share * scaled[l];
        for (let j = 0; j < m; j++) y[k * m + j] += share * x[own + j];
      }
    }
    solveLaplacian(edges, ground, K, y, m);
    for (let v = start; v < end; v++) {
      const own = (v - start) * m;
      let g = LEAST_CURVATURE * target[v];
      for (let k = 0; k < K; k++) {
        const by = omega[k] * a[v * lanes + k];
        g += by;
        for (let j = 0; j < m; j++) x[own + j] += by * y[k * m + j];
      }
      for (let j = 0; j < m; j++) x[own + j] = g === 0 ? 0 : x[own + j] / g;
    }
    addColumn(end - start, lanes, rows, x, system);
  };
}

/** Atoms whose Bᵀ is there at a time. */
function together(offsets: Int32Array): number {
  let largest = 0;
  for (let i = 1; i < offsets.length; i++) largest = Math.max(largest, offsets[i] - offsets[i - 1]);
  return Math.min(offsets[offsets.length - 1], Math.max(TOGETHER, largest));
}
