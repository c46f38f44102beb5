import type { Distribution, Gaussian, GaussianColumns } from "conformant";
import { ELEMENT } from "../import/onnx/onnx-proto.ts";
import { describeTensor, type GraphBuilder } from "./onnx-graph-builder.ts";

/** The size of a block of rows, in numbers of their remaining covariances: it fits a processor's cache, and bounds the memory. */
const LEFT_TOGETHER = 1 << 17;
/** The fewest rows in a block: fewer would cost as much as these. */
const LEAST_TOGETHER = 16;

/**
 * What a Gaussian adds to the scores, rows × M·K (docs/mathematics.md): log N(y_o; μ_o, Σ_oo) up to a constant per row, and w_k,h·E[x_h |
 * y_o] + ½ w_k,hᵀ Σ_h|o w_k,h. Rows are scored in blocks, so that memory does not grow with their number.
 *
 * @param cells the Gaussian's columns as doubles, each rows × 1, NaN where missing
 */
export function gaussianScores(
  builder: GraphBuilder,
  { components }: Distribution,
  gaussianColumns: GaussianColumns,
  cells: readonly string[],
): string {
  const factors = components.flatMap(({ gaussian }) => (gaussian ? [gaussian] : []));
  const n = cells.length;
  const { K } = gaussianColumns;
  const width = factors.length * K;
  const most = Math.max(LEAST_TOGETHER, Math.floor(LEFT_TOGETHER / (factors.length * n * (n + K))));
  const one = builder.ints([1], [1]);
  const table = builder.add("Concat", cells, { axis: 1 });
  const rows = builder.add("Slice", [builder.add("Shape", [table]), builder.ints([1], [0]), one]);
  const together = builder.add("Max", [builder.add("Min", [rows, builder.ints([1], [most])]), one]);
  const whole = builder.add("Div", [
    builder.add("Add", [rows, builder.add("Sub", [together, one])]),
    together,
  ]);
  const parts = builder.add("Max", [whole, one]);
  const added = builder.add("Sub", [builder.add("Mul", [parts, together]), rows]);
  const none = builder.ints([1], [0]);
  const pads = builder.add("Concat", [none, none, added, none], { axis: 0 });
  const shape = builder.add("Concat", [parts, together, builder.ints([1], [n])], { axis: 0 });
  const cut = builder.add("Reshape", [builder.add("Pad", [table, pads]), shape]);

  const body = builder.inner();
  const some = body.name("cells");
  const scores = eliminate(body, gaussianColumns, factors, some);
  const scored = builder.add("Scan", [cut], {
    body: body.build(
      "block",
      [describeTensor(some, ELEMENT.double, n)],
      [describeTensor(scores, ELEMENT.double, factors.length, K)],
    ),
    num_scan_inputs: 1,
  });
  const flat = builder.add("Reshape", [scored, builder.ints([2], [-1, width])]);
  return builder.add("Slice", [flat, none, rows, none]);
}

/**
 * The scores of a block, rows × M × K. Observed columns are eliminated one by one, as in a Cholesky factorization; missing ones are
 * skipped. With g = Σ_j· / √Σ_jj the rest becomes Σ − gᵀ g, and likewise the rows that are carried along: the tilts Σ w_k,h and the
 * observed cells' distance from their means. All tensors are columns × columns × M × rows, so that every operation runs along the rows.
 */
