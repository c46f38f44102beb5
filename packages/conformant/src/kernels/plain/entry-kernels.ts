import type { EntryRows } from "../kernels.ts";

/*
 * The plain loops over rows of entries, for four outputs: their sums stay in registers, which a loop over outputs inside the loop over
 * entries would not. Arrays over (something, output) are row-major.
 */

/** scores_r = base + Σ_{entries p of row r} table_p for the rows from … to − 1. */
export function scoreEntries(
  { rowStart, entries }: EntryRows,
  from: number,
  to: number,
  base: Float64Array,
  table: Float64Array,
  scores: Float64Array,
  line: number,
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
    const s = line * (r - from);
    scores[s] = a;
    scores[s + 1] = b;
    scores[s + 2] = c;
    scores[s + 3] = d;
  }
}

/** sums_p += Σ_{rows r with entry p} residuals_r, over the rows from … to − 1; rows without residuals are passed over. */
export function scatterEntries(
  { rowStart, entries }: EntryRows,
  from: number,
  to: number,
  residuals: Float64Array,
  sums: Float64Array,
  line: number,
): void {
  for (let r = from; r < to; r++) {
    const s = line * (r - from);
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
