import type { Kernels } from "../kernels/kernels.ts";
import { addProducts } from "../kernels/lane-sums.ts";
import { type FourFactors, laneRow } from "./four-factors.ts";

/** Numbers that the levels of an elimination may have, 16 MB. */
const KEPT = 1 << 21;

/**
 * Known columns eliminated one by one, for four components at once and for all rows that know them. After columns with
 * Cholesky factor L what is left of Σ, and of the classes' tilts, is the Schur complement Σ_rr − G Gᵀ with G = Σ_ro L⁻ᵀ: the
 * covariance of the rest given the eliminated columns. Hidden columns are passed over.
 */
export class Elimination {
  /** How many columns are eliminated. */
  depth = 0;
  private readonly n: number;
  private readonly rows: number;
  /** What is left at each depth, as in {@link FourFactors}; the first is Σ. */
  private readonly levels: Float64Array[] = [];
  private readonly most: number;
  private readonly kernels: Kernels;
  /** Rows of G and of L with inverses on its diagonal: (n + T) × n × 4, by column of the block and depth. */
  private readonly gain: Float64Array;
  /** log |L| at each depth, and g·g for each tilt: (n + 1) × (1 + T) × 4. */
  private readonly totals: Float64Array;
  private readonly column: Float64Array;
  private readonly z: Float64Array;

  /** Numbers that the kernels must have room for. */
  static roomFor(n: number, tilts: number): number {
    return (1 + mostLevels(n, tilts)) * laneRow(n, n + tilts);
  }

  /** @param tilts rows that are carried along */
  constructor(n: number, tilts: number, kernels: Kernels) {
    this.n = n;
    this.rows = n + tilts;
    this.most = mostLevels(n, tilts);
    this.kernels = kernels;
    this.gain = new Float64Array(4 * n * this.rows);
    this.totals = new Float64Array(4 * (n + 1) * (1 + tilts));
    this.column = new Float64Array(4 * this.rows);
    this.z = new Float64Array(4 * n);
  }

  /** Begins with four factors, nothing eliminated. */
  start({ matrix }: FourFactors): void {
    this.level(0).set(matrix);
    this.depth = 0;
  }

  /** Whether no further column may be eliminated. */
  get full(): boolean {
    return this.depth >= this.most;
  }

  /** What is left of Σ and of the tilts; rows and columns that are eliminated or passed over are of no use. */
  get matrix(): Float64Array {
    return this.levels[this.depth];
  }

  /** Takes back the last column. */
  pop(): void {
    this.depth--;
  }

  /** Eliminates column d; those before it are eliminated or passed over. */
  push(d: number): void {
    const { n, rows, gain, depth, column, levels } = this;
    const from = levels[depth];
    const to = this.level(depth + 1);
    const pivot = laneRow(n, d) + 4 * d;
    for (let lane = 0; lane < 4; lane++) {
      const inverse = 1 / Math.sqrt(from[pivot + lane]);
      gain[4 * (d * n + depth) + lane] = inverse;
      for (let i = d + 1; i < rows; i++) {
        const g = from[laneRow(n, i) + 4 * d + lane] * inverse;
        column[4 * i + lane] = g;
        gain[4 * (i * n + depth) + lane] = g;
      }
    }
    this.addTotals(d);
    for (let i = d + 1; i < rows; i++)
      subtractOuter(from, laneRow(n, i), column, i, d + 1, Math.min(i + 1, n), to);
    this.depth++;
  }

  private level(depth: number): Float64Array {
    this.levels[depth] ??= this.kernels.numbers(laneRow(this.n, this.rows));
    return this.levels[depth];
  }

  private addTotals(d: number): void {
    const { n, rows, gain, depth, totals } = this;
    const width = 4 * (1 + rows - n);
    const at = depth * width;
    for (let lane = 0; lane < 4; lane++) {
      totals[at + width + lane] = totals[at + lane] - Math.log(gain[4 * (d * n + depth) + lane]);
      for (let t = 0; t < rows - n; t++) {
        const g = gain[4 * ((n + t) * n + depth) + lane];
        const to = at + 4 * (1 + t) + lane;
        totals[to + width] = totals[to] + g * g;
      }
    }
  }

  /**
   * The part of a row's sums that the eliminated columns have: log |L|, z·z, then g·g and g·z of each tilt, in lanes; and what is
   * left of its other known cells, y − μ − G z.
   */
  sums(
    known: Int32Array,
    cells: Float64Array,
    start: number,
    mean: Float64Array,
    sums: Float64Array,
    rest: Float64Array,
  ): void {
    const { n, rows, gain, depth, totals, z } = this;
    for (let i = 0; i < known.length; i++) {
      const c = known[i];
      if (i < depth) residual(gain, 4 * c * n, i, cells[start + c], mean, 4 * c, z, z, 4 * i, true);
      else residual(gain, 4 * c * n, depth, cells[start + c], mean, 4 * c, z, rest, 4 * c, false);
    }
    const total = depth * 4 * (1 + rows - n);
    sums.fill(0);
    for (let lane = 0; lane < 4; lane++) {
      sums[lane] = totals[total + lane];
      for (let t = 0; t < rows - n; t++) sums[8 + 8 * t + lane] = totals[total + 4 * (1 + t) + lane];
    }
    addProducts(z, 0, z, 0, depth, sums, 4);
    for (let t = 0; t < rows - n; t++) addProducts(gain, 4 * (n + t) * n, z, 0, depth, sums, 12 + 8 * t);
  }
}

function mostLevels(n: number, tilts: number): number {
  return Math.min(n, Math.floor(KEPT / laneRow(n, n + tilts)));
}

/** to_j = from_j − g_i g_j in row i, for the columns j from `first` to `end`. */
function subtractOuter(
  from: Float64Array,
  row: number,
  g: Float64Array,
  i: number,
  first: number,
  end: number,
  to: Float64Array,
): void {
  const a = g[4 * i];
  const b = g[4 * i + 1];
  const c = g[4 * i + 2];
  const d = g[4 * i + 3];
  for (let j = 4 * first, at = row + 4 * first; j < 4 * end; j += 4, at += 4) {
    to[at] = from[at] - a * g[j];
    to[at + 1] = from[at + 1] - b * g[j + 1];
    to[at + 2] = from[at + 2] - c * g[j + 2];
    to[at + 3] = from[at + 3] - d * g[j + 3];
  }
}

/** y − μ − Σ_{a < count} G_a z_a of one cell in four lanes, times the inverse pivot where the cell is eliminated itself. */
function residual(
  gain: Float64Array,
  row: number,
  count: number,
  y: number,
  mean: Float64Array,
  at: number,
  z: Float64Array,
  out: Float64Array,
  to: number,
  scaled: boolean,
): void {
  let a = y - mean[at];
  let b = y - mean[at + 1];
  let c = y - mean[at + 2];
  let d = y - mean[at + 3];
  for (let e = 0; e < 4 * count; e += 4) {
    a -= gain[row + e] * z[e];
    b -= gain[row + e + 1] * z[e + 1];
    c -= gain[row + e + 2] * z[e + 2];
    d -= gain[row + e + 3] * z[e + 3];
  }
  const pivot = row + 4 * count;
  out[to] = scaled ? a * gain[pivot] : a;
  out[to + 1] = scaled ? b * gain[pivot + 1] : b;
  out[to + 2] = scaled ? c * gain[pivot + 2] : c;
  out[to + 3] = scaled ? d * gain[pivot + 3] : d;
}
