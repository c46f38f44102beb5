import { memoize } from "../cache.ts";
import { type MissingNormals, pickNormals, rootOf } from "../gaussian/condition.ts";
import { normalQuantile } from "../math/normal.ts";
import { type Random, random } from "../math/random.ts";
import type { Distribution } from "./distribution.ts";

/**
 * Latin hypercube samples (McKay, Beckman and Conover 1979): n points of which every coordinate has one in each of n equal
 * intervals. Their mean is unbiased for any function, and free of the noise of what is additive in the coordinates.
 */
export class Hypercubes {
  readonly #generator: Random;
  #order: Int32Array;

  constructor(seed: number) {
    this.#generator = random(seed);
    this.#order = new Int32Array(0);
  }

  /** Writes n points of d coordinates, n × d, into `out`. */
  fill(n: number, d: number, out: Float64Array): void {
    const generator = this.#generator;
    if (this.#order.length !== n) this.#order = new Int32Array(n);
    const order = this.#order;
    for (let j = 0; j < d; j++) {
      for (let p = 0; p < n; p++) {
        const other = generator.integer(p + 1);
        order[p] = order[other];
        order[other] = p;
      }
      for (let p = 0; p < n; p++) out[p * d + j] = (order[p] + generator.uniform()) / n;
    }
  }
}

/**
 * Completions of a row as a function of uniform numbers: the first chooses the component by r_m(y), then one per missing column
 * that matters, by the inverse of its distribution in the component.
 */
export class RowCompletions {
  /** How many uniform numbers a completion takes. */
  readonly dimensions: number;
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
    this.dimensions = 1 + columns.length;
  }

  /**
   * Writes the completions that belong to `count` points of uniform numbers.
   *
   * @param u count × dimensions
   * @param values per missing column its values, written from `at` on
   */
  write(u: Float64Array, count: number, values: readonly Float64Array[], at: number): void {
    const { dimensions: d } = this;
    const [distribution, columns, cumulative, normal] = [
      this.#distribution,
      this.#columns,
      this.#cumulative,
      this.#normal,
    ];
    const tables = memoize(tablesOf, distribution, atomTables);
    const drawn = new Int32Array(count);
    for (let p = 0; p < count; p++) drawn[p] = firstAbove(cumulative, u[p * d]);
    for (let j = 0; j < columns.length; j++) {
      const i = columns[j];
      const { values: numbers } = distribution.atoms.columns[i];
      for (let p = 0; p < count; p++) {
        const atom = firstAbove(tables[drawn[p]][i], u[p * d + 1 + j]);
        values[i][at + p] = numbers ? numbers[atom] : atom;
      }
    }
    if (normal.columns.length === 0) return;
    const h = normal.columns.length;
    for (let p = 0; p < count; p++) {
      const from = p * d + 1 + columns.length;
      writeNormal(normal, drawn[p], u.subarray(from, from + h), values, at + p);
    }
  }
}

/** The hidden numbers that are drawn: jointly normal in each component. */
interface NormalPart {
  readonly columns: readonly number[];
  /** M × h. */
  readonly means: Float64Array;
  /** Cholesky factors by component, h × h; of components without a share none. */
  readonly roots: readonly (Float64Array | undefined)[];
  readonly z: Float64Array;
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
  return { columns, means: first, roots, z: new Float64Array(h) };
}

/** @param u one number per column */
function writeNormal(
  { columns, means, roots, z }: NormalPart,
  m: number,
  u: Float64Array,
  values: readonly Float64Array[],
  at: number,
): void {
  const h = columns.length;
  const lower = roots[m];
  for (let a = 0; a < h; a++) {
    z[a] = normalQuantile(u[a]);
    let value = means[m * h + a];
    if (lower) for (let b = 0; b <= a; b++) value += lower[a * h + b] * z[b];
    values[columns[a]][at] = value;
  }
}

/** Cumulative probabilities of the atoms, by component and column. */
type AtomTables = readonly (readonly Float64Array[])[];

const tablesOf = new WeakMap<Distribution, AtomTables>();

function atomTables({ atoms, components }: Distribution): AtomTables {
  return components.map(({ logQ }) =>
    atoms.columns.map(({ count }, i) =>
      runningSums(Float64Array.from({ length: count }, (_, j) => Math.exp(logQ[atoms.offsets[i] + j]))),
    ),
  );
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
