/** Sweeps after which Jacobi's method is given up; it converges quadratically and needs fewer than ten. */
const SWEEPS = 60;

/**
 * Rotates the columns of a matrix until they are orthogonal, A J = U diag(σ): its singular values by one-sided Jacobi rotations
 * (Golub and Van Loan, section 8.6.3). Small singular values and small rows keep their relative accuracy, which they lose in AᵀA.
 *
 * @param a m × n row-major, overwritten by A J
 * @param also r × n matrix that is multiplied by J as well
 */
export function orthogonaliseColumns(a: Float64Array, n: number, also?: Float64Array): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const angle = angleBetween(a, n, p, q);
        if (angle === undefined) continue;
        turn(a, n, p, q, angle);
        if (also) turn(also, n, p, q, angle);
        rotated = true;
      }
    }
    if (!rotated) break;
  }
}

type Angle = readonly [cosine: number, sine: number];

/** The rotation that makes two columns orthogonal; undefined where they are, up to rounding. */
function angleBetween(a: Float64Array, n: number, p: number, q: number): Angle | undefined {
  let pp = 0;
  let qq = 0;
  let pq = 0;
  for (let row = 0; row < a.length; row += n) {
    const x = a[row + p];
    const y = a[row + q];
    pp += x * x;
    qq += y * y;
    pq += x * y;
  }
  if (!(Math.abs(pq) > Number.EPSILON * Math.sqrt(pp) * Math.sqrt(qq))) return undefined;
  const tau = (qq - pp) / (2 * pq);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.hypot(1, tau));
  const cosine = 1 / Math.hypot(1, t);
  return [cosine, t * cosine];
}

function turn(a: Float64Array, n: number, p: number, q: number, [cosine, sine]: Angle): void {
  for (let row = 0; row < a.length; row += n) {
    const x = a[row + p];
    const y = a[row + q];
    a[row + p] = cosine * x - sine * y;
    a[row + q] = sine * x + cosine * y;
  }
}
