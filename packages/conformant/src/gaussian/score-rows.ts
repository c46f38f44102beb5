import { BoundedCache } from "../cache.ts";
import type { FactorScores } from "../distribution/factor.ts";
import type { Context } from "../kernels/context.ts";
import { type Kernels, TILE } from "../kernels/kernels.ts";
import { plainKernels } from "../kernels/plain-scoring.ts";
import { Scratch } from "../math/vectors.ts";
import type { Table } from "../schema/data.ts";
import { type Gaussian, type GaussianColumns, gaussianCells, patternKey, patternOf } from "./gaussian.ts";
import { type LowRankGaussian, LowRankPattern } from "./low-rank.ts";
import {
  inFours,
  type KnownPattern,
  type LaidOut,
  prepare,
  type ScoreRows,
  type ScoringContext,
  weightedClasses,
} from "./patterns.ts";

/** Numbers of prepared patterns that are kept, 16 MB: enough for all patterns of most data, harmless for the rest. */
const KEPT = 1 << 21;

/** What Gaussians, one per component, add to the scores of rows. */
export interface GaussianScorer {
  /**
   * Adds to `density` and `shift` of all rows.
   *
   * @param cells rows × n, NaN for a gap
   */
  readonly score: (
    cells: Float64Array,
    rows: number,
    density: Float64Array,
    shift: Float64Array,
    context: ScoringContext,
  ) => void;
}

/** Whatever the form of their covariances, which is the same for all of them. */
export function createScorer(gaussianColumns: GaussianColumns, factors: readonly Gaussian[]): GaussianScorer {
  return factors.every(({ lowRank }) => lowRank)
    ? new LowRankScorer(gaussianColumns, factors)
    : new FullScorer(gaussianColumns, factors);
}

/** Rows under Gaussians of low rank, of which a pattern costs too little to be remembered beyond the next row. */
class LowRankScorer implements GaussianScorer {
  readonly #gaussianColumns: GaussianColumns;
  readonly #gaussians: readonly LowRankGaussian[];
  #last: { readonly key: string; readonly patterns: readonly LowRankPattern[] } | undefined;

  constructor(gaussianColumns: GaussianColumns, factors: readonly Gaussian[]) {
    this.#gaussianColumns = gaussianColumns;
    this.#gaussians = factors.flatMap(({ mean, lowRank }) => (lowRank ? [{ mean, lowRank }] : []));
  }

  score(cells: Float64Array, rows: number, density: Float64Array, shift: Float64Array): void {
    const [n, M] = [this.#gaussianColumns.columns.length, this.#gaussians.length];
    for (const [key, members] of groupRows(cells, rows, n)) {
      if (this.#last?.key !== key) {
        const pattern = patternOf(cells, members[0] * n, n);
        const patternUnder = (gaussian: LowRankGaussian): LowRankPattern =>
          new LowRankPattern(this.#gaussianColumns, gaussian, pattern);
        this.#last = { key, patterns: this.#gaussians.map(patternUnder) };
      }
      this.#last.patterns.forEach((own, m) => {
        for (const row of members) own.score(cells, row * n, density, shift, row * M + m);
      });
    }
  }
}

/** Rows of the same pattern of gaps share its Cholesky factors, and patterns are remembered from call to call. */
class FullScorer implements GaussianScorer {
  private readonly gaussianColumns: GaussianColumns;
  private readonly laidOut: LaidOut;
  private readonly patterns = new BoundedCache<string, KnownPattern>(KEPT);

  constructor(gaussianColumns: GaussianColumns, factors: readonly Gaussian[]) {
    const classes = weightedClasses(gaussianColumns);
    this.gaussianColumns = gaussianColumns;
    this.laidOut = {
      gaussianColumns,
      classes,
      fours: inFours(factors, classes),
      origin: meanOfMeans(factors, gaussianColumns.columns.length),
      M: factors.length,
    };
  }

  score(
    cells: Float64Array,
    rows: number,
    density: Float64Array,
    shift: Float64Array,
    context: ScoringContext,
  ): void {
    const { gaussianColumns, laidOut } = this;
    const { scoreApart } = context;
    const n = gaussianColumns.columns.length;
    const where: ScoreRows = { cells, n, density, shift };
    const groups = groupRows(cells, rows, n);
    // A pattern that one of many rows has is not worth keeping. Nor is it looked for: the last bits of a row must not depend on rows before.
    const single = (key: string): boolean =>
      scoreApart !== undefined && rows > 1 && groups.get(key)?.length === 1;
    const own: number[] = [];
    for (const key of [...groups.keys()].filter(single).sort()) {
      own.push(...(groups.get(key) ?? []));
      groups.delete(key);
    }
    if (own.length > 0) scoreApart?.(laidOut, own, where, context);
    for (const [key, members] of groups)
      scoreRows(
        this.patternFor(key, cells, members[0] * n, context),
        gaussianColumns.K,
        members,
        where,
        context,
      );
  }

