/**
 * Solves (L + diag(ground)) X = R in place for the Laplacian L = diag(Σ_w c_vw) − (c_vw) of a weighted graph. `ground`
 * ties vertices to a value of 0; a part of the graph that is not tied at all is determined up to a constant, for which
 * its last vertex is put at 0 (its right-hand sides must then sum to zero).
 *
 * Vertices are eliminated one after the other; the weights that elimination adds between the neighbours are sums of
 * products of non-negative numbers, so nothing cancels and tiny weights keep their relative precision (the idea of
 * Grassmann, Taksar and Heyman 1985).
 *
 * @param c n × n symmetric non-negative edge weights of which only the part above the diagonal is read; overwritten
 * @param ground n non-negative numbers; overwritten
 * @param x n × m row-major right-hand sides, overwritten by the solution
 */
export function solveLaplacian(
  c: Float64Array,
  ground: Float64Array,
  n: number,
  x: Float64Array,
  m: number,
): void {
  for (let v = 0; v < n; v++) {
    let pivot = ground[v];
    for (let w = v + 1; w < n; w++) pivot += c[v * n + w];
    c[v * n + v] = pivot;
    if (pivot === 0) continue;
    for (let w = v + 1; w < n; w++) {
      const share = c[v * n + w] / pivot;
      if (share === 0) continue;
      ground[w] += share * ground[v];
      for (let y = w + 1; y < n; y++) c[w * n + y] += share * c[v * n + y];
      for (let j = 0; j < m; j++) x[w * m + j] += share * x[v * m + j];
    }
  }
  for (let v = n - 1; v >= 0; v--) {
    const pivot = c[v * n + v];
    for (let j = 0; j < m; j++) {
      let sum = x[v * m + j];
      for (let w = v + 1; w < n; w++) sum += c[v * n + w] * x[w * m + j];
      x[v * m + j] = pivot === 0 ? 0 : sum / pivot;
    }
  }
}
