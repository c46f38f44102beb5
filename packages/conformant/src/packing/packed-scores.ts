import type { PackedColumns } from "./packed-columns.ts";

/*
 * The passes over packed rows for one output, as the kernels have them for four, and what stands between weights of slots and tables over
 * entries. `scores` starts at row `from`.
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

/** table_p = Σ_{changes of p} change · weights_slot; `stride` numbers, 1 or 4, per entry and per slot. */
export function fillTable(
  packed: PackedColumns,
  stride: number,
  weights: Float64Array,
  table: Float64Array,
): void {
  const { entryStart, changeSlot, change } = packed;
  for (let p = 0; p + 1 < entryStart.length; p++) {
    const [start, end] = [entryStart[p], entryStart[p + 1]];
    if (stride === 1) {
      let a = 0;
      for (let i = start; i < end; i++) a += change[i] * weights[changeSlot[i]];
      table[p] = a;
      continue;
    }
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = start; i < end; i++) {
      const slot = 4 * changeSlot[i];
      const by = change[i];
      a += by * weights[slot];
      b += by * weights[slot + 1];
      c += by * weights[slot + 2];
      d += by * weights[slot + 3];
    }
    table[4 * p] = a;
    table[4 * p + 1] = b;
    table[4 * p + 2] = c;
    table[4 * p + 3] = d;
  }
}

/** gradient_slot += Σ_{entries p that change the slot} change · sums_p: the transpose of {@link fillTable}. */
export function drainTable(
  packed: PackedColumns,
  stride: number,
  sums: Float64Array,
  gradient: Float64Array,
): void {
  const { entryStart, changeSlot, change } = packed;
  for (let p = 0; p + 1 < entryStart.length; p++) {
    const [start, end] = [entryStart[p], entryStart[p + 1]];
    if (stride === 1) {
      for (let i = start; i < end; i++) gradient[changeSlot[i]] += change[i] * sums[p];
      continue;
    }
    const a = sums[4 * p];
    const b = sums[4 * p + 1];
    const c = sums[4 * p + 2];
    const d = sums[4 * p + 3];
    if (a === 0 && b === 0 && c === 0 && d === 0) continue;
    for (let i = start; i < end; i++) {
      const slot = 4 * changeSlot[i];
      const by = change[i];
      gradient[slot] += by * a;
      gradient[slot + 1] += by * b;
      gradient[slot + 2] += by * c;
      gradient[slot + 3] += by * d;
    }
  }
}
