import { timesTwo } from "./long-products.ts";

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

export function copyRoots(from: usize, to: usize): void {
  for (let at: usize = 0; at < 64; at += 16) v128.store(to + at, v128.load(from + at));
}

/** Multiplies four products of inverse roots, which stand with the powers of two that were taken out of them, by four more. */
export function timesRoots(roots: usize, a: v128, b: v128): void {
  timesTwo(roots, 32, a);
  timesTwo(roots + 16, 32, b);
}
