/**
 * Solves A x = b in place for a symmetric positive definite A by Cholesky, A = L Lᵀ.
 *
 * @param a n × n row-major; only the lower triangle is read, and it is overwritten by L
 * @param x the right-hand side, n numbers, overwritten by the solution
 * @returns false where A is not positive definite to working precision; x is then of no use
 */
export function choleskySolve(a: Float64Array, n: number, x: Float64Array): boolean {
  if (!choleskyFactor(a, n)) return false;
  solveFactored(a, n, x);
  return true;
}

/**
 * Solves L Lᵀ X = B in place for the factor that {@link choleskyFactor} leaves behind.
 *
 * @param x B, n × width row-major, overwritten by X
 */
export function solveFactored(l: Float64Array, n: number, x: Float64Array, width = 1): void {
  solveLower(l, n, x, width);
  solveTransposed(l, n, x, width);
}

/**
 * Forward substitution: solves L X = B in place.
 *
 * @param l n × n row-major, of which the lower triangle is read
 * @param x B, n × width row-major, overwritten by X
 */
export function solveLower(l: Float64Array, n: number, x: Float64Array, width = 1): void {
  if (width === 4) {
    solveLower4(l, n, x);
    return;
  }
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < width; c++) {
      let sum = x[i * width + c];
      for (let j = 0; j < i; j++) sum -= l[i * n + j] * x[j * width + c];
      x[i * width + c] = sum / l[i * n + i];
    }
  }
}

/** Back substitution: solves Lᵀ X = B in place, column by column of Lᵀ, which are rows of L and so contiguous. */
export function solveTransposed(l: Float64Array, n: number, x: Float64Array, width = 1): void {
  if (width === 4) {
    solveTransposed4(l, n, x);
    return;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let c = 0; c < width; c++) {
      const solved = x[i * width + c] / l[i * n + i];
      for (let j = 0; j < i; j++) x[j * width + c] -= l[i * n + j] * solved;
      x[i * width + c] = solved;
    }
  }
}

/** Four right-hand sides, whose sums stay in registers. */
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

/** What the diagonal grows by where a matrix is not positive definite, as shares of it: the first that is enough. */
const JITTERS = [1e-9, 1e-6, 1e-3];

/**
 * L with A = L Lᵀ, n × n with zeros above the diagonal, for a covariance. Where rounding has left it not positive definite its
 * diagonal grows by the least share that makes it so, and a variance of 0 becomes the tiniest one. All NaN where there is no such share, as in a
 * matrix of numbers that overflowed, so that whatever is made of it is NaN as well.
 *
 * @param a n × n row-major; only the lower triangle is read, and it stays as it is
 */
export function choleskyRoot(a: Float64Array, n: number): Float64Array {
  const root = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) root[i * n + j] = a[i * n + j];
  if (choleskyFactor(root, n)) return root;
  for (const jitter of JITTERS) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) root[i * n + j] = a[i * n + j];
      root[i * n + i] = a[i * n + i] * (1 + jitter) + Number.MIN_VALUE;
    }
    if (choleskyFactor(root, n)) return root;
  }
  return root.fill(Number.NaN);
}

/**
 * Overwrites the lower triangle of the n × n row-major matrix by its Cholesky factor.
 *
 * @returns false where there is none; the matrix is then of no use, and callers must not go on with it
 */
export function choleskyFactor(a: Float64Array, n: number): boolean {
  for (let from = 0; from < n; from += 4) {
    const to = Math.min(from + 4, n);
    if (to - from === 4) factorFour(a, n, from);
    for (let i = from; i < to; i++) {
      for (let j = to - from === 4 ? from : 0; j <= i; j++) {
        let sum = a[i * n + j];
        for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
        if (i === j) {
          if (!(sum > 0)) return false;
          a[i * n + i] = Math.sqrt(sum);
        } else {
          a[i * n + j] = sum / a[j * n + j];
        }
      }
    }
  }
  return true;
}

/** Four rows left of the diagonal at once: four sums that do not wait for each other, each in the order of a row by itself. */
function factorFour(l: Float64Array, n: number, from: number): void {
  const first = from * n;
  const second = first + n;
  const third = second + n;
  const fourth = third + n;
  for (let j = 0; j < from; j++) {
    const row = j * n;
    let a = l[first + j];
    let b = l[second + j];
    let c = l[third + j];
    let d = l[fourth + j];
    for (let k = 0; k < j; k++) {
      const x = l[row + k];
      a -= l[first + k] * x;
      b -= l[second + k] * x;
      c -= l[third + k] * x;
      d -= l[fourth + k] * x;
    }
    const pivot = l[row + j];
    l[first + j] = a / pivot;
    l[second + j] = b / pivot;
    l[third + j] = c / pivot;
    l[fourth + j] = d / pivot;
  }
}

/** How many numbers the lower triangle of an n × n matrix has: a whole number, which the shift tells the compiler. */
export function triangle(n: number): number {
  return (n * (n + 1)) >> 1;
}

/** The part of a matrix of n columns in the given rows and columns; the same ones where only rows are given. */
export function submatrix(
  matrix: Float64Array,
  n: number,
  rows: ArrayLike<number>,
  columns: ArrayLike<number> = rows,
): Float64Array {
  const out = new Float64Array(rows.length * columns.length);
  for (let a = 0, at = 0; a < rows.length; a++) {
    for (let b = 0; b < columns.length; b++) out[at++] = matrix[rows[a] * n + columns[b]];
  }
  return out;
}
