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