  private patternFor(key: string, cells: Float64Array, start: number, context: Context): KnownPattern {
    const known = this.patterns.get(key);
    if (known) return known;
    const made = prepare(this.laidOut, patternOf(cells, start, this.gaussianColumns.columns.length), context);
    return this.patterns.keep(key, made, made.numbers.length);
  }
}

function meanOfMeans(factors: readonly Gaussian[], n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) =>
    factors.reduce((sum, { mean }) => sum + mean[i] / factors.length, 0),
  );
}

/** The rows of each pattern of gaps, in the order in which the patterns turn up. */
export function groupRows(cells: Float64Array, rows: number, n: number): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (let r = 0; r < rows; r++) {
    const key = patternKey(cells, r * n, n);
    const group = groups.get(key);
    if (group) group.push(r);
    else groups.set(key, [r]);
  }
  return groups;
}

/** Rows that are scored at once, a number of whole tiles. */
const MOST = 32 * TILE;
/** Rows for which it pays to take a pattern to where the fast loops find it. */
const MANY = 8;

/**
 * Scores the listed rows, all of the given pattern, in tiles: each number of the pattern is read once for all rows of a tile. What is
 * left of the last one holds whatever was there.
 */
export function scoreRows(
  pattern: KnownPattern,
  K: number,
  rows: readonly number[],
  where: ScoreRows,
  context: Context,
): void {
  const { known, numbers, constants, tilted } = pattern;
  const [o, M, T] = [known.length, constants.length, tilted.length];
  const width = M * (1 + T);
  const most = Math.min(MOST, TILE * Math.ceil(rows.length / TILE));
  const room = numbers.length + most * (o + width) + 8;
  const score = (kernels: Kernels): void => {
    const held = kernels.hold(numbers);
    const cells = kernels.numbers(most * o);
    const out = kernels.numbers(most * width);
    for (let start = 0; start < rows.length; start += MOST) {
      const count = Math.min(MOST, rows.length - start);
      for (let s = 0; s < count; s++) gatherRow(pattern, where, rows[start + s], cells, placeOf(s, o));
      kernels.scoreTiles(held, o, T, M, cells, count, out);
      for (let s = 0; s < count; s++) scatterRow(pattern, K, out, s * width, where, rows[start + s]);
    }
  };
  if (rows.length < MANY) score(plainKernels);
  else context.use(room, score);
}

/** Where the cells of row s begin among tiles of o columns. */
function placeOf(s: number, o: number): number {
  return TILE * o * Math.floor(s / TILE) + (s % TILE);
}

/** The known cells of a row about the pattern's origin, every eighth number from `at`. */
function gatherRow(
  { known, origin }: KnownPattern,
  { cells, n }: ScoreRows,
  row: number,
  to: Float64Array,
  at: number,
): void {
  for (let i = 0; i < known.length; i++) to[at + TILE * i] = cells[row * n + known[i]] - origin[known[i]];
}

/** Adds the scores of one row, which stand from `at` on. */
function scatterRow(
  { constants, tilted }: KnownPattern,
  K: number,
  scores: Float64Array,
  at: number,
  { density, shift }: ScoreRows,
  row: number,
): void {
  const M = constants.length;
  const step = 1 + tilted.length;
  for (let m = 0, from = at; m < M; m++, from += step)
    density[row * M + m] += constants[m] - scores[from] / 2;
  for (let t = 0; t < tilted.length; t++) {
    let to = row * M * K + tilted[t];
    for (let m = 0, from = at + 1 + t; m < M; m++, from += step, to += K) shift[to] += scores[from];
  }
}

/** The scores of a Gaussian: log N(y_o; μ_o, Σ_oo) and w_k,h·E[x_h | y_o] + ½ w_k,hᵀ Σ_h|o w_k,h. */
export class GaussianScores implements FactorScores {
  readonly independent = false;
  /** So many that rows with the same gaps find each other. */
  readonly rowsTogether = 1024;
  readonly #gaussianColumns: GaussianColumns;
  readonly #scorer: GaussianScorer;
  readonly #work = new Scratch();

  /** @param gaussians one per component */
  constructor(gaussianColumns: GaussianColumns, gaussians: readonly Gaussian[]) {
    this.#gaussianColumns = gaussianColumns;
    this.#scorer = createScorer(gaussianColumns, gaussians);
  }

  addScores(
    table: Table,
    start: number,
    rows: number,
    density: Float64Array,
    gaps: Float64Array,
    context: ScoringContext,
  ): void {
    const range = new Int32Array(rows);
    for (let r = 0; r < rows; r++) range[r] = start + r;
    const cells = gaussianCells(
      this.#gaussianColumns,
      table,
      range,
      this.#work.take(rows * this.#gaussianColumns.columns.length),
    );
    this.#scorer.score(cells, rows, density, gaps, context);
  }
}
