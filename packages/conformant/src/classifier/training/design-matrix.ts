import { type PackableColumn, type PackedColumns, packColumns } from "../../packing/packed-columns.ts";
import { drainTable, scatterEntries1 } from "../../packing/packed-scores.ts";
import { isDiscrete, slotOffsets, valueCount } from "../../schema/column.ts";
import type { Table } from "../../schema/data.ts";
import { type StandardColumns, standardiseColumns } from "./standard-columns.ts";

/**
 * The rows as the trainer sees them: x̃ = (x − mean) / scale per slot. Numeric slots are standardised; the 0/1 slots of
 * binary, categorical and binned columns are only centred (scale 1), which leaves their weights, and so the penalty,
 * as they are and takes the intercept out of the other parameters' way.
 */
export interface DesignMatrix {
  readonly rows: number;
  readonly slots: number;
  readonly packed: PackedColumns;
  readonly standard: StandardColumns;
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
  const packed = packColumns(discreteColumns(table), slots, rows);
  const standard = standardiseColumns(table, rows, rowWeights);
  const mean = shareOfOnes(packed, rowWeights, totalWeight);
  const origin = packed.reference.map((bit, slot) => bit - mean[slot]);
  const scale = new Float64Array(slots).fill(1);
  standard.slots.forEach((slot, c) => {
    mean[slot] = standard.mean[c];
    scale[slot] = standard.scale[c];
  });
  return { rows: rows.length, slots, packed, standard, rowWeights, totalWeight, mean, scale, origin };
}

/** The discrete columns of a table, and the slots that their values set. */
export function discreteColumns({ schema, columns }: Table): PackableColumn[] {
  const slots = slotOffsets(schema);
  return schema.columns.flatMap((column, i) => {
    if (!isDiscrete(column)) return [];
    const slotOf = (value: number): number | undefined => {
      if (column.kind !== "binary") return slots[i] + value;
      return value === 1 ? slots[i] : undefined;
    };
    return [{ cells: columns[i], values: valueCount(column), slotOf }];
  });
}

/** Weighted share of ones in every slot of a discrete column, 0 in the others. */
function shareOfOnes(packed: PackedColumns, rowWeights: Float64Array, totalWeight: number): Float64Array {
  const sums = new Float64Array(packed.entryStart.length - 1);
  scatterEntries1(packed, 0, rowWeights.length, rowWeights, sums);
  const ones = packed.reference.map((bit) => bit * totalWeight);
  drainTable(packed, 1, sums, ones);
  return ones.map((sum) => sum / totalWeight);
}
