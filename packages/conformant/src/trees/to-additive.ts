import { type Classifier, createClassifier } from "../additive/classifier.ts";
import { LARGEST, requireMade } from "../errors.ts";
import { type Column, slotCount, slotOffsets, valueInBin } from "../schema/column.ts";
import { above } from "./threshold.ts";
import { addLeaf, leafOf, sumCount, type TreeClassifier } from "./tree-ensemble.ts";

/**
 * The same classifier as a sum over columns, where no tree looks at more than one: then every answer has a closed form. A number
 * becomes a binned column, its bins the intervals between thresholds. Undefined for other trees and for averaged probabilities.
 */
export function additiveOf(trees: TreeClassifier): Classifier | undefined {
  requireMade("trees", trees);
  if (trees.link === "probability") return undefined;
  const columnOf = columnsOfTrees(trees);
  if (!columnOf) return undefined;
  const { schema, classes, label } = trees;
  const columns = schema.columns.map((column, i) => binned(trees, column, i));
  const K = classes.length;
  const slots = slotOffsets({ columns });
  const intercept = new Float64Array(K);
  const weights = new Float64Array(slots[columns.length] * K);
  // One sum is the log-odds of the second class.
  const first = sumCount(trees) === 1 ? 1 : 0;
  intercept.set(trees.base, first);
  const x = new Float64Array(columns.length);
  const sums = new Float64Array(sumCount(trees));
  trees.roots.forEach((root, t) => {
    const i = columnOf[t];
    if (i < 0) {
      sums.fill(0);
      addLeaf(trees, leafOf(trees, root, x), sums);
      sums.forEach((sum, s) => {
        intercept[first + s] += sum;
      });
      return;
    }
    const column = columns[i];
    // Of a 0/1 column the first value goes into the intercept, and the weight is the difference of the two.
    const at = (code: number): Float64Array => {
      // Trees compare the codes of a column that was binned before.
      x[i] =
        column.kind === "binned" && schema.columns[i].kind === "numeric"
          ? valueInBin(column.edges, code)
          : code;
      sums.fill(0);
      addLeaf(trees, leafOf(trees, root, x), sums);
      return sums.slice();
    };
    if (column.kind === "binary") {
      const [none, one] = [at(0), at(1)];
      none.forEach((sum, s) => {
        intercept[first + s] += sum;
        weights[slots[i] * K + first + s] += one[s] - sum;
      });
      return;
    }
    for (let code = 0; code < slotCount(column); code++) {
      at(code).forEach((sum, s) => {
        weights[(slots[i] + code) * K + first + s] += sum;
      });
    }
  });
  return createClassifier({
    schema: { columns },
    classes,
    ...(label !== undefined && { label }),
    intercept,
    weights,
  });
}

/** The column that each tree looks at, −1 for a single leaf; undefined where one looks at several. */
function columnsOfTrees({ roots, nodes }: TreeClassifier): number[] | undefined {
  const columns: number[] = [];
  for (let t = 0; t < roots.length; t++) {
    const end = t + 1 < roots.length ? roots[t + 1] : nodes.column.length;
    const own = new Set(nodes.column.subarray(roots[t], end).filter((i) => i >= 0));
    if (own.size > 1) return undefined;
    columns.push([...own][0] ?? -1);
  }
  return columns;
}

/** A number by its bins: x ≤ threshold is x below the next double. */
function binned({ nodes }: TreeClassifier, column: Column, i: number): Column {
  if (column.kind !== "numeric") return column;
  const edges = new Set<number>();
  nodes.column.forEach((own, n) => {
    if (own === i) edges.add(above(nodes.threshold[n]));
  });
  // An edge beyond the numbers that a table holds has all of them on one side.
  const inside = [...edges].filter((edge) => edge > -LARGEST && edge <= LARGEST).sort((a, b) => a - b);
  return { name: column.name, kind: "binned", edges: inside };
}
