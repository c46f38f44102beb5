import { copyRoots, timesRoots } from "./eliminate.ts";

export function conditionRows(
  n: i32,
  tilts: i32,
  depth: i32,
  matrix: usize,
  gain: usize,
  roots: usize,
  mean: usize,
  cells: usize,
  known: usize,
  counts: usize,
  rows: i32,
  work: usize,
  sums: usize,
): void {
  for (let r = 0; r < rows; r++) {
    const count = load<i32>(counts);
    conditionRow(n, tilts, depth, matrix, gain, roots, mean, cells, known, count, work, sums);
    cells += (<usize>n) << 3;
    known += (<usize>n) << 2;
    counts += 4;
    sums += (<usize>(3 + 2 * tilts)) << 5;
  }
}

function conditionRow(
  n: i32,
  tilts: i32,
  depth: i32,
  matrix: usize,
  gain: usize,
  roots: usize,
  mean: usize,
  cells: usize,
  known: usize,
  count: i32,
  work: usize,
  sums: usize,
): void {
  const own = count - depth;
  const shared = (<usize>depth) << 5;
  const width = (<usize>own) << 5;
  const line = (<usize>n) << 5;
  const lower = work + shared;
  const z = lower + <usize>own * width;
  const rest = z + <usize>(1 + tilts) * width;
  subtractShared(n, depth, gain, mean, cells, known, count, work, rest);
  const columns = known + ((<usize>depth) << 2);
  copyRoots(roots + ((<usize>depth) << 6), sums);
  factorise(matrix, columns, own, lower, sums);
  solve(rest, columns, own, own, lower, z);
  sums += 64;
  addProducts(work, work, shared, z, z, width, sums);
  let tilt = matrix + ((<usize>((n * (n + 1)) >> 1)) << 5);
  let g = gain + <usize>n * line;
  let h = z;
  for (let t = 0; t < tilts; t++, tilt += line, g += line) {
    h += width;
    solve(tilt, columns, own, own, lower, h);
    addProducts(g, g, shared, h, h, width, sums + 32);
    addProducts(g, work, shared, h, z, width, sums + 64);
    sums += 64;
  }
}

/** L⁻¹ (y − μ) of the eliminated columns at `z`, and what is left of the others' y − μ at `rest`, by column. */
function subtractShared(
  n: i32,
  depth: i32,
  gain: usize,
  mean: usize,
  cells: usize,
  columns: usize,
  count: i32,
  z: usize,
  rest: usize,
): void {
  for (let i = 0; i < count; i++) {
    const c = <usize>load<i32>(columns + ((<usize>i) << 2));
    const y = v128.load64_splat(cells + (c << 3));
    const inner = i < depth;
    let a = f64x2.sub(y, v128.load(mean + (c << 5)));
    let b = f64x2.sub(y, v128.load(mean + (c << 5), 16));
    let g = gain + ((c * <usize>n) << 5);
    const end = z + ((<usize>(inner ? i : depth)) << 5);
    for (let x = z; x < end; x += 32, g += 32) {
      a = f64x2.sub(a, f64x2.mul(v128.load(g), v128.load(x)));
      b = f64x2.sub(b, f64x2.mul(v128.load(g, 16), v128.load(x, 16)));
    }
    const to = inner ? end : rest + (c << 5);
    v128.store(to, inner ? f64x2.mul(a, v128.load(g)) : a);
    v128.store(to, inner ? f64x2.mul(b, v128.load(g, 16)) : b, 16);
  }
}

/** Four sums of products: of p and q, `shared` bytes long, and then of x and y, `width` bytes. */
function addProducts(p: usize, q: usize, shared: usize, x: usize, y: usize, width: usize, out: usize): void {
  let a = f64x2.splat(0);
  let b = a;
  for (let end = p + shared; p < end; p += 32, q += 32) {
    a = f64x2.add(a, f64x2.mul(v128.load(p), v128.load(q)));
    b = f64x2.add(b, f64x2.mul(v128.load(p, 16), v128.load(q, 16)));
  }
  for (let end = x + width; x < end; x += 32, y += 32) {
    a = f64x2.add(a, f64x2.mul(v128.load(x), v128.load(y)));
    b = f64x2.add(b, f64x2.mul(v128.load(x, 16), v128.load(y, 16)));
  }
  v128.store(out, a);
  v128.store(out, b, 16);
}

