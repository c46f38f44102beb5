import { memoize } from "../cache.ts";
import { type MissingNormals, pickNormals, rootOf } from "../gaussian/condition.ts";
import { normalQuantile } from "../math/normal.ts";
import { random } from "../math/random.ts";
import type { Distribution } from "./distribution.ts";

/** Draws that are kept for the next row. */
const KEPT = 2048;

/**
 * Latin hypercube samples (McKay, Beckman and Conover 1979): n points of which every coordinate has one in each of n equal
 * intervals. Their mean is unbiased for any function, and free of the noise of what is additive in the coordinates. The draws of a column
 * follow from the seed, the round and the column alone, so that all rows share them.
 */
export class Hypercubes {
  /** Independent hypercubes of a round. */
  readonly count: number;
  readonly #seed: number;
  readonly #uniform = new Map<string, Float64Array>();
  readonly #normal = new Map<string, Float64Array>();

  constructor(seed: number, count: number) {
    this.#seed = seed;
    this.count = count;
  }

  /** Uniform numbers of a column, or of the choice of a component for column −1: hypercubes × points. */
  uniform(column: number, round: number, points: number): Float64Array {
    return this.#keep(this.#uniform, column, round, points, () => this.#draw(column, round, points));
  }

  /** The same as quantiles of the standard normal distribution. */
  normal(column: number, round: number, points: number): Float64Array {
    return this.#keep(this.#normal, column, round, points, () =>
      this.uniform(column, round, points).map(normalQuantile),
    );
  }

  #keep(
    kept: Map<string, Float64Array>,
    column: number,
    round: number,
    points: number,
    draw: () => Float64Array,
  ): Float64Array {
    if (points * this.count > KEPT) return draw();
    const key = `${column}:${round}`;
    const known = kept.get(key) ?? draw();
    kept.set(key, known);
    return known;
  }

  #draw(column: number, round: number, points: number): Float64Array {
    const generator = random(
      (this.#seed + Math.imul(column + 2, 0x85ebca6b) + Math.imul(round, 0xc2b2ae35)) | 0,
    );
    const out = new Float64Array(this.count * points);
    const order = new Int32Array(points);
    for (let from = 0; from < out.length; from += points) {
      for (let p = 0; p < points; p++) {
        const other = generator.integer(p + 1);
        order[p] = order[other];
        order[other] = p;
      }
      for (let p = 0; p < points; p++) out[from + p] = (order[p] + generator.uniform()) / points;
    }
    return out;
  }
}

/**
 * Completions of a row as a function of uniform numbers: one chooses the component by r_m(y), then one per missing column
 * that matters gives its value, by the inverse of its distribution in the component.
 */
export class RowCompletions {
  readonly #distribution: Distribution;
  readonly #columns: readonly number[];
  readonly #cumulative: Float64Array;
  readonly #normal: NormalPart;

  /**
   * @param columns the missing columns to draw, ascending
   * @param shares r_m(y), M numbers
   * @param normals the hidden normal numbers, if any
   */
  constructor(
    distribution: Distribution,
    columns: readonly number[],
    shares: Float64Array,
    normals: MissingNormals,
  ) {
    const normal = new Set(normals.columns);
    this.#distribution = distribution;
    this.#columns = columns.filter((i) => !normal.has(i));
    this.#cumulative = runningSums(shares);
    this.#normal = normalPart(
      pickNormals(normals, (i) => columns.includes(i)),
      shares,
    );
  }

  /**
   * Writes the completions of a round of hypercubes.
   *
   * @param values per missing column its values, hypercubes × points
   */
  write(hypercubes: Hypercubes, round: number, points: number, values: readonly Float64Array[]): void {
    const count = hypercubes.count * points;
    const [distribution, cumulative, normal] = [this.#distribution, this.#cumulative, this.#normal];
    const tables = memoize(tablesOf, distribution, () => distribution.components.map(() => []));
    const first = hypercubes.uniform(-1, round, points);
    const drawn = new Int32Array(count);
    for (let p = 0; p < count; p++) drawn[p] = firstAbove(cumulative, first[p]);
    for (const i of this.#columns) {
      const { values: numbers } = distribution.atoms.columns[i];
      const [u, own] = [hypercubes.uniform(i, round, points), values[i]];
      for (let p = 0; p < count; p++) {
        const m = drawn[p];
        tables[m][i] ??= inverseOf(distribution, m, i);
        const atom = atomAt(tables[m][i], u[p]);
        own[p] = numbers ? numbers[atom] : atom;
      }
    }
    if (normal.columns.length === 0) return;
    const z = normal.columns.map((i) => hypercubes.normal(i, round, points));
    for (let p = 0; p < count; p++) writeNormal(normal, drawn[p], z, values, p);
  }
}

