import { type PackableColumn, type PackedColumns, packColumns } from "../../packing/packed-columns.ts";
import { drainTable1, scatterEntries1 } from "../../packing/packed-scores.ts";
import { isDiscrete, slotOffsets, valueCount } from "../../schema/column.ts";
import { emptyLike, type Table } from "../../schema/data.ts";
import { type StandardColumns, standardiseColumns } from "./standard-columns.ts";

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
