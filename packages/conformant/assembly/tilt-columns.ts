import { exponential } from "./exponentials.ts";
import { timesTwo } from "./long-products.ts";

export function tiltColumns(
  offsets: usize,
  columns: i32,
  lanes: i32,
  factors: usize,
  q: usize,
  conditional: usize,
  z: usize,
  products: usize,
  fractions: usize,
): void {
  const line = (<usize>lanes) << 3;
  for (let i = 0; i < columns; i++, offsets += 4, z += line) {
    const start = <usize>load<i32>(offsets);
    const end = <usize>load<i32>(offsets, 4);
    const first = q + (start << 3);
    const last = q + (end << 3);
    for (let at = first; at < last; at += 16) {
      // The last of an odd number of atoms goes alone.
      const two = at + 8 < last;
      const e = exponential(two ? v128.load(at) : v128.load64_splat(at), fractions);
      if (two) v128.store(at, e);
      else v128.store64_lane(at, e, 0);
    }
    for (let k: usize = 0; k < line; k += 16) {
      let sum = f64x2.splat(0);
      let factor = factors + start * line + k;
      let to = conditional + start * line + k;
      for (let at = first; at < last; at += 8, factor += line, to += line) {
        const tilted = f64x2.mul(v128.load64_splat(at), v128.load(factor));
        v128.store(to, tilted);
        sum = f64x2.add(sum, tilted);
      }
      for (let at = first; at < last; at += 8) {
        to -= line;
        v128.store(to, f64x2.div(v128.load(to), sum));
      }
      v128.store(z + k, sum);
      timesTwo(products + k, line, sum);
    }
  }
}
