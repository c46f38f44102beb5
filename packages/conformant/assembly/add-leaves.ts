/** Per column eight integers: lines, their groups, how many, shift, the groups of the nodes, their masks, how many, 0. */
export function addLeaves(
  columns: usize,
  D: i32,
  cells: usize,
  count: i32,
  left: usize,
  groups: i32,
  own: usize,
  trees: usize,
  open: i32,
  values: usize,
  width: i32,
  sums: usize,
  S: i32,
): void {
  for (let p = 0; p < count; p++) {
    memory.copy(own, left, (<usize>groups) << 4);
    let cellAt = cells + ((<usize>p) << 2);
    let column = columns;
    for (let j = 0; j < D; j++) {
      const cell = load<i32>(cellAt);
      cellAt += (<usize>count) << 2;
      let list = <usize>load<i32>(column, 4);
      const length = load<i32>(column, 8);
      const shift = load<i32>(column, 12);
      const line = shift < 0 ? cell : cell >> shift;
      let mask = <usize>load<i32>(column) + ((<usize>line * <usize>length) << 4);
      const end = mask + ((<usize>length) << 4);
      for (; mask < end; mask += 16) {
        const at = own + ((<usize>load<i32>(list)) << 4);
        v128.store(at, v128.and(v128.load(at), v128.load(mask)));
        list += 4;
      }
      if (shift >= 0) {
        const from = line << shift;
        const to = min(load<i32>(column, 24), from + (1 << shift));
        list = <usize>load<i32>(column, 16) + ((<usize>from) << 2);
        mask = <usize>load<i32>(column, 20) + ((<usize>from) << 5);
        for (let n = from; n < to; n++) {
          const at = own + ((<usize>load<i32>(list)) << 4);
          v128.store(at, v128.and(v128.load(at), v128.load(mask + (n < cell ? 0 : 16))));
          list += 4;
          mask += 32;
        }
      }
      column += 32;
    }
    let tree = trees;
    const to = sums + ((<usize>p * <usize>S) << 3);
    for (let o = 0; o < open; o++) {
      let word = <usize>load<i32>(tree);
      let bits = load<i32>(own + (word << 2));
      while (bits === 0) bits = load<i32>(own + (++word << 2));
      const bit = (word << 5) + <usize>ctz(bits);
      let at = to + ((<usize>load<i32>(tree, 4)) << 3);
      if (width === 1) store<f64>(at, load<f64>(at) + load<f64>(values + (bit << 3)));
      else {
        let value = values + ((bit * <usize>width) << 3);
        for (let k = 0; k < width; k++) {
          store<f64>(at, load<f64>(at) + load<f64>(value));
          at += 8;
          value += 8;
        }
      }
      tree += 8;
    }
  }
}
