import { type Affine, columnOf, combine, constantOf, featureOf, scaled, stepped } from "../affine.ts";
import type { NodeView } from "./node-view.ts";

/** The operators whose results are affine in the columns where their inputs are. */
export type Operator = (node: NodeView) => readonly Affine[];

const pass: Operator = (node) => node.cells();

/** Concatenated numbers. */
const join: Operator = (node) => node.inputs.flatMap((_, input) => node.cells(input));

/** The operators of additive models, besides the classifier itself. Any other operator is an error that names it. */
export const operators: Readonly<Record<string, Operator>> = {
  Identity: pass,
  Cast: pass,
  Flatten: pass,
  Reshape: pass,
  Squeeze: pass,
  Unsqueeze: pass,
  Imputer: (node) => {
    const columns = node.cells().map((cell) => columnOf(cell) ?? "a number that was computed");
    const marker = node.float("replaced_value_float", Number.NaN);
    const also = Number.isNaN(marker)
      ? ""
      : `; the file treats ${marker} as missing; here, use ${node.words.gap(String(marker))}`;
    node.note(
      `the file imputes constants in ${columns.join(", ")}: ignored, missing values are handled by the distribution${also}`,
    );
    return node.cells();
  },
  Concat: join,
  FeatureVectorizer: join,
  Scaler: (node) => {
    const cells = node.cells();
    const offset = perCell(node, "offset", node.floats("offset"), cells.length, 0);
    const scale = perCell(node, "scale", node.floats("scale"), cells.length, 1);
    const { round } = node;
    return cells.map((cell, j) =>
      stepped(cell, scaled(cell, scale(j), -offset(j) * scale(j)), (x) =>
        round(round(round(x) - offset(j)) * scale(j)),
      ),
    );
  },
  OneHotEncoder: (node) => {
    const values = node.names("cats_strings", "cats_int64s");
    if (values.length === 0) node.refuse("has no categories");
    const cells = node.cells();
    node.spend(cells.length * values.length);
    return cells.flatMap((cell) => {
      const column = columnOf(cell) ?? node.refuse("needs a column as it is, not a number that was computed");
      return values.map((value) => featureOf(`${column}=${value}`));
    });
  },
  ArrayFeatureExtractor: (node) => pickCells(node, node.numbers(1)),
  Gather: (node) => {
    if (node.int("axis", 0) !== 1) node.refuse("is understood along axis 1 only");
    return pickCells(node, node.numbers(1));
  },
  Add: (node) => addInputs(node, 1),
  Sub: (node) => addInputs(node, -1),
  Mul: (node) => {
    const [input, constant] = node.constant(0) ? [1, 0] : [0, 1];
    const cells = node.cells(input);
    const factor = perCell(node, `input ${constant}`, node.numbers(constant), cells.length, 1);
    const { round } = node;
    return cells.map((cell, j) => stepped(cell, scaled(cell, factor(j)), (x) => round(round(x) * factor(j))));
  },
  Div: (node) => {
    const cells = node.cells();
    const divisor = perCell(node, "input 1", node.numbers(1), cells.length, 1);
    const { round } = node;
    return cells.map((cell, j) =>
      stepped(cell, scaled(cell, 1 / divisor(j)), (x) => round(round(x) / divisor(j))),
    );
  },
  MatMul: (node) => multiply(node, node.cells(), 0, 1),
  Gemm: (node) => {
    if (node.int("transA", 0) !== 0) node.refuse("with transA is not understood");
    const products = multiply(node, node.cells(), node.int("transB", 0), node.float("alpha", 1));
    if (node.inputs.length < 3) return products;
    const bias = perCell(node, "input 2", node.numbers(2), products.length, 0);
    return products.map((product, j) => scaled(product, 1, node.float("beta", 1) * bias(j)));
  },
};

/** One number for each cell: a list of that length, a single number for all, or the default. */
function perCell(
  node: NodeView,
  what: string,
  numbers: ArrayLike<number>,
  cells: number,
  otherwise: number,
): (j: number) => number {
  if (numbers.length === 0) return () => otherwise;
  if (numbers.length !== 1 && numbers.length !== cells)
    node.refuse(`${what} has ${numbers.length} numbers for ${cells} columns`);
  return (j) => numbers[numbers.length === 1 ? 0 : j];
}

function pickCells(node: NodeView, positions: ArrayLike<number>): readonly Affine[] {
  const cells = node.cells();
  node.spend(positions.length);
  return Array.from(positions, (position) => {
    const cell = cells[position < 0 ? position + cells.length : position];
    return cell ?? node.refuse(`picks column ${position} of ${cells.length}`);
  });
}

/** a + sign · b, where at most one is constant. */
function addInputs(node: NodeView, sign: number): readonly Affine[] {
  const size = Math.max(...[0, 1].map((input) => (node.constant(input) ? 0 : node.cells(input).length)));
  const [left, right] = [0, 1].map((input) => {
    if (!node.constant(input)) return node.cells(input);
    const numbers = perCell(node, `input ${input}`, node.numbers(input), size, 0);
    return Array.from({ length: size }, (_, j) => constantOf(numbers(j)));
  });
  if (left.length !== right.length) node.refuse(`adds ${left.length} columns to ${right.length}`);
  const { round } = node;
  return left.map((cell, j) => {
    const sum = combine([cell, right[j]], [1, sign]);
    const { constant, terms } = right[j];
    return terms.size === 0 ? stepped(cell, sum, (x) => round(round(x) + sign * constant)) : sum;
  });
}

/** cells (1 × n) times a constant matrix, n × m or, transposed, m × n. */
function multiply(
  node: NodeView,
  cells: readonly Affine[],
  transposed: number,
  factor: number,
): readonly Affine[] {
  const numbers = node.numbers(1);
  const m = numbers.length / cells.length;
  if (!Number.isInteger(m)) node.refuse(`multiplies ${cells.length} columns by ${numbers.length} numbers`);
  node.spend(m * cells.reduce((sum, { terms }) => sum + terms.size + 1, 0));
  return Array.from({ length: m }, (_, c) =>
    combine(
      cells,
      cells.map((_, r) => factor * numbers[transposed ? c * cells.length + r : r * m + c]),
    ),
  );
}
