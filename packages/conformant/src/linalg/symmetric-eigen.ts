/** Sweeps after which Jacobi's method is given up; it converges quadratically and needs fewer than ten. */
const SWEEPS = 60;

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations (Golub and Van Loan, section 8.5): slow for
 * large matrices, accurate for the small ones it is used for.
 *
 * @param a n × n row-major, overwritten
 * @returns A = Q diag(values) Qᵀ, `vectors[i * n + j]` being entry i of eigenvector j
 */
export function symmetricEigen(
  a: Float64Array,
  n: number,
): { readonly values: Float64Array; readonly vectors: Float64Array } {
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) if (rotate(a, vectors, n, p, q)) rotated = true;
    }
    if (!rotated) break;
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]), vectors };
}

/** Makes entry (p, q) zero; false where it is no more than rounding already. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): boolean {
  const off = a[p * n + q];
  const [app, aqq] = [a[p * n + p], a[q * n + q]];
  if (Math.abs(off) <= 1e-17 * Math.sqrt(Math.abs(app * aqq)) || off === 0) return false;
  const tau = (aqq - app) / (2 * off);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau));
  const c = 1 / Math.hypot(1, t);
  const s = t * c;
  for (let i = 0; i < n; i++) turn(a, i * n + p, i * n + q, c, s);
  for (let i = 0; i < n; i++) turn(a, p * n + i, q * n + i, c, s);
  for (let i = 0; i < n; i++) turn(vectors, i * n + p, i * n + q, c, s);
  a[p * n + q] = 0;
  a[q * n + p] = 0;
  return true;
}

function turn(a: Float64Array, i: number, j: number, c: number, s: number): void {
  const [x, y] = [a[i], a[j]];
  a[i] = c * x - s * y;
  a[j] = s * x + c * y;
}
