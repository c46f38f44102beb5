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