/** The hidden numbers that are drawn: jointly normal in each component. */
interface NormalPart {
  readonly columns: readonly number[];
  /** M × h. */
  readonly means: Float64Array;
  /** Cholesky factors by component, h × h; of components without a share none. */
  readonly roots: readonly (Float64Array | undefined)[];
}

/** A component with a smaller share is never drawn. */
const NEGLIGIBLE = 1e-15;

function normalPart({ columns, K, means, covariances }: MissingNormals, shares: Float64Array): NormalPart {
  const [h, M] = [columns.length, shares.length];
  const roots = covariances.map((covariance, m) =>
    shares[m] < NEGLIGIBLE ? undefined : rootOf(covariance, h),
  );
  // Without weights all classes have the same mean: that of the first.
  const first = Float64Array.from({ length: M * h }, (_, at) => means[Math.floor(at / h) * K * h + (at % h)]);
  return { columns, means: first, roots };
}

/**
 * Writes the numbers of draw p.
 *
 * @param z standard normal numbers per column
 */
function writeNormal(
  { columns, means, roots }: NormalPart,
  m: number,
  z: readonly Float64Array[],
  values: readonly Float64Array[],
  p: number,
): void {
  const h = columns.length;
  const lower = roots[m];
  for (let a = 0; a < h; a++) {
    let value = means[m * h + a];
    if (lower) for (let b = 0; b <= a; b++) value += lower[a * h + b] * z[b][p];
    values[columns[a]][p] = value;
  }
}

/** The inverse of the distribution of a column's atoms. */
interface InverseTable {
  /** Cumulative probabilities. */
  readonly sums: Float64Array;
  /** Of each of so many equal parts of [0, 1) the first atom that it reaches. */
  readonly guide: Int32Array;
}

/** Per component and column, made when they are first drawn. */
const tablesOf = new WeakMap<Distribution, InverseTable[][]>();

function inverseOf({ atoms, components }: Distribution, m: number, i: number): InverseTable {
  const { count } = atoms.columns[i];
  const { logQ } = components[m];
  const sums = runningSums(
    Float64Array.from({ length: count }, (_, j) => Math.exp(logQ[atoms.offsets[i] + j])),
  );
  const guide = Int32Array.from({ length: 2 * count }, (_, part) => firstAbove(sums, part / (2 * count)));
  return { sums, guide };
}

/** The first atom whose cumulative probability is larger than u, the last one where rounding leaves none. */
function atomAt({ sums, guide }: InverseTable, u: number): number {
  const last = sums.length - 1;
  let atom = guide[Math.floor(u * guide.length)];
  while (atom < last && sums[atom] <= u) atom++;
  return atom;
}

/** Sums up to each entry, as shares of the whole. */
function runningSums(weights: Float64Array): Float64Array {
  let sum = 0;
  const sums = weights.map((weight) => (sum += weight));
  return sums.map((s) => s / sum);
}

/** The first entry that is larger than u, the last with any weight where rounding leaves none. */
function firstAbove(sums: Float64Array, u: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] > u) high = middle;
    else low = middle + 1;
  }
  return low;
}
