import type { PackedColumns } from "./packed-columns.ts";

/*
 * The passes over packed rows for one output, and what stands between weights of slots and tables over entries, as the kernels have them for
 * four. `scores` starts at row `from`.
 */

/** scores_r = base + Σ_{entries p of row r} table_p for the rows from … to − 1. */
export function scoreEntries1(
  { rowStart, entries }: PackedColumns,
  from: number,
  to: number,
  base: Float64Array,
  table: Float64Array,
  scores: Float64Array,
): void {
  for (let r = from; r < to; r++) {
    let a = base[0];
    const end = rowStart[r + 1];
    for (let i = rowStart[r]; i < end; i++) a += table[entries[i]];
    scores[r - from] = a;
  }
}

/** sums_p += Σ_{rows r with entry p} residuals_r, over the rows from … to − 1: the transpose of scoring. */
export function scatterEntries1(
  { rowStart, entries }: PackedColumns,
  from: number,
  to: number,
  residuals: Float64Array,
  sums: Float64Array,
): void {
  for (let r = from; r < to; r++) {
    const a = residuals[r - from];
    const end = rowStart[r + 1];
    for (let i = rowStart[r]; i < end; i++) sums[entries[i]] += a;
  }
}

/** table_p = Σ_{changes of p} change · weights_slot, one number each. */
export function fillTable1(
  { entryStart, changeSlot, change }: PackedColumns,
  weights: Float64Array,
  table: Float64Array,
): void {
  for (let p = 0; p + 1 < entryStart.length; p++) {
    let sum = 0;
    for (let i = entryStart[p]; i < entryStart[p + 1]; i++) sum += change[i] * weights[changeSlot[i]];
    table[p] = sum;
  }
}

/** gradient_slot += Σ_{entries p that change the slot} change · sums_p: the transpose of {@link fillTable1}. */
export function drainTable1(
  { entryStart, changeSlot, change }: PackedColumns,
  sums: Float64Array,
  gradient: Float64Array,
): void {
  for (let p = 0; p + 1 < entryStart.length; p++)
    for (let i = entryStart[p]; i < entryStart[p + 1]; i++) gradient[changeSlot[i]] += change[i] * sums[p];
}
