/*
 * The kernels for processors that work on two numbers at once, in AssemblyScript, TypeScript's syntax for WebAssembly.
 * `npm run kernels` compiles this file into ../src/kernels/simd-binary.ts. What the functions do is said in
 * ../src/kernels/kernels.ts; ../src/kernels/plain-kernels.ts does the same, operation by operation, to the last bit.
 *
 * Addresses are in bytes: a number has 8, a lane of four numbers 32, and a vector two numbers.
 */

export function scoreTiles(
  numbers: usize,
  stride: i32,
  o: i32,
  tilts: i32,
  components: i32,
  cells: usize,
  tiles: i32,
  out: usize,
): void {
  const width = (<usize>(components * (1 + tilts))) << 3;
  for (let tile = 0; tile < tiles; tile++) {
    const x = cells + ((<usize>(tile * o)) << 6);
    let component = numbers;
    for (let m = 0; m < components; m++) {
      let row = square(component, o, x, out, width);
      out += 8;
      for (let t = 0; t < tilts; t++) {
        let a = v128.load64_splat(row);
        let a2 = a;
        let a3 = a;
        let a4 = a;
        row += 8;
        const end = row + ((<usize>o) << 3);
        for (let e = x; row < end; row += 8, e += 64) {
          const v = v128.load64_splat(row);
          a = f64x2.add(a, f64x2.mul(v, v128.load(e)));
          a2 = f64x2.add(a2, f64x2.mul(v, v128.load(e, 16)));
          a3 = f64x2.add(a3, f64x2.mul(v, v128.load(e, 32)));
          a4 = f64x2.add(a4, f64x2.mul(v, v128.load(e, 48)));
        }
        storeEight(out, width, a, a2, a3, a4);
        out += 8;
      }
      component += (<usize>stride) << 3;
    }
    out += 7 * width;
  }
}

/** Eight numbers, one to each of eight rows. */
function storeEight(out: usize, width: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store64_lane(out, a, 0);
  v128.store64_lane(out + width, a, 1);
  v128.store64_lane(out + 2 * width, b, 0);
  v128.store64_lane(out + 3 * width, b, 1);
  v128.store64_lane(out + 4 * width, c, 0);
  v128.store64_lane(out + 5 * width, c, 1);
  v128.store64_lane(out + 6 * width, d, 0);
  v128.store64_lane(out + 7 * width, d, 1);
}

/** Writes |c + W x|² of eight rows and returns where the triangle ends; two rows of W at a time, an odd one first. */
function square(centre: usize, o: i32, x: usize, out: usize, width: usize): usize {
  let row = centre + ((<usize>o) << 3);
  let sum = f64x2.splat(0);
  let sum2 = sum;
  let sum3 = sum;
  let sum4 = sum;
  let i = 0;
  if (o & 1) {
    const w = v128.load64_splat(row);
    const c = v128.load64_splat(centre);
    const a = f64x2.add(c, f64x2.mul(w, v128.load(x)));
    const a2 = f64x2.add(c, f64x2.mul(w, v128.load(x, 16)));
    const a3 = f64x2.add(c, f64x2.mul(w, v128.load(x, 32)));
    const a4 = f64x2.add(c, f64x2.mul(w, v128.load(x, 48)));
    sum = f64x2.mul(a, a);
    sum2 = f64x2.mul(a2, a2);
    sum3 = f64x2.mul(a3, a3);
    sum4 = f64x2.mul(a4, a4);
    row += 8;
    i = 1;
  }
  for (; i < o; i += 2) {
    const c = centre + ((<usize>i) << 3);
    let a = v128.load64_splat(c);
    let a2 = a;
    let a3 = a;
    let a4 = a;
    let b = v128.load64_splat(c, 8);
    let b2 = b;
    let b3 = b;
    let b4 = b;
    const length = (<usize>(i + 1)) << 3;
    const end = row + length;
    let e = x;
    for (; row < end; row += 8, e += 64) {
      const p = v128.load64_splat(row);
      const q = v128.load64_splat(row + length);
      let y = v128.load(e);
      a = f64x2.add(a, f64x2.mul(p, y));
      b = f64x2.add(b, f64x2.mul(q, y));
      y = v128.load(e, 16);
      a2 = f64x2.add(a2, f64x2.mul(p, y));
      b2 = f64x2.add(b2, f64x2.mul(q, y));
      y = v128.load(e, 32);
      a3 = f64x2.add(a3, f64x2.mul(p, y));
      b3 = f64x2.add(b3, f64x2.mul(q, y));
      y = v128.load(e, 48);
      a4 = f64x2.add(a4, f64x2.mul(p, y));
      b4 = f64x2.add(b4, f64x2.mul(q, y));
    }
    row += length;
    const last = v128.load64_splat(row);
    row += 8;
    b = f64x2.add(b, f64x2.mul(last, v128.load(e)));
    b2 = f64x2.add(b2, f64x2.mul(last, v128.load(e, 16)));
    b3 = f64x2.add(b3, f64x2.mul(last, v128.load(e, 32)));
    b4 = f64x2.add(b4, f64x2.mul(last, v128.load(e, 48)));
    sum = f64x2.add(sum, f64x2.add(f64x2.mul(a, a), f64x2.mul(b, b)));
    sum2 = f64x2.add(sum2, f64x2.add(f64x2.mul(a2, a2), f64x2.mul(b2, b2)));
    sum3 = f64x2.add(sum3, f64x2.add(f64x2.mul(a3, a3), f64x2.mul(b3, b3)));
    sum4 = f64x2.add(sum4, f64x2.add(f64x2.mul(a4, a4), f64x2.mul(b4, b4)));
  }
  storeEight(out, width, sum, sum2, sum3, sum4);
  return row;
}

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

