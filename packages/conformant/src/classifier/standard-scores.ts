import type { StandardColumns } from "./standard-columns.ts";

/*
 * The passes over standardised numeric columns, for one class and for four, in the layout of packed-scores.ts:
 * `weights` and `gradient` are D × 1 or D × 4, row-major.
 */

/** scores_r += Σ_c values_rc · weights_c for the rows from … to − 1. */
export function addValues1(
  { values, slots }: StandardColumns,
  from: number,
  to: number,
  weights: Float64Array,
  scores: Float64Array,
): void {
  const width = slots.length;
  for (let r = from; r < to; r++) {
    let a = scores[r - from];
    const start = r * width;
    for (let c = 0; c < width; c++) a += values[start + c] * weights[c];
    scores[r - from] = a;
  }
}

/** As {@link addValues1}, for four classes. */
export function addValues4(
  { values, slots }: StandardColumns,
  from: number,
  to: number,
  weights: Float64Array,
  scores: Float64Array,
): void {
  const width = slots.length;
  for (let r = from; r < to; r++) {
    const s = 4 * (r - from);
    let a = scores[s];
    let b = scores[s + 1];
    let c = scores[s + 2];
    let d = scores[s + 3];
    const start = r * width;
    for (let i = 0; i < width; i++) {
      const x = values[start + i];
      const w = 4 * i;
      a += x * weights[w];
      b += x * weights[w + 1];
      c += x * weights[w + 2];
      d += x * weights[w + 3];
    }
    scores[s] = a;
    scores[s + 1] = b;
    scores[s + 2] = c;
    scores[s + 3] = d;
  }
}

/** gradient_c += Σ_r values_rc · residuals_r over the rows from … to − 1: the transpose of scoring. */
export function scatterValues1(
  { values, slots }: StandardColumns,
  from: number,
  to: number,
  residuals: Float64Array,
  gradient: Float64Array,
): void {
  const width = slots.length;
  for (let r = from; r < to; r++) {
    const a = residuals[r - from];
    const start = r * width;
    for (let c = 0; c < width; c++) gradient[c] += values[start + c] * a;
  }
}

/** As {@link scatterValues1}, for four classes. */
export function scatterValues4(
  { values, slots }: StandardColumns,
  from: number,
  to: number,
  residuals: Float64Array,
  gradient: Float64Array,
): void {
  const width = slots.length;
  for (let r = from; r < to; r++) {
    const s = 4 * (r - from);
    const a = residuals[s];
    const b = residuals[s + 1];
    const c = residuals[s + 2];
    const d = residuals[s + 3];
    const start = r * width;
    for (let i = 0; i < width; i++) {
      const x = values[start + i];
      const g = 4 * i;
      gradient[g] += x * a;
      gradient[g + 1] += x * b;
      gradient[g + 2] += x * c;
      gradient[g + 3] += x * d;
    }
  }
}