/** The Cholesky factor L of the given rows and columns, with inverses on its diagonal, by which the roots are multiplied. */
function factorise(matrix: usize, columns: usize, count: i32, work: usize, roots: usize): void {
  const width = (<usize>count) << 5;
  let row = work;
  for (let i = 0; i < count; i++) {
    const column = load<i32>(columns + ((<usize>i) << 2));
    const source = matrix + ((<usize>((column * (column + 1)) >> 1)) << 5);
    solve(source, columns, count, i, work, row);
    let a = v128.load(source + ((<usize>column) << 5));
    let b = v128.load(source + ((<usize>column) << 5), 16);
    let x = row;
    const end = row + ((<usize>i) << 5);
    for (; x < end; x += 32) {
      const y = v128.load(x);
      const y2 = v128.load(x, 16);
      a = f64x2.sub(a, f64x2.mul(y, y));
      b = f64x2.sub(b, f64x2.mul(y2, y2));
    }
    a = f64x2.div(f64x2.splat(1), f64x2.sqrt(a));
    b = f64x2.div(f64x2.splat(1), f64x2.sqrt(b));
    v128.store(x, a);
    v128.store(x, b, 16);
    timesRoots(roots, a, b);
    row += width;
  }
}

/** The first `known` entries of L⁻¹ b, two at a time; L has `count` columns. */
function solve(source: usize, columns: usize, count: i32, known: i32, work: usize, row: usize): void {
  const width = (<usize>count) << 5;
  let at = row;
  let first = work;
  let j = 0;
  for (; j + 1 < known; j += 2) {
    const one = source + ((<usize>load<i32>(columns + ((<usize>j) << 2))) << 5);
    const two = source + ((<usize>load<i32>(columns + ((<usize>j) << 2), 4)) << 5);
    let a = v128.load(one);
    let a2 = v128.load(one, 16);
    let b = v128.load(two);
    let b2 = v128.load(two, 16);
    let p = first;
    for (let x = row; x < at; x += 32, p += 32) {
      const y = v128.load(x);
      const y2 = v128.load(x, 16);
      const q = p + width;
      a = f64x2.sub(a, f64x2.mul(y, v128.load(p)));
      a2 = f64x2.sub(a2, f64x2.mul(y2, v128.load(p, 16)));
      b = f64x2.sub(b, f64x2.mul(y, v128.load(q)));
      b2 = f64x2.sub(b2, f64x2.mul(y2, v128.load(q, 16)));
    }
    const q = p + width;
    a = f64x2.mul(a, v128.load(p));
    a2 = f64x2.mul(a2, v128.load(p, 16));
    v128.store(at, a);
    v128.store(at, a2, 16);
    v128.store(at, f64x2.mul(f64x2.sub(b, f64x2.mul(a, v128.load(q))), v128.load(q, 32)), 32);
    v128.store(at, f64x2.mul(f64x2.sub(b2, f64x2.mul(a2, v128.load(q, 16))), v128.load(q, 48)), 48);
    at += 64;
    first += width << 1;
  }
  if (j < known) {
    const one = source + ((<usize>load<i32>(columns + ((<usize>j) << 2))) << 5);
    let a = v128.load(one);
    let a2 = v128.load(one, 16);
    let p = first;
    for (let x = row; x < at; x += 32, p += 32) {
      a = f64x2.sub(a, f64x2.mul(v128.load(x), v128.load(p)));
      a2 = f64x2.sub(a2, f64x2.mul(v128.load(x, 16), v128.load(p, 16)));
    }
    v128.store(at, f64x2.mul(a, v128.load(p)));
    v128.store(at, f64x2.mul(a2, v128.load(p, 16)), 16);
  }
}
