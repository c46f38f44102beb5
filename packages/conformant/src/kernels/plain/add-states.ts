/** For each row the sums of the table's lines that its codes name, eight numbers a line; four at a time, which stay in registers. */
export function addStates(table: Float64Array, codes: Int32Array, groups: number, out: Float64Array): void {
  const rows = codes.length / groups;
  for (let r = 0; r < rows; r++) {
    addFour(table, codes, r * groups, (r + 1) * groups, 0, out, 8 * r);
    addFour(table, codes, r * groups, (r + 1) * groups, 4, out, 8 * r + 4);
  }
}

function addFour(
  table: Float64Array,
  codes: Int32Array,
  start: number,
  end: number,
  offset: number,
  out: Float64Array,
  to: number,
): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = start; at < end; at++) {
    const t = codes[at] + offset;
    a += table[t];
    b += table[t + 1];
    c += table[t + 2];
    d += table[t + 3];
  }
  out[to] = a;
  out[to + 1] = b;
  out[to + 2] = c;
  out[to + 3] = d;
}
