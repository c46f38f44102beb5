import { choleskyFactor } from "../../../linalg/cholesky.ts";
import { normalQuantile } from "../../../math/normal/normal-quantile.ts";
import type { Model } from "../../../model/model.ts";
import type { HiddenBlock } from "../../../queries/completion/hidden-block.ts";

/**
 * Completions of a row as a function of uniform numbers: the first chooses the component by r_m(y), then one per missing column
 * that matters, by the inverse of its distribution in the component.
 */
export class RowCompletions {
  /** How many uniform numbers a completion takes. */
  readonly dimensions: number;
  private readonly distribution: Model;
  private readonly columns: readonly number[];
  private readonly cumulative: Float64Array;
  private readonly normal: NormalPart | undefined;

  /**
   * @param columns the missing columns to draw, ascending
   * @param shares r_m(y), M numbers
   * @param hidden the hidden columns of a Gaussian block, where there are any
   */
  constructor(
    distribution: Model,
    columns: readonly number[],
    shares: Float64Array,
    hidden: HiddenBlock | undefined,
  ) {
    const inBlock = new Set(hidden?.columns);
    this.distribution = distribution;
    this.columns = columns.filter((i) => !inBlock.has(i));
    this.cumulative = runningSums(shares);
    this.normal = hidden && normalPart(hidden, columns, shares);
    this.dimensions = 1 + columns.length;
  }

  /**
   * Writes the completions that belong to `count` points of uniform numbers.
   *
   * @param u count × dimensions
   * @param values per missing column its values, written from `at` on
   */
  write(u: Float64Array, count: number, values: readonly Float64Array[], at: number): void {
    const { distribution, columns, dimensions: d, cumulative, normal } = this;
    const tables = atomTables(distribution);
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
    if (!normal) return;
    for (let p = 0; p < count; p++)
      writeNormal(normal, drawn[p], u, p * d + 1 + columns.length, values, at + p);
  }
}

/** The hidden columns of a block that are drawn: jointly normal in each component. */
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

function normalPart(hidden: HiddenBlock, columns: readonly number[], shares: Float64Array): NormalPart {
  const wanted = columns.flatMap((i) => (hidden.columns.includes(i) ? [hidden.columns.indexOf(i)] : []));
  const [all, h, M] = [hidden.columns.length, wanted.length, shares.length];
  const K = hidden.means.length / (M * all);
  const means = new Float64Array(M * h);
  const roots = hidden.covariances.map((covariance, m) => {
    // Without weights all classes have the same mean: that of the first.
    wanted.forEach((a, to) => {
      means[m * h + to] = hidden.means[m * K * all + a];
    });
    if (shares[m] < NEGLIGIBLE) return undefined;
    const lower = new Float64Array(h * h);
    wanted.forEach((a, r) => {
      wanted.forEach((b, c) => {
        lower[r * h + c] = covariance[a * all + b];
      });
    });
    const own = lower.slice();
    if (choleskyFactor(own, h)) return own;
    // A conditional variance of 0 to rounding: the tiniest one is as good.
    for (let a = 0; a < h; a++) lower[a * h + a] = lower[a * h + a] * (1 + 1e-9) + Number.MIN_VALUE;
    choleskyFactor(lower, h);
    return lower;
  });
  return { columns: wanted.map((a) => hidden.columns[a]), means, roots, z: new Float64Array(h) };
}

function writeNormal(
  { columns, means, roots, z }: NormalPart,
  m: number,
  u: Float64Array,
  from: number,
  values: readonly Float64Array[],
  at: number,
): void {
  const h = columns.length;
  const lower = roots[m];
  for (let a = 0; a < h; a++) {
    z[a] = normalQuantile(u[from + a]);
    let value = means[m * h + a];
    if (lower) for (let b = 0; b <= a; b++) value += lower[a * h + b] * z[b];
    values[columns[a]][at] = value;
  }
}

/** Cumulative probabilities of the atoms, by component and column. */
type AtomTables = readonly (readonly Float64Array[])[];

const tablesOf = new WeakMap<Model, AtomTables>();

/** The tables of a distribution, made once. */
function atomTables(distribution: Model): AtomTables {
  const known = tablesOf.get(distribution);
  if (known) return known;
  const { atoms, components } = distribution;
  const made = components.map(({ logQ }) =>
    atoms.columns.map(({ count }, i) =>
      runningSums(Float64Array.from({ length: count }, (_, j) => Math.exp(logQ[atoms.offsets[i] + j]))),
    ),
  );
  tablesOf.set(distribution, made);
  return made;
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
