export function weighAtoms(
  offsets: usize,
  columns: i32,
  lanes: i32,
  conditional: usize,
  shares: usize,
  ones: usize,
  smoothing: usize,
  target: usize,
  residual: usize,
): void {
  const line = (<usize>lanes) << 3;
  const move = target - residual;
  for (let i = 0; i < columns; i++, offsets += 4, smoothing += 8) {
    const d = v128.load64_splat(smoothing);
    const last = residual + ((<usize>load<i32>(offsets, 4)) << 3);
    let a = conditional + <usize>load<i32>(offsets) * line;
    for (let to = residual + ((<usize>load<i32>(offsets)) << 3); to < last; to += 8) {
      let sum = f64x2.splat(0);
      for (let k: usize = 0; k < line; k += 16, a += 16)
        sum = f64x2.add(sum, f64x2.mul(weightOf(shares + k, ones + k, d), v128.load(a)));
      store<f64>(to, addLanes(sum) - load<f64>(to + move));
    }
  }
}

export function spreadAtoms(
  lanes: i32,
  conditional: usize,
  atoms: i32,
  prior: usize,
  roots: usize,
  rows: usize,
): void {
  const line = (<usize>lanes) << 3;
  const end = conditional + <usize>atoms * line;
  for (; conditional < end; conditional += line, rows += line) {
    let sum = f64x2.splat(0);
    for (let k: usize = 0; k < line; k += 16)
      sum = f64x2.add(sum, f64x2.mul(v128.load(prior + k), v128.load(conditional + k)));
    const mean = f64x2.splat(addLanes(sum));
    for (let k: usize = 0; k < line; k += 16)
      v128.store(rows + k, f64x2.mul(v128.load(roots + k), f64x2.sub(v128.load(conditional + k), mean)));
  }
}

export function solveColumns(
  offsets: usize,
  columns: i32,
  lanes: i32,
  conditional: usize,
  shares: usize,
  ones: usize,
  smoothing: usize,
  target: usize,
  leastCurvature: f64,
  residual: usize,
  rows: usize,
  work: usize,
  solved: usize,
  capacitance: usize,
  y: usize,
): void {
  const width = (<usize>lanes) << 3;
  const line = width + 16;
  const first = <usize>load<i32>(offsets);
  for (let i = 0; i < columns; i++, offsets += 4, smoothing += 8) {
    const start = <usize>load<i32>(offsets);
    const V = <usize>load<i32>(offsets, 4) - start;
    const x = solved + start * line;
    const b = rows + (start - first) * width;
    const a = conditional + start * width;
    const ground = work;
    const edges = work + (V << 3);
    const d = v128.load64_splat(smoothing);
    for (let v: usize = 0; v < V; v++) {
      const to = x + v * line;
      v128.store(to, v128.load64_zero(residual + ((start + v) << 3)));
      for (let k: usize = 0; k < width; k += 16) v128.store(to + 16 + k, v128.load(b + v * width + k));
      store<f64>(ground + (v << 3), leastCurvature * load<f64>(target + ((start + v) << 3)));
      for (let w = v + 1; w < V; w++) {
        let sum = f64x2.splat(0);
        for (let k: usize = 0; k < width; k += 16) {
          const weighed = f64x2.mul(weightOf(shares + k, ones + k, d), v128.load(a + v * width + k));
          sum = f64x2.add(sum, f64x2.mul(weighed, v128.load(a + w * width + k)));
        }
        store<f64>(edges + ((v * V + w) << 3), addLanes(sum));
      }
    }
    solveLaplacian(edges, ground, V, x, line);
    addColumn(V, lanes, b, x, capacitance, y);
  }
}

/** ω_k = T p_k + d_i of two classes; a lane that is no class has none. */
function weightOf(share: usize, one: usize, d: v128): v128 {
  return f64x2.add(v128.load(share), f64x2.mul(d, v128.load(one)));
}

function addLanes(sum: v128): f64 {
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** As in ../src/math/laplacian.ts; `line` bytes of right-hand sides to a vertex. */
function solveLaplacian(edges: usize, ground: usize, n: usize, x: usize, line: usize): void {
  const row = n << 3;
  for (let v: usize = 0; v < n; v++) {
    const own = edges + v * row;
    let pivot = load<f64>(ground + (v << 3));
    for (let w = v + 1; w < n; w++) pivot += load<f64>(own + (w << 3));
    store<f64>(own + (v << 3), pivot);
    if (pivot === 0) continue;
    for (let w = v + 1; w < n; w++) {
      const share = load<f64>(own + (w << 3)) / pivot;
      if (share === 0) continue;
      const tied = ground + (w << 3);
      store<f64>(tied, load<f64>(tied) + share * load<f64>(ground + (v << 3)));
      for (let t = w + 1; t < n; t++) {
        const edge = edges + w * row + (t << 3);
        store<f64>(edge, load<f64>(edge) + share * load<f64>(own + (t << 3)));
      }
      addTo(x + w * line, x + v * line, line, share);
    }
  }
  for (let v = n; v-- > 0; ) {
    const own = edges + v * row;
    const to = x + v * line;
    for (let w = v + 1; w < n; w++) addTo(to, x + w * line, line, load<f64>(own + (w << 3)));
    const pivot = load<f64>(own + (v << 3));
    const by = f64x2.splat(pivot);
    for (let at: usize = 0; at < line; at += 16)
      v128.store(to + at, pivot === 0 ? f64x2.splat(0) : f64x2.div(v128.load(to + at), by));
  }
}

function addTo(to: usize, from: usize, line: usize, share: f64): void {
  const by = f64x2.splat(share);
  for (let at: usize = 0; at < line; at += 16)
    v128.store(to + at, f64x2.add(v128.load(to + at), f64x2.mul(by, v128.load(from + at))));
}

function addColumn(V: usize, lanes: i32, rows: usize, x: usize, capacitance: usize, y: usize): void {
  const width = (<usize>lanes) << 3;
  const line = width + 16;
  const last = x + (V - 1) * line;
  for (; x < last; x += line, rows += width) {
    for (let at: usize = 0; at < line; at += 16)
      v128.store(x + at, f64x2.sub(v128.load(x + at), v128.load(last + at)));
    const g = v128.load64_splat(x);
    for (let k: usize = 0; k < width; k += 16)
      v128.store(y + k, f64x2.add(v128.load(y + k), f64x2.mul(v128.load(rows + k), g)));
    let to = capacitance;
    for (let k: usize = 0; k < width; k += 8, to += width) {
      const b = v128.load64_splat(rows + k);
      for (let l: usize = 0; l <= k; l += 16)
        v128.store(to + l, f64x2.add(v128.load(to + l), f64x2.mul(b, v128.load(x + 16 + l))));
    }
  }
  for (let at: usize = 0; at < line; at += 16) v128.store(last + at, f64x2.splat(0));
}

export function combineSolved(lanes: i32, solved: usize, atoms: i32, y: usize, direction: usize): void {
  const width = (<usize>lanes) << 3;
  for (let j = 0; j < atoms; j++, direction += 8) {
    let sum = v128.load(solved);
    solved += 16;
    for (let k: usize = 0; k < width; k += 16, solved += 16)
      sum = f64x2.sub(sum, f64x2.mul(v128.load(solved), v128.load(y + k)));
    store<f64>(direction, addLanes(sum));
  }
}
