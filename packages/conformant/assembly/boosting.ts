/** Numbers of a bin take 24 bytes: gradient, curvature, count. */
const BIN: usize = 24;

export function gatherDerivatives(derivatives: usize, rows: usize, count: i32, gathered: usize): void {
  for (const end = rows + ((<usize>count) << 2); rows < end; rows += 4, gathered += 16)
    v128.store(gathered, v128.load(derivatives + ((<usize>load<u32>(rows)) << 4)));
}

/** @param wide 1 for bins of four bytes, 0 for one */
export function addToBins(
  bins: usize,
  wide: i32,
  rows: usize,
  count: i32,
  gathered: usize,
  sums: usize,
): void {
  const end = rows + ((<usize>count) << 2);
  if (wide) {
    for (; rows < end; rows += 4, gathered += 16)
      addRow(sums + BIN * <usize>load<u32>(bins + ((<usize>load<u32>(rows)) << 2)), gathered);
  } else {
    for (; rows < end; rows += 4, gathered += 16)
      addRow(sums + BIN * <usize>load<u8>(bins + <usize>load<u32>(rows)), gathered);
  }
}

function addRow(at: usize, gathered: usize): void {
  v128.store(at, f64x2.add(v128.load(at), v128.load(gathered)));
  store<f64>(at, load<f64>(at, 16) + 1, 16);
}

export function subtractBins(whole: usize, part: usize, count: i32): void {
  const end = whole + ((<usize>count) << 3);
  for (; whole + 16 <= end; whole += 16, part += 16)
    v128.store(whole, f64x2.sub(v128.load(whole), v128.load(part)));
  if (whole < end) store<f64>(whole, load<f64>(whole) - load<f64>(part));
}

/** @param order 0 for the bins in their own order */
export function findCut(
  sums: usize,
  count: i32,
  order: usize,
  gradient: f64,
  curvature: f64,
  rows: f64,
  leastRows: f64,
  leastCurvature: f64,
  l2: f64,
  best: usize,
): i32 {
  const whole = f64x2.splat((gradient * gradient) / (curvature + l2));
  const allG = f64x2.splat(gradient);
  const allH = f64x2.splat(curvature);
  const penalty = f64x2.splat(l2);
  const gap = sums + BIN * <usize>count;
  const directions = load<f64>(gap, 16) > 0 ? 2 : 1;
  let most = f64x2.splat(load<f64>(best));
  let found = 0;
  for (let gapsLeft = 0; gapsLeft < directions; gapsLeft++) {
    // All known values may be on the left, where missing ones are on the right.
    const cuts = gapsLeft || directions < 2 ? count - 1 : count;
    let own = f64x2.splat(0);
    let n: f64 = 0;
    if (gapsLeft) {
      own = v128.load(gap);
      n = load<f64>(gap, 16);
    }
    let j = 0;
    // The first cut with enough on the left side.
    for (; j < cuts; j++) {
      const at = binAt(sums, order, j);
      own = f64x2.add(own, v128.load(at));
      n += load<f64>(at, 16);
      if (n >= leastRows && f64x2.extract_lane(own, 1) >= leastCurvature) break;
    }
    // Two cuts at a time, as long as there is enough on the right side.
    for (; j < cuts; j += 2) {
      if (rows - n < leastRows || curvature - f64x2.extract_lane(own, 1) < leastCurvature) break;
      // The bin behind the last cut is read as well; it is the last one, or that of the missing values.
      let next = binAt(sums, order, j + 1);
      const then = f64x2.add(own, v128.load(next));
      n += load<f64>(next, 16);
      const g = v128.shuffle<f64>(own, then, 0, 2);
      const h = v128.shuffle<f64>(own, then, 1, 3);
      const otherG = f64x2.sub(allG, g);
      const otherH = f64x2.sub(allH, h);
      const left = f64x2.div(f64x2.mul(g, g), f64x2.add(h, penalty));
      const right = f64x2.div(f64x2.mul(otherG, otherG), f64x2.add(otherH, penalty));
      const gain = f64x2.sub(f64x2.add(left, right), whole);
      const ends = j + 1 >= cuts || rows - n < leastRows || f64x2.extract_lane(otherH, 1) < leastCurvature;
      if (v128.any_true(f64x2.gt(gain, most))) {
        const last = ends ? 0 : 1;
        for (let lane = 0; lane <= last; lane++) {
          const own = lane ? f64x2.extract_lane(gain, 1) : f64x2.extract_lane(gain, 0);
          if (!(own > f64x2.extract_lane(most, 0))) continue;
          most = f64x2.splat(own);
          store<f64>(best, own);
          store<f64>(best, <f64>(j + lane + 1), 8);
          store<f64>(best, <f64>gapsLeft, 16);
          found = 1;
        }
      }
      if (ends || j + 2 >= cuts) break;
      next = binAt(sums, order, j + 2);
      own = f64x2.add(then, v128.load(next));
      n += load<f64>(next, 16);
    }
  }
  return found;
}

function binAt(sums: usize, order: usize, j: i32): usize {
  return sums + BIN * (order ? <usize>load<u32>(order + ((<usize>j) << 2)) : <usize>j);
}

/** Returns how many rows go left. */
export function divideRows(
  bins: usize,
  wide: i32,
  rows: usize,
  count: i32,
  goesLeft: usize,
  others: usize,
): i32 {
  const end = rows + ((<usize>count) << 2);
  let left = rows;
  let right = others;
  for (let at = rows; at < end; at += 4) {
    const row = load<u32>(at);
    const bin = wide ? <usize>load<u32>(bins + ((<usize>row) << 2)) : <usize>load<u8>(bins + <usize>row);
    store<u32>(left, row);
    store<u32>(right, row);
    const side = (<usize>load<u8>(goesLeft + bin)) << 2;
    left += side;
    right += 4 - side;
  }
  memory.copy(left, others, right - others);
  return <i32>((left - rows) >> 2);
}
