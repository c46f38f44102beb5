import { type CscMatrix, cscZeros, solveConic } from "cvxjs";

/**
 * minimise cᵀx subject to A x + s = b, with s in a product of cones, in this order of rows:
 * `zero` rows s = 0, `nonnegative` rows s ≥ 0, then `exponential` triples (p, q, r) with q e^{p/q} ≤ r, q > 0.
 * Both solvers below read this form and this order.
 */
export interface ConicProgram {
  /** c, one entry per variable. */
  readonly objective: Float64Array;
  /** A, rows × variables, by columns; the rows of a column ascend. */
  readonly matrix: CscMatrix;
  /** b, one entry per row. */
  readonly bound: Float64Array;
  readonly cones: { readonly zero: number; readonly nonnegative: number; readonly exponential: number };
}

export interface ConicSolution {
  /** "solved" when the stated tolerance was met, otherwise the solver's own word for what happened. */
  readonly status: string;
  /** x, one entry per variable; NaN where the solver gave no point. */
  readonly point: Float64Array;
}

/**
 * Gap tolerances for Clarabel, tightest first. Near the optimum its steps may stall, a matter of rounding: the same program
 * with the objective multiplied by a constant takes another path and arrives. The wrapper returns no point when it
 * stalls, so every scale is tried at one tolerance before the next. 1e-8 is Clarabel's default; the tolerance of
 * feasibility cannot be set and stays at 1e-8.
 */
const CLARABEL_GAPS = [1e-12, 1e-11, 1e-10, 1e-9, 1e-8];
const CLARABEL_SCALES = [1, 4, 1 / 4, 16, 1 / 16, 64, 1 / 64];
const CLARABEL_STEPS = 200; // 20 to 60 are usual
/** A point with a wider gap is returned, but not called solved: its parameters may be off by 1e-4. */
const WIDEST_GAP = 1e-10;

/** Clarabel 0.9 (Rust, as WebAssembly in cvxjs): a primal-dual interior-point method. */
export async function solveWithClarabel(program: ConicProgram): Promise<ConicSolution> {
  const { objective, matrix, bound, cones } = program;
  const noQuadraticTerm = cscZeros(objective.length, objective.length);
  const dimensions = {
    zero: cones.zero,
    nonneg: cones.nonnegative,
    soc: [],
    exp: cones.exponential,
    power: [],
  };
  let status = "";
  for (const gap of CLARABEL_GAPS) {
    for (const scale of CLARABEL_SCALES) {
      const scaled = objective.map((cost) => cost * scale);
      const settings = { tolGapAbs: gap, tolGapRel: gap, maxIter: CLARABEL_STEPS };
      const result = await solveConic(noQuadraticTerm, scaled, matrix, bound, dimensions, settings);
      status = result.status;
      if (status !== "optimal" || result.x === null) continue;
      return { status: gap <= WIDEST_GAP ? "solved" : `solved (inaccurate - gap ${gap})`, point: result.x };
    }
  }
  return { status, point: new Float64Array(objective.length).fill(Number.NaN) };
}

/** Absolute and relative, on residuals and gap: parameters to 1e-7 or better. At 1e-11 some strong weights never arrive. */
const SCS_TOLERANCE = 1e-10;
const SCS_STEPS = 200_000; // Splice needs 5,400
/** Weight of the primal against the dual residual at the start; on Splice 1 takes half the steps of the default 0.1. */
const SCS_SCALE = 1;

/** SCS 3.2 (C, as WebAssembly): operator splitting, a first-order method that shares no idea with Clarabel's. */
export async function solveWithScs(program: ConicProgram): Promise<ConicSolution> {
  const { objective, matrix, bound, cones } = program;
  const scs = await loadScs();
  const settings = new scs.ScsSettings();
  scs.setDefaultSettings(settings);
  settings.epsAbs = SCS_TOLERANCE;
  settings.epsRel = SCS_TOLERANCE;
  settings.maxIters = SCS_STEPS;
  settings.scale = SCS_SCALE;
  settings.verbose = 0;
  const data = {
    m: matrix.nrows,
    n: matrix.ncols,
    A_x: Array.from(matrix.values),
    A_i: Array.from(matrix.rowIdx),
    A_p: Array.from(matrix.colPtr),
    b: Array.from(bound),
    c: Array.from(objective),
  };
  const result = scs.solve(data, { z: cones.zero, l: cones.nonnegative, ep: cones.exponential }, settings);
  settings.delete();
  return { status: result.info.status, point: Float64Array.from(result.x) };
}

/** The part of scs-solver that is used here; the package comes without types. */
interface Scs {
  readonly ScsSettings: new () => ScsSettings;
  setDefaultSettings(settings: ScsSettings): void;
  solve(data: ScsData, cone: { z: number; l: number; ep: number }, settings: ScsSettings): ScsResult;
}

/** An object in the memory of the WebAssembly module, hence `delete`. */
interface ScsSettings {
  epsAbs: number;
  epsRel: number;
  maxIters: number;
  scale: number;
  verbose: number;
  delete(): void;
}

/** `A_` is the m × n matrix by columns: values, row of each value, start of each column. Plain arrays only. */
interface ScsData {
  m: number;
  n: number;
  A_x: number[];
  A_i: number[];
  A_p: number[];
  b: number[];
  c: number[];
}

interface ScsResult {
  readonly x: readonly number[];
  /** "solved", "infeasible", "solved (inaccurate - reached max_iters)" and the like. */
  readonly info: { readonly status: string };
}

/** A fresh instance each time, so that its memory goes when the solve is over. */
async function loadScs(): Promise<Scs> {
  // The name stands in a variable because the compiler refuses an import of a package without types.
  const name: string = "scs-solver";
  const loaded: unknown = await import(/* @vite-ignore */ name);
  return (loaded as { default: () => Promise<Scs> }).default();
}
