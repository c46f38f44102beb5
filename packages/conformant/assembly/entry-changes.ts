export function fillTable(
  entryStart: usize,
  entries: i32,
  changeSlot: usize,
  change: usize,
  weights: usize,
  table: usize,
): void {
  for (let p = 0; p < entries; p++, entryStart += 4, table += 32) {
    let a = f64x2.splat(0);
    let b = f64x2.splat(0);
    const end = <usize>load<i32>(entryStart, 4);
    for (let i = <usize>load<i32>(entryStart); i < end; i++) {
      const by = v128.load64_splat(change + (i << 3));
      const line = weights + ((<usize>load<i32>(changeSlot + (i << 2))) << 5);
      a = f64x2.add(a, f64x2.mul(by, v128.load(line)));
      b = f64x2.add(b, f64x2.mul(by, v128.load(line, 16)));
    }
    v128.store(table, a);
    v128.store(table, b, 16);
  }
}

export function drainTable(
  entryStart: usize,
  entries: i32,
  changeSlot: usize,
  change: usize,
  sums: usize,
  counts: usize,
): void {
  for (let p = 0; p < entries; p++, entryStart += 4, sums += 32) {
    const a = v128.load(sums);
    const b = v128.load(sums, 16);
    const end = <usize>load<i32>(entryStart, 4);
    for (let i = <usize>load<i32>(entryStart); i < end; i++) {
      const by = v128.load64_splat(change + (i << 3));
      const line = counts + ((<usize>load<i32>(changeSlot + (i << 2))) << 5);
      v128.store(line, f64x2.add(v128.load(line), f64x2.mul(by, a)));
      v128.store(line, f64x2.add(v128.load(line, 16), f64x2.mul(by, b)), 16);
    }
  }
}
