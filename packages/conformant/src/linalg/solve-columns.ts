/*
 * Solves with a Cholesky factor, for one right-hand side and for four: sums over four stay in registers. The factor L is
 * n × n, row-major, of which the lower triangle is read; X is n × 1 or n × 4, row-major, and overwritten.
 */

/** Solves L Lᵀ x = b in place, where x holds `stride` right-hand sides. */
export function solveColumns(l: Float64Array, n: number, x: Float64Array, stride: 1 | 4): void {
  if (stride === 1) {
    solveLower1(l, n, x);
    solveTransposed1(l, n, x);
  } else {
    solveLower4(l, n, x);
    solveTransposed4(l, n, x);
  }
}

function solveLower1(l: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let a = x[i];
    for (let j = 0; j < i; j++) a -= l[i * n + j] * x[j];
    x[i] = a / l[i * n + i];
  }
}

function solveLower4(l: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    let a = x[4 * i];
    let b = x[4 * i + 1];
    let c = x[4 * i + 2];
    let d = x[4 * i + 3];
    for (let j = 0; j < i; j++) {
      const factor = l[row + j];
      a -= factor * x[4 * j];
      b -= factor * x[4 * j + 1];
      c -= factor * x[4 * j + 2];
      d -= factor * x[4 * j + 3];
    }
    const inverse = 1 / l[row + i];
    x[4 * i] = a * inverse;
    x[4 * i + 1] = b * inverse;
    x[4 * i + 2] = c * inverse;
    x[4 * i + 3] = d * inverse;
  }
}

/** By columns of Lᵀ, which are rows of L and so contiguous. */
function solveTransposed1(l: Float64Array, n: number, x: Float64Array): void {
  for (let i = n - 1; i >= 0; i--) {
    const a = x[i] / l[i * n + i];
    for (let j = 0; j < i; j++) x[j] -= l[i * n + j] * a;
    x[i] = a;
  }
}

function solveTransposed4(l: Float64Array, n: number, x: Float64Array): void {
  for (let i = n - 1; i >= 0; i--) {
    const row = i * n;
    const inverse = 1 / l[row + i];
    const a = x[4 * i] * inverse;
    const b = x[4 * i + 1] * inverse;
    const c = x[4 * i + 2] * inverse;
    const d = x[4 * i + 3] * inverse;
    for (let j = 0; j < i; j++) {
      const factor = l[row + j];
      x[4 * j] -= factor * a;
      x[4 * j + 1] -= factor * b;
      x[4 * j + 2] -= factor * c;
      x[4 * j + 3] -= factor * d;
    }
    x[4 * i] = a;
    x[4 * i + 1] = b;
    x[4 * i + 2] = c;
    x[4 * i + 3] = d;
  }
}
