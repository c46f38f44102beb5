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