function eliminate(
  body: GraphBuilder,
  gaussianColumns: GaussianColumns,
  factors: readonly Gaussian[],
  cells: string,
): string {
  const { K } = gaussianColumns;
  const [n, M] = [gaussianColumns.columns.length, factors.length];
  const mean = body.doubles(
    [n, M, 1],
    byComponent(factors, n, ({ mean }, i) => mean[i]),
  );
  const covariance = byComponent(factors, n * n, ({ covariance }, at) => covariance[at]);
  const zero = body.doubles([], [0]);
  const turned = body.add("Transpose", [cells], { perm: [1, 0] });
  const x = body.add("Unsqueeze", [turned, body.ints([1], [1])]);
  const isGap = body.add("IsNaN", [x]);
  const distance = body.add("Where", [isGap, zero, body.add("Sub", [x, mean])]);

  // w_k,h: the weights of the missing columns, K × n × rows.
  const weights = body.doubles([K, n, 1], [...gaussianColumns.weights]);
  const hidden = body.add("Mul", [
    weights,
    body.add("Cast", [body.add("IsNaN", [turned])], { to: ELEMENT.double }),
  ]);
  const stacked = body.doubles([1, n * M, n], stackedCovariance(factors, n));
  const product = body.add("MatMul", [stacked, hidden]);
  const tilts = body.add("Reshape", [product, body.ints([4], [K, n, M, -1])]);
  const hiddenCells = body.add("Unsqueeze", [hidden, body.ints([1], [2])]);
  const sumOverColumns = (terms: string): string =>
    body.add("ReduceSum", [terms, body.ints([1], [1])], { keepdims: 0 });
  const expected = sumOverColumns(
    body.add("Mul", [hiddenCells, body.add("Unsqueeze", [mean, body.ints([1], [0])])]),
  );
  const spread = sumOverColumns(body.add("Mul", [hiddenCells, tilts]));

  let left = body.doubles([n, n, M, 1], covariance);
  let carried = body.add("Concat", [tilts, body.add("Unsqueeze", [distance, body.ints([1], [0])])], {
    axis: 0,
  });
  const [carriedRoots, pivots]: [string[], string[]] = [[], []];
  for (let j = 0; j < n; j++) {
    const size = n - j - 1;
    const row = slice(body, left, [0], 0, 1);
    const pivot = slice(body, row, [1], 0, 1);
    const isPassed = body.add("Unsqueeze", [slice(body, isGap, [0], j, j + 1), body.ints([1], [0])]);
    const root = body.add("Where", [isPassed, zero, body.add("Reciprocal", [body.add("Sqrt", [pivot])])]);
    const own = body.add("Mul", [slice(body, carried, [1], 0, 1), root]);
    carriedRoots.push(own);
    pivots.push(body.add("Where", [isPassed, body.doubles([], [1]), pivot]));
    if (size === 0) break;
    const across = body.add("Mul", [slice(body, row, [1], 1, n), root]);
    const down = body.add("Reshape", [across, body.ints([4], [size, 1, M, -1])]);
    left = body.add("Sub", [slice(body, left, [0, 1], 1, n), body.add("Mul", [down, across])]);
    carried = body.add("Sub", [slice(body, carried, [1], 1, n), body.add("Mul", [own, across])]);
  }

  const roots = body.add("Concat", carriedRoots, { axis: 1 });
  const [tiltRoots, z] = [slice(body, roots, [0], 0, K), slice(body, roots, [0], K, K + 1)];
  const moved = body.add("Add", [expected, sumOverColumns(body.add("Mul", [tiltRoots, z]))]);
  const remaining = body.add("Sub", [spread, sumOverColumns(body.add("Mul", [tiltRoots, tiltRoots]))]);
  const half = body.doubles([], [0.5]);
  const worth = body.add("Add", [moved, body.add("Mul", [remaining, half])]);
  if (M === 1) return body.add("Transpose", [worth], { perm: [2, 1, 0] });
  const logs = body.add("Log", [body.add("Concat", pivots, { axis: 1 })]);
  const squares = sumOverColumns(body.add("Add", [body.add("Mul", [z, z]), logs]));
  // Relative to the likeliest component, so that small densities do not cancel the class scores.
  const least = body.add("ReduceMin", [squares], { axes: [1], keepdims: 1 });
  const density = body.add("Mul", [body.add("Sub", [least, squares]), half]);
  return body.add("Transpose", [body.add("Add", [worth, density])], { perm: [2, 1, 0] });
}

/** Numbers of each component, with the component running fastest. */
function byComponent(
  factors: readonly Gaussian[],
  count: number,
  of: (factor: Gaussian, at: number) => number,
): number[] {
  return Array.from({ length: count }, (_, at) => factors.map((factor) => of(factor, at))).flat();
}

/** Σ_m, with a row for each column and component: n·M × n. */
function stackedCovariance(factors: readonly Gaussian[], n: number): number[] {
  return Array.from({ length: n }, (_, i) =>
    factors.flatMap(({ covariance }) => [...covariance.subarray(i * n, (i + 1) * n)]),
  ).flat();
}

/** The part of a tensor from one position to another along some axes. */
function slice(
  builder: GraphBuilder,
  tensor: string,
  axes: readonly number[],
  from: number,
  to: number,
): string {
  const all = (position: number): string =>
    builder.ints(
      [axes.length],
      axes.map(() => position),
    );
  return builder.add("Slice", [tensor, all(from), all(to), builder.ints([axes.length], axes)]);
}