export function eliminate(
  n: i32,
  tilts: i32,
  depth: i32,
  matrix: usize,
  gain: usize,
  roots: usize,
  column: i32,
  to: usize,
  work: usize,
): void {
  const rows = n + tilts;
  const line = (<usize>n) << 5;
  const at = (<usize>column) << 5;
  const pivot = matrix + ((<usize>((column * (column + 1)) >> 1)) << 5) + at;
  const a = f64x2.div(f64x2.splat(1), f64x2.sqrt(v128.load(pivot)));
  const b = f64x2.div(f64x2.splat(1), f64x2.sqrt(v128.load(pivot, 16)));
  roots += (<usize>depth) << 6;
  copyRoots(roots, roots + 64);
  timesRoots(roots + 64, a, b);
  let into = gain + <usize>column * line + ((<usize>depth) << 5);
  v128.store(into, a);
  v128.store(into, b, 16);
  let row = pivot - at;
  for (let i = column + 1; i < rows; i++) {
    row += i <= n ? (<usize>i) << 5 : line;
    const c = f64x2.mul(v128.load(row + at), a);
    const d = f64x2.mul(v128.load(row + at, 16), b);
    into += line;
    v128.store(into, c);
    v128.store(into, d, 16);
    v128.store(work + ((<usize>i) << 5), c);
    v128.store(work + ((<usize>i) << 5), d, 16);
    const move = to - matrix;
    const end = row + ((<usize>min(i + 1, n)) << 5);
    let g = work + at + 32;
    for (let x = row + at + 32; x < end; x += 32, g += 32) {
      v128.store(x + move, f64x2.sub(v128.load(x), f64x2.mul(c, v128.load(g))));
      v128.store(x + move, f64x2.sub(v128.load(x, 16), f64x2.mul(d, v128.load(g, 16))), 16);
    }
  }
}

function copyRoots(from: usize, to: usize): void {
  for (let at: usize = 0; at < 64; at += 16) v128.store(to + at, v128.load(from + at));
}

/** Multiplies four products of inverse roots, which stand with the powers of two that were taken out of them, by four more. */
function timesRoots(roots: usize, a: v128, b: v128): void {
  timesTwo(roots, a);
  timesTwo(roots + 16, b);
}

