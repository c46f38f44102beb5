import type { StandardColumns } from "./design-matrix.ts";

/*
 * The passes over standardised numeric columns, for one class and for four, in the layout of packed-columns.ts:
 * `weights` and `gradient` are D × 1 or D × 4, row-major. With four classes the rows go in pairs, so that every weight
 * that is read serves twice; an odd last row is paired with itself.
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
  for (let r = from; r < to; r += 2) {
    const pair = r + 1 < to ? 1 : 0;
    const s = 4 * (r - from);
    const t = s + 4 * pair;
    let a = scores[s];
    let b = scores[s + 1];
    let c = scores[s + 2];
    let d = scores[s + 3];
    let e = scores[t];
    let f = scores[t + 1];
    let g = scores[t + 2];
    let h = scores[t + 3];
    const start = r * width;
    const next = start + pair * width;
    for (let i = 0; i < width; i++) {
      const x = values[start + i];
      const y = values[next + i];
      const w0 = weights[4 * i];
      const w1 = weights[4 * i + 1];
      const w2 = weights[4 * i + 2];
      const w3 = weights[4 * i + 3];
      a += x * w0;
      b += x * w1;
      c += x * w2;
      d += x * w3;
      e += y * w0;
      f += y * w1;
      g += y * w2;
      h += y * w3;
    }
    scores[s] = a;
    scores[s + 1] = b;
    scores[s + 2] = c;
    scores[s + 3] = d;
    scores[t] = e;
    scores[t + 1] = f;
    scores[t + 2] = g;
    scores[t + 3] = h;
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
  for (let r = from; r < to; r += 2) {
    const pair = r + 1 < to ? 1 : 0;
    const s = 4 * (r - from);
    const t = s + 4 * pair;
    const a = residuals[s];
    const b = residuals[s + 1];
    const c = residuals[s + 2];
    const d = residuals[s + 3];
    const e = pair * residuals[t];
    const f = pair * residuals[t + 1];
    const g = pair * residuals[t + 2];
    const h = pair * residuals[t + 3];
    const start = r * width;
    const next = start + pair * width;
    for (let i = 0; i < width; i++) {
      const x = values[start + i];
      const y = values[next + i];
      gradient[4 * i] += x * a + y * e;
      gradient[4 * i + 1] += x * b + y * f;
      gradient[4 * i + 2] += x * c + y * g;
      gradient[4 * i + 3] += x * d + y * h;
    }
  }
}
