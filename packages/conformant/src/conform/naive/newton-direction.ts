import { choleskySolve } from "../../linalg/cholesky.ts";
import { solveLaplacian } from "../../linalg/laplacian.ts";
import type { Evaluation } from "./objective.ts";
import type { ConformProblem } from "./problem.ts";

/**
 * The curvature along every atom is raised by this share of its natural size m_v: where weights are so large that a column
 * is decided by the class, the true curvature underflows and a step would have no bound.
 */
const LEAST_CURVATURE = 1e-9;

/**
 * Solves H x = g for the Hessian H = D + BᵀB of the objective, in time linear in the atoms.
 *
 * D has one block per column, D_i = Σ_k ω_ki [ diag(a_k) − a_k a_kᵀ ] with a_k = P(· | k) and ω_ki = T·p_k + d_i. It is
 * the Laplacian of a graph on the column's atoms with edge weights Σ_k ω_ki a_kv a_kw. B is K × atoms with rows
 * √(T·p_k) (a_k − ā), ā = Σ_k p_k a_k; with other factors it is √T Rᵀ a, R the root of the prior's response. The matrix inversion
 * lemma leaves a K × K system:
 *
 *     x = D⁻¹g − D⁻¹Bᵀ y,    (I + B D⁻¹ Bᵀ) y = B D⁻¹ g
 *
 * @param g one number per atom, summing to zero in each column
 */
export function newtonDirection(problem: ConformProblem, at: Evaluation, g: Float64Array): Float64Array {
  const { atoms, total } = problem;
  const { conditional, prior } = at;
  const response = at.classPrior?.response;
  const K = prior.length;
  const m = K + 1;
  const spread = response && lowRankRows(response, conditional, total, K);
  const root = prior.map((p) => Math.sqrt(total * p));
  const solve = blockSolver(problem, at);
  // D⁻¹ [g Bᵀ]: atoms × (K + 1).
  const solved = new Float64Array(g.length * m);
  // I + B D⁻¹ Bᵀ, K × K, and B D⁻¹ g.
  const capacitance = new Float64Array(K * K);
  const y = new Float64Array(K);
  for (let k = 0; k < K; k++) capacitance[k * K + k] = 1;
  // The same for one column: Bᵀ and D⁻¹ [g Bᵀ].
  const rows = new Float64Array(largestColumn(atoms.offsets) * K);
  const x = new Float64Array(largestColumn(atoms.offsets) * m);
  for (let i = 0; i < atoms.columns.length; i++) {
    const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
    for (let j = start; j < end; j++) {
      x[(j - start) * m] = g[j];
      let mean = 0;
      for (let k = 0; k < K; k++) mean += prior[k] * conditional[j * K + k];
      for (let k = 0; k < K; k++) {
        const b = spread ? spread[j * K + k] : root[k] * (conditional[j * K + k] - mean);
        rows[(j - start) * K + k] = b;
        x[(j - start) * m + 1 + k] = b;
      }
    }
    solve(i, x);
    // Each row of B sums to zero over a column, so x may be shifted to 0 on its last atom, which then drops out.
    const last = (end - start - 1) * m;
    for (let j = 0; j < end - start - 1; j++) {
      for (let l = 0; l < m; l++) {
        x[j * m + l] -= x[last + l];
        solved[(start + j) * m + l] = x[j * m + l];
      }
      for (let k = 0; k < K; k++) {
        const b = rows[j * K + k];
        y[k] += b * x[j * m];
        for (let l = 0; l <= k; l++) capacitance[k * K + l] += b * x[j * m + 1 + l];
      }
    }
  }
  choleskySolve(capacitance, K, y);
  const direction = new Float64Array(g.length);
  for (let j = 0; j < g.length; j++) {
    let sum = solved[j * m];
    for (let k = 0; k < K; k++) sum -= solved[j * m + 1 + k] * y[k];
    direction[j] = sum;
  }
  return direction;
}

/** Bᵀ = √T a R, atoms × K, for the root R of the response of a prior that other factors take part in. */
function lowRankRows(response: Float64Array, a: Float64Array, total: number, K: number): Float64Array {
  const rows = new Float64Array(a.length);
  for (let j = 0; j < a.length; j += K) {
    for (let l = 0; l < K; l++) {
      let sum = 0;
      for (let k = 0; k < K; k++) sum += a[j + k] * response[k * K + l];
      rows[j + l] = Math.sqrt(total) * sum;
    }
  }
  return rows;
}

