import { exponential } from "./exponentials.ts";

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
