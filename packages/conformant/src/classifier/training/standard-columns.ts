import type { PackableColumn } from "../../packing/packed-columns.ts";
import { slotOffsets } from "../../schema/column.ts";
import type { EncodedColumn, Table } from "../../schema/data.ts";

/** Numeric columns of some rows, each with mean 0 and standard deviation 1 over these rows. */
export interface StandardColumns {
  /** rows × D, row-major. */
  readonly values: Float64Array;
  /** The slot of each of the D columns. */
  readonly slots: Int32Array;
}

/** How a numeric column was standardised. */
interface Scaling {
  readonly slot: number;
  /** Weighted mean and population standard deviation, as scikit-learn's StandardScaler; scale 1 for a constant column. */
  readonly mean: number;
  readonly scale: number;
}

/** Standardised numbers: the columns that are mostly one of few values are packed, as those of categories are. */
interface StandardisedNumbers {
  readonly dense: StandardColumns;
  readonly packable: readonly PackableColumn[];
  readonly scalings: readonly Scaling[];
}

/** With no more distinct values than this, and at least this share of the rows at one of them, a column of numbers is packed. */
const [FEW_VALUES, COMMON] = [256, 0.5];

/** Copies the numeric columns of the given rows, which have no gaps, and standardises them. */
export function standardiseColumns(
  table: Table,
  rows: Int32Array,
  rowWeights: Float64Array,
): StandardisedNumbers {
  const starts = slotOffsets(table.schema);
  const numeric = [...table.schema.columns.keys()].filter((i) => table.schema.columns[i].kind === "numeric");
  const packable: PackableColumn[] = [];
  const left: (Scaling & { readonly i: number })[] = [];
  const scalings = numeric.map((i): Scaling => {
    const [slot, cells] = [starts[i], gather(table.columns[i], rows)];
    const mean = weightedMean(cells, rowWeights);
    const scale = deviation(cells, rowWeights, mean);
    const coded = codeValues(cells);
    if (coded) {
      const { codes, values } = coded;
      const worths = values.map((x) => (x - mean) / scale);
      packable.push({ cells: codes, values: values.length, slotOf: () => slot, worthOf: (v) => worths[v] });
    } else left.push({ i, slot, mean, scale });
    return { slot, mean, scale };
  });
  const width = left.length;
  const values = new Float64Array(rows.length * width);
  left.forEach(({ i, mean, scale }, c) => {
    const cells = table.columns[i];
    for (let r = 0; r < rows.length; r++) values[r * width + c] = (cells[rows[r]] - mean) / scale;
  });
  return { dense: { values, slots: Int32Array.from(left, ({ slot }) => slot) }, packable, scalings };
}

/** The values of a column that is mostly one of few, and the place of each cell's among them; undefined for any other. */
function codeValues(cells: Float64Array): { codes: Int16Array; values: number[] } | undefined {
  const codes = new Int16Array(cells.length);
  const places = new Map<number, number>();
  const counts: number[] = [];
  for (let r = 0; r < cells.length; r++) {
    let place = places.get(cells[r]);
    if (place === undefined) {
      place = places.size;
      if (place === FEW_VALUES) return undefined;
      places.set(cells[r], place);
      counts.push(0);
    }
    codes[r] = place;
    counts[place]++;
  }
  return Math.max(...counts) >= COMMON * cells.length ? { codes, values: [...places.keys()] } : undefined;
}

function gather(cells: EncodedColumn, rows: Int32Array): Float64Array {
  const out = new Float64Array(rows.length);
  for (let r = 0; r < rows.length; r++) out[r] = cells[rows[r]];
  return out;
}

/** Σ weight·x / Σ weight, with a second pass over the differences: a mean of 1e6 must not drown a spread of 1e-6. */
function weightedMean(x: Float64Array, weights: Float64Array): number {
  const first = meanFrom(x, weights, x[0]);
  return meanFrom(x, weights, first);
}

function meanFrom(x: Float64Array, weights: Float64Array, origin: number): number {
  let sum = 0;
  let total = 0;
  for (let r = 0; r < x.length; r++) {
    sum += weights[r] * (x[r] - origin);
    total += weights[r];
  }
  return origin + sum / total;
}

/**
 * √(Σ weight·(x − mean)² / Σ weight), and 1 for a column that is constant up to rounding: a variance of at most
 * n·ε·variance + (n·mean·ε)² (scikit-learn, `_is_constant_feature`).
 */
function deviation(x: Float64Array, weights: Float64Array, mean: number): number {
  let sum = 0;
  let total = 0;
  for (let r = 0; r < x.length; r++) {
    sum += weights[r] * (x[r] - mean) ** 2;
    total += weights[r];
  }
  const variance = sum / total;
  const rounding = x.length * Number.EPSILON * variance + (x.length * mean * Number.EPSILON) ** 2;
  return variance <= rounding ? 1 : Math.sqrt(variance);
}