function timesTwo(roots: usize, a: v128): void {
  let product = f64x2.mul(v128.load(roots), a);
  const large = f64x2.gt(product, f64x2.splat(1e140));
  const small = f64x2.lt(product, f64x2.splat(1e-140));
  if (v128.any_true(v128.or(large, small))) {
    const by = v128.bitselect(
      f64x2.splat(7.458340731200207e-155),
      f64x2.splat(1.3407807929942597e154),
      large,
    );
    product = v128.bitselect(f64x2.mul(product, by), product, v128.or(large, small));
    const power = v128.bitselect(f64x2.splat(512), v128.and(f64x2.splat(-512), small), large);
    v128.store(roots, f64x2.add(v128.load(roots, 32), power), 32);
  }
  v128.store(roots, product);
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

export function scoreEntries(
  rowStart: usize,
  entries: usize,
  rows: i32,
  base: usize,
  table: usize,
  scores: usize,
): void {
  const start = v128.load(base);
  const start2 = v128.load(base, 16);
  for (let r = 0; r < rows; r++) {
    let a = start;
    let b = start2;
    const end = entries + ((<usize>load<i32>(rowStart, 4)) << 2);
    for (let p = entries + ((<usize>load<i32>(rowStart)) << 2); p < end; p += 4) {
      const line = table + ((<usize>load<i32>(p)) << 5);
      a = f64x2.add(a, v128.load(line));
      b = f64x2.add(b, v128.load(line, 16));
    }
    v128.store(scores, a);
    v128.store(scores, b, 16);
    scores += 32;
    rowStart += 4;
  }
}

export function scatterEntries(
  rowStart: usize,
  entries: usize,
  rows: i32,
  residuals: usize,
  sums: usize,
): void {
  const zero = f64x2.splat(0);
  for (let r = 0; r < rows; r++) {
    const a = v128.load(residuals);
    const b = v128.load(residuals, 16);
    if (v128.any_true(v128.or(f64x2.ne(a, zero), f64x2.ne(b, zero)))) {
      const end = entries + ((<usize>load<i32>(rowStart, 4)) << 2);
      for (let p = entries + ((<usize>load<i32>(rowStart)) << 2); p < end; p += 4) {
        const line = sums + ((<usize>load<i32>(p)) << 5);
        v128.store(line, f64x2.add(v128.load(line), a));
        v128.store(line, f64x2.add(v128.load(line, 16), b), 16);
      }
    }
    residuals += 32;
    rowStart += 4;
  }
}

export function addStates(table: usize, codes: usize, groups: i32, rows: i32, out: usize): void {
  for (let r = 0; r < rows; r++) {
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    const end = codes + ((<usize>groups) << 2);
    for (; codes < end; codes += 4) {
      const line = table + ((<usize>load<i32>(codes)) << 3);
      a = f64x2.add(a, v128.load(line));
      b = f64x2.add(b, v128.load(line, 16));
      c = f64x2.add(c, v128.load(line, 32));
      d = f64x2.add(d, v128.load(line, 48));
    }
    v128.store(out, a);
    v128.store(out, b, 16);
    v128.store(out, c, 32);
    v128.store(out, d, 48);
    out += 64;
  }
}

export function addNumbers(
  cells: usize,
  columns: i32,
  stride: i32,
  weights: usize,
  gaps: usize,
  K: i32,
  scores: usize,
): void {
  const line = (<usize>stride) << 3;
  const next = (<usize>K) << 3;
  const end = weights + <usize>columns * next;
  for (let r: usize = 0; r < line; r += 32) {
    let to = scores + r;
    let first = weights;
    let gap = gaps;
    let k = 0;
    // Two classes of four rows at a time: their sums stay in registers while the columns go by.
    for (; k + 1 < K; k += 2) {
      let a = v128.load(to);
      let a2 = v128.load(to, 16);
      let b = v128.load(to + line);
      let b2 = v128.load(to + line, 16);
      let g = gap;
      let x = cells + r;
      for (let w = first; w < end; w += next, g += next, x += line) {
        const p = v128.load64_splat(w);
        const q = v128.load64_splat(w, 8);
        const u = v128.load64_splat(g);
        const v = v128.load64_splat(g, 8);
        const y = v128.load(x);
        const y2 = v128.load(x, 16);
        const known = f64x2.eq(y, y);
        const known2 = f64x2.eq(y2, y2);
        a = f64x2.add(a, v128.bitselect(f64x2.mul(p, y), u, known));
        a2 = f64x2.add(a2, v128.bitselect(f64x2.mul(p, y2), u, known2));
        b = f64x2.add(b, v128.bitselect(f64x2.mul(q, y), v, known));
        b2 = f64x2.add(b2, v128.bitselect(f64x2.mul(q, y2), v, known2));
      }
      v128.store(to, a);
      v128.store(to, a2, 16);
      v128.store(to + line, b);
      v128.store(to + line, b2, 16);
      to += line << 1;
      first += 16;
      gap += 16;
    }
    if (k < K) {
      let a = v128.load(to);
      let a2 = v128.load(to, 16);
      let g = gap;
      let x = cells + r;
      for (let w = first; w < end; w += next, g += next, x += line) {
        const p = v128.load64_splat(w);
        const u = v128.load64_splat(g);
        const y = v128.load(x);
        const y2 = v128.load(x, 16);
        a = f64x2.add(a, v128.bitselect(f64x2.mul(p, y), u, f64x2.eq(y, y)));
        a2 = f64x2.add(a2, v128.bitselect(f64x2.mul(p, y2), u, f64x2.eq(y2, y2)));
      }
      v128.store(to, a);
      v128.store(to, a2, 16);
    }
  }
}

export function classProbabilities(scores: usize, stride: i32, K: i32, out: usize, fractions: usize): void {
  const line = (<usize>stride) << 3;
  const width = (<usize>K) << 3;
  const end = <usize>K * line;
  for (let r: usize = 0; r < line; r += 16) {
    let most = v128.load(scores + r);
    for (let at = r + line; at < end; at += line) most = f64x2.pmax(most, v128.load(scores + at));
    let sum = f64x2.splat(0);
    for (let at = r; at < end; at += line) {
      const e = exponential(f64x2.sub(v128.load(scores + at), most), fractions);
      v128.store(scores + at, e);
      sum = f64x2.add(sum, e);
    }
    for (let at = r; at < end; at += line) {
      const p = f64x2.div(v128.load(scores + at), sum);
      v128.store64_lane(out, p, 0);
      v128.store64_lane(out + width, p, 1);
      out += 8;
    }
    out += width;
  }
}

export function exponentials(values: usize, rows: i32, width: i32, fractions: usize): void {
  for (let r = 0; r < rows; r++) {
    const end = values + ((<usize>width) << 3);
    let most = v128.load64_splat(values);
    for (let at = values; at < end; at += 16)
      most = f64x2.pmax(most, at + 8 < end ? v128.load(at) : v128.load64_splat(at));
    most = f64x2.pmax(most, v128.shuffle<f64>(most, most, 1, 0));
    for (; values < end; values += 16) {
      // The last of an odd number of values goes alone.
      const two = values + 8 < end;
      const x = two ? v128.load(values) : v128.load64_splat(values);
      const e = exponential(f64x2.sub(x, most), fractions);
      if (two) v128.store(values, e);
      else v128.store64_lane(values, e, 0);
    }
    values = end;
  }
}

/** e^x of two numbers that are not above 0; 0 below −708. */
function exponential(x: v128, fractions: usize): v128 {
  const n = f64x2.floor(f64x2.add(f64x2.mul(x, f64x2.splat(92.33248261689366)), f64x2.splat(0.5)));
  const first = f64x2.sub(x, f64x2.mul(n, f64x2.splat(0.01083042286336422)));
  const r = f64x2.sub(first, f64x2.mul(n, f64x2.splat(1.8328849257941169e-9)));
  let tail = f64x2.add(f64x2.splat(1.0 / 24.0), f64x2.mul(r, f64x2.splat(1.0 / 120.0)));
  tail = f64x2.add(f64x2.splat(1.0 / 6.0), f64x2.mul(r, tail));
  tail = f64x2.add(f64x2.splat(1.0 / 2.0), f64x2.mul(r, tail));
  tail = f64x2.mul(r, f64x2.add(f64x2.splat(1.0), f64x2.mul(r, tail)));
  const steps = i32x4.trunc_sat_f64x2_s_zero(n);
  const j = v128.and(steps, i32x4.splat(63));
  let fraction = v128.load64_zero(fractions + ((<usize>i32x4.extract_lane(j, 0)) << 3));
  fraction = v128.load64_lane(fractions + ((<usize>i32x4.extract_lane(j, 1)) << 3), fraction, 1);
  const e = i64x2.shl(i64x2.add(i64x2.extend_low_i32x4_s(i32x4.shr_s(steps, 6)), i64x2.splat(1023)), 52);
  const power = f64x2.mul(f64x2.add(fraction, f64x2.mul(fraction, tail)), e);
  return v128.andnot(power, f64x2.lt(x, f64x2.splat(-708)));
}
