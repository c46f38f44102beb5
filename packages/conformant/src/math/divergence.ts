/** Σ_k p_k log( p_k / q_k ), Kullback and Leibler's divergence: finite also where numbers are too small to be multiplied. */
export function divergence(p: Float64Array, q: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < p.length; k++) if (p[k] > 0) sum += p[k] * (Math.log(p[k]) - Math.log(q[k]));
  return sum;
}
