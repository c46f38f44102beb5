import type { PackedColumns } from "./packed-columns.ts";

/*
 * The passes over packed rows, for one class and for four: sums over four classes stay in registers, which a loop over
 * classes inside the loop over entries would not. All arrays over (something, class) are row-major with stride 1 or 4,
 * and `scores` starts at row `from`.
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

/** As {@link scoreEntries1}, for four classes. */
export function scoreEntries4(
  { rowStart, entries }: PackedColumns,
  from: number,
  to: number,
  base: Float64Array,
  table: Float64Array,
  scores: Float64Array,
): void {
  for (let r = from; r < to; r++) {
    let a = base[0];
    let b = base[1];
    let c = base[2];
    let d = base[3];
    const end = rowStart[r + 1];
    for (let i = rowStart[r]; i < end; i++) {
      const t = 4 * entries[i];
      a += table[t];
      b += table[t + 1];
      c += table[t + 2];
      d += table[t + 3];
    }
    const s = 4 * (r - from);
    scores[s] = a;
    scores[s + 1] = b;
    scores[s + 2] = c;
    scores[s + 3] = d;
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

/** As {@link scatterEntries1}, for four classes. */
export function scatterEntries4(
  { rowStart, entries }: PackedColumns,
  from: number,
  to: number,
  residuals: Float64Array,
  sums: Float64Array,
): void {
  for (let r = from; r < to; r++) {
    const s = 4 * (r - from);
    const a = residuals[s];
    const b = residuals[s + 1];
    const c = residuals[s + 2];
    const d = residuals[s + 3];
    if (a === 0 && b === 0 && c === 0 && d === 0) continue;
    const end = rowStart[r + 1];
    for (let i = rowStart[r]; i < end; i++) {
      const t = 4 * entries[i];
      sums[t] += a;
      sums[t + 1] += b;
      sums[t + 2] += c;
      sums[t + 3] += d;
    }
  }
}

/** table_p = Σ_{changes of p} sign · weights_slot; `stride` numbers per entry and per slot. */
export function fillTable(
  packed: PackedColumns,
  stride: number,
  weights: Float64Array,
  table: Float64Array,
): void {
  const { entryStart, changeSlot, changeSign } = packed;
  table.fill(0);
  for (let p = 0; p + 1 < entryStart.length; p++) {
    for (let i = entryStart[p]; i < entryStart[p + 1]; i++) {
      const slot = changeSlot[i] * stride;
      const sign = changeSign[i];
      for (let j = 0; j < stride; j++) table[p * stride + j] += sign * weights[slot + j];
    }
  }
}

/** gradient_slot += Σ_{entries p that change the slot} sign · sums_p: the transpose of {@link fillTable}. */
export function drainTable(
  packed: PackedColumns,
  stride: number,
  sums: Float64Array,
  gradient: Float64Array,
): void {
  const { entryStart, changeSlot, changeSign } = packed;
  for (let p = 0; p + 1 < entryStart.length; p++) {
    for (let i = entryStart[p]; i < entryStart[p + 1]; i++) {
      const slot = changeSlot[i] * stride;
      const sign = changeSign[i];
      for (let j = 0; j < stride; j++) gradient[slot + j] += sign * sums[p * stride + j];
    }
  }
}
