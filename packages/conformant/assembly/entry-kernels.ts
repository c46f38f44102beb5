export function scoreEntries(
  rowStart: usize,
  entries: usize,
  rows: i32,
  base: usize,
  table: usize,
  scores: usize,
  line: i32,
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
    scores += (<usize>line) << 3;
    rowStart += 4;
  }
}

export function scatterEntries(
  rowStart: usize,
  entries: usize,
  rows: i32,
  residuals: usize,
  sums: usize,
  line: i32,
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
    residuals += (<usize>line) << 3;
    rowStart += 4;
  }
}