/** Solves D_i X = R in place, R atoms of the column × (K + 1), on the atoms' graph or, where smaller, on the classes'. */
function blockSolver(
  problem: ConformProblem,
  { conditional, prior }: Evaluation,
): (i: number, x: Float64Array) => void {
  const { atoms, target, smoothing, total } = problem;
  const K = prior.length;
  const omega = new Float64Array(K);
  const byAtom = atomSolver(conditional, target, omega);
  const byClass = classSolver(conditional, target, omega);
  return (i, x) => {
    const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
    for (let k = 0; k < K; k++) omega[k] = total * prior[k] + smoothing[i];
    if (end - start <= K) byAtom(start, end, x);
    else byClass(start, end, x);
  };
}

type BlockSolve = (start: number, end: number, x: Float64Array) => void;

/** The solve on the graph of the atoms. */
function atomSolver(a: Float64Array, target: Float64Array, omega: Float64Array): BlockSolve {
  const K = omega.length;
  const edges = new Float64Array(K * K);
  const ground = new Float64Array(K);
  return (start, end, x) => {
    const V = end - start;
    for (let v = 0; v < V; v++) {
      ground[v] = LEAST_CURVATURE * target[start + v];
      for (let w = v + 1; w < V; w++) {
        let sum = 0;
        for (let k = 0; k < K; k++) sum += omega[k] * a[(start + v) * K + k] * a[(start + w) * K + k];
        edges[v * V + w] = sum;
      }
    }
    solveLaplacian(edges, ground, V, x, K + 1);
  };
}

/**
 * The same solve through the classes, for columns with more atoms than classes. With G = diag(g_v + ε_v), g_v = Σ_k ω_k a_kv,
 * ε the least curvature and A the K × V matrix of a_k: D = G − AᵀΩA, so x = G⁻¹( r + AᵀΩ y ) where y solves
 * (Ω − ΩA G⁻¹ AᵀΩ) y = ΩA G⁻¹ r. That matrix is again a Laplacian, on the classes, with edge weights
 * Σ_v ω_k a_kv ω_l a_lv / G_v and ground Σ_v ω_k a_kv ε_v / G_v.
 */
function classSolver(a: Float64Array, target: Float64Array, omega: Float64Array): BlockSolve {
  const K = omega.length;
  const m = K + 1;
  const edges = new Float64Array(K * K);
  const ground = new Float64Array(K);
  const y = new Float64Array(K * m);
  const scaled = new Float64Array(K);
  /** Writes ω_k a_kv and returns G_v. */
  const weigh = (v: number): number => {
    let sum = LEAST_CURVATURE * target[v];
    for (let k = 0; k < K; k++) sum += scaled[k] = omega[k] * a[v * K + k];
    return sum;
  };
  return (start, end, x) => {
    edges.fill(0);
    ground.fill(0);
    y.fill(0);
    for (let v = start; v < end; v++) {
      const g = weigh(v);
      if (g === 0) continue;
      for (let k = 0; k < K; k++) {
        const share = scaled[k] / g;
        ground[k] += share * LEAST_CURVATURE * target[v];
        for (let l = k + 1; l < K; l++) edges[k * K + l] += share * scaled[l];
        for (let j = 0; j < m; j++) y[k * m + j] += share * x[(v - start) * m + j];
      }
    }
    solveLaplacian(edges, ground, K, y, m);
    for (let v = start; v < end; v++) {
      const g = weigh(v);
      for (let j = 0; j < m; j++) {
        let sum = x[(v - start) * m + j];
        for (let k = 0; k < K; k++) sum += scaled[k] * y[k * m + j];
        x[(v - start) * m + j] = g === 0 ? 0 : sum / g;
      }
    }
  };
}

function largestColumn(offsets: Int32Array): number {
  let largest = 0;
  for (let i = 1; i < offsets.length; i++) largest = Math.max(largest, offsets[i] - offsets[i - 1]);
  return largest;
}
