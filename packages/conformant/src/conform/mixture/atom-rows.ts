import { type Atoms, atomCode } from "../../model/atoms.ts";
import { type PackedColumns, packColumns } from "../../packing/packed-columns.ts";
import { isDiscrete } from "../../schema/column.ts";
import type { EncodedColumn, Table } from "../../schema/data.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { logClassScores } from "./class-scores.ts";
import { type FactorFrames, factorsInFit } from "./factors-in-fit.ts";

/** Some rows of a table as atoms, packed for passes over them, and as the cells of other factors. */
export interface AtomRows {
  readonly packed: PackedColumns;
  /** Per row. */
  readonly weights: Float64Array;
  /** Per factor beside the atoms, rows × its columns. */
  readonly cells: readonly Float64Array[];
}

/**
 * The rows of a table as atoms, those without gaps apart from those with: for a complete row no class is needed to tell
 * how likely each component is. Slots are the atoms; where there are gaps, column i has one more at its end, for the gap,
 * so that its slots start at offsets[i] + i.
 */
export interface SplitRows {
  readonly complete: AtomRows;
  readonly gappy: AtomRows;
  readonly frames: FactorFrames;
  readonly totalWeight: number;
  /** Σ weight · log Σ_k exp( b_k + Σ_i s_ki(x_i) ) of the complete rows, the part of their likelihood that no fit changes. */
  readonly logClassScores: number;
}

/** Turns the given rows of a table into atoms. Rows of weight 0 are left out. */
export function splitRows(
  { table, rows, weights }: WeightedRows,
  atoms: Atoms,
  intercept: Float64Array,
  frames: FactorFrames = {},
): SplitRows {
  const factors = factorsInFit(frames);
  const codes = table.columns.map((_, i) => atomCodes(table, atoms, i));
  const hasGap = new Uint8Array(table.rows);
  for (const column of codes) for (let r = 0; r < column.length; r++) if (column[r] < 0) hasGap[r] = 1;
  const weighty = rows.filter((r) => weights[r] > 0);
  const part = (gap: number): AtomRows => {
    let chosen: Int32Array = weighty.filter((r) => hasGap[r] === gap);
    if (gap === 1) for (const factor of factors) chosen = factor.inOrder(table, chosen);
    return {
      packed: packAtoms(codes, atoms, chosen, gap),
      weights: Float64Array.from(chosen, (r) => weights[r]),
      cells: factors.map((factor) => factor.cellsOf(table, chosen)),
    };
  };
  const complete = part(0);
  return {
    complete,
    gappy: part(1),
    frames,
    totalWeight: weighty.reduce((sum, r) => sum + weights[r], 0),
    logClassScores: logClassScores(atoms, intercept, complete, factors),
  };
}

/** Codes of atoms, −1 for a gap: the cells themselves for a discrete column, the bins of a numeric one. */
function atomCodes(table: Table, atoms: Atoms, i: number): EncodedColumn {
  if (isDiscrete(table.schema.columns[i])) return table.columns[i];
  return Int32Array.from({ length: table.rows }, (_, r) => atomCode(atoms, i, table.columns[i], r));
}

/** Packs codes, a slot per atom, and one more per column for the gap where `gap` is 1. */
function packAtoms(
  codes: readonly EncodedColumn[],
  { columns, offsets }: Atoms,
  rows: Int32Array,
  gap: number,
): PackedColumns {
  const packable = columns.map(({ count }, i) => ({
    cells: gather(codes[i], rows, count),
    values: count + gap,
    slotOf: (atom: number) => offsets[i] + gap * i + atom,
  }));
  const all = Int32Array.from(rows.keys());
  return packColumns(packable, offsets[columns.length] + gap * columns.length, all);
}

/** The codes of the given rows, with `missing` for a gap. */
function gather(codes: EncodedColumn, rows: Int32Array, missing: number): EncodedColumn {
  const out = missing < 127 ? new Int8Array(rows.length) : new Int32Array(rows.length);
  for (let r = 0; r < rows.length; r++) {
    const code = codes[rows[r]];
    out[r] = code < 0 ? missing : code;
  }
  return out;
}
