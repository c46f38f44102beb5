import { type PackableColumn, type PackedColumns, packColumns } from "../kernels/packed-columns.ts";
import { drainTable1, scatterEntries1 } from "../kernels/packed-passes.ts";
import { isDiscrete, slotOffsets, valueCount } from "../schema/column.ts";
import { type EncodedColumn, emptyLike, type Table } from "../schema/data.ts";

/**
 * The rows as the trainer sees them: x̃ = (x − mean) / scale per slot. Numeric slots are standardised; the 0/1 slots of
 * binary, categorical and binned columns are only centred (scale 1), which leaves their weights, and so the penalty,
 * as they are and takes the intercept out of the other parameters' way.
 */
export interface DesignMatrix {
  readonly rows: number;
  readonly slots: number;
  /** Columns of few values, numbers among them. */
  readonly packed: PackedColumns;
  /** The other numbers. */
  readonly standard: StandardColumns;
  /** Slots of all numbers. */
  readonly numeric: Int32Array;
  /** Per row, and their sum. */
  readonly rowWeights: Float64Array;
  readonly totalWeight: number;
  /** Weighted mean and scale of each slot. */
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  /** x̃ where every packed group has its reference entry and every numeric column its mean. */
  readonly origin: Float64Array;
}

/** Lays out the given rows of a table, which have no gaps. */
export function designMatrix(table: Table, rows: Int32Array, weights?: Float64Array): DesignMatrix {
  const slots = slotOffsets(table.schema)[table.schema.columns.length];
  const rowWeights = weights ?? new Float64Array(rows.length).fill(1);
  const totalWeight = rowWeights.reduce((sum, w) => sum + w, 0);
  const { dense, packable, scalings } = standardiseColumns(table, rows, rowWeights);
  const packed = packColumns([...discreteColumns(table, rows), ...packable], slots, rows.length);
  const mean = shareOfOnes(packed, rowWeights, totalWeight);
  const origin = packed.reference.map((worth, slot) => worth - mean[slot]);
  const scale = new Float64Array(slots).fill(1);
  for (const own of scalings) [mean[own.slot], scale[own.slot]] = [own.mean, own.scale];
  return {
    rows: rows.length,
    slots,
    packed,
    standard: dense,
    numeric: Int32Array.from(scalings, ({ slot }) => slot),
    rowWeights,
    totalWeight,
    mean,
    scale,
    origin,
  };
}

/** The discrete columns of some rows of a table, and the slots that their values set. */
export function discreteColumns({ schema, columns }: Table, rows: Int32Array): PackableColumn[] {
  const slots = slotOffsets(schema);
  return schema.columns.flatMap((column, i) => {
    if (!isDiscrete(column)) return [];
    const slotOf = (value: number): number | undefined => {
      if (column.kind !== "binary") return slots[i] + value;
      return value === 1 ? slots[i] : undefined;
    };
    const cells = emptyLike(columns[i], rows.length);
    for (let r = 0; r < rows.length; r++) cells[r] = columns[i][rows[r]];
    return [{ cells, values: valueCount(column), slotOf }];
  });
}

/** Weighted mean of every slot of a packed column, the share of ones in those of a discrete one, 0 in the others. */
function shareOfOnes(packed: PackedColumns, rowWeights: Float64Array, totalWeight: number): Float64Array {
  const sums = new Float64Array(packed.entryStart.length - 1);
  scatterEntries1(packed, 0, rowWeights.length, rowWeights, sums);
  const ones = packed.reference.map((bit) => bit * totalWeight);
  drainTable1(packed, sums, ones);
  return ones.map((sum) => sum / totalWeight);
}

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
