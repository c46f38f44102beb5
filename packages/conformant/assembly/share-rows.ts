import { exponential } from "./exponentials.ts";

export function shareRows(
  scores: usize,
  rows: i32,
  line: i32,
  weights: usize,
  negligible: f64,
  largest: usize,
  sums: usize,
  fractions: usize,
): void {
  for (let r = 0; r < rows; r++, weights += 8, largest += 8, sums += 8) {
    const end = scores + ((<usize>line) << 3);
    let most = v128.load(scores);
    for (let at = scores + 16; at < end; at += 16) most = f64x2.pmax(most, v128.load(at));
    most = f64x2.pmax(most, v128.shuffle<f64>(most, most, 1, 0));
    v128.store64_lane(largest, most, 0);
    let all = f64x2.splat(0);
    for (let at = scores; at < end; at += 16) {
      const e = exponential(f64x2.sub(v128.load(at), most), fractions);
      v128.store(at, e);
      all = f64x2.add(all, e);
    }
    const sum = f64x2.extract_lane(all, 0) + f64x2.extract_lane(all, 1);
    store<f64>(sums, sum);
    const by = f64x2.splat(load<f64>(weights) / sum);
    const least = f64x2.splat(negligible * sum);
    for (; scores < end; scores += 16) {
      const e = v128.load(scores);
      v128.store(scores, v128.andnot(f64x2.mul(e, by), f64x2.lt(e, least)));
    }
  }
}
