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

/** Solves L Lᵀ x = b in place for the factor that {@link choleskyFactor} leaves behind. */
export function solveFactored(l: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = x[i];
    for (let j = 0; j < i; j++) sum -= l[i * n + j] * x[j];
    x[i] = sum / l[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i];
    for (let j = i + 1; j < n; j++) sum -= l[j * n + i] * x[j];
    x[i] = sum / l[i * n + i];
  }
}

/** Overwrites the lower triangle of the n × n row-major matrix by its Cholesky factor; false where there is none. */
export function choleskyFactor(a: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
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
  return true;
}
