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
export function exponential(x: v128, fractions: usize): v128 {
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
