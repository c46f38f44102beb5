import { factorOf } from "../distribution/completion-space.ts";
import type { Distribution } from "../distribution/distribution.ts";
import type { OpenTrees } from "./open-trees.ts";
import type { TreeEnsemble } from "./tree-ensemble.ts";

/** The atoms of a missing column in groups that the splits which are left cannot tell apart. */
interface Cells {
  readonly column: number;
  /** One value of each cell. */
  readonly values: Float64Array;
  /** Q_m(cell), cells × M. */
  readonly masses: Float64Array;
}

/** All combinations of the cells that the splits cut the missing columns into. */
export interface CellCombinations {
  /** Per missing column its values, one per combination. */
  readonly values: readonly Float64Array[];
  /** P(combination | y). */
  readonly weights: Float64Array;
}

/**
 * The combinations, or undefined where there are more than `most`, or one of the columns depends on others.
 *
 * @param shares r_m(y), M numbers
 */
export function enumerateCells(
  trees: OpenTrees,
  distribution: Distribution,
  shares: Float64Array,
  most: number,
): CellCombinations | undefined {
  const { columns, classifier } = trees;
  // Every column that decides anything has two cells or more.
  if (2 ** columns.length > most) return undefined;
  if (columns.some((i) => !factorOf(distribution, i).independent)) return undefined;
  let size = 1;
  const splits: (readonly number[])[] = [];
  for (const i of columns) {
    const own = trees.splitsOn(i);
    size *= leastCells(classifier, distribution, i, own);
    if (size > most) return undefined;
    splits.push(own);
  }
  const cells = columns.map((i, c) => cellsOf(classifier, distribution, i, splits[c]));
  size = cells.reduce((product, { values }) => product * values.length, 1);
  if (size > most) return undefined;
  const values: Float64Array[] = [];
  for (const { column } of cells) values[column] = new Float64Array(size);
  return { values, weights: layOut(cells, shares, size, values) };
}

/** Writes all combinations of cells into `values` and returns their probabilities Σ_m r_m Π_i Q_mi(cell). */
function layOut(
  cells: readonly Cells[],
  shares: Float64Array,
  size: number,
  values: readonly Float64Array[],
): Float64Array {
  const M = shares.length;
  const weights = new Float64Array(size);
  const joint = new Float64Array(M);
  for (let p = 0; p < size; p++) {
    joint.set(shares);
    let rest = p;
    for (const { column, values: own, masses } of cells) {
      const c = rest % own.length;
      rest = (rest - c) / own.length;
      values[column][p] = own[c];
      for (let m = 0; m < M; m++) joint[m] *= masses[c * M + m];
    }
    for (let m = 0; m < M; m++) weights[p] += joint[m];
  }
  return weights;
}

/** How many cells the thresholds alone divide the atoms of a column into. */
function leastCells(
  { nodes }: TreeEnsemble,
  { atoms }: Distribution,
  i: number,
  splits: readonly number[],
): number {
  const { count, values } = atoms.columns[i];
  const thresholds = splits.filter((n) => nodes.set[n] < 0).map((n) => nodes.threshold[n]);
  thresholds.sort((a, b) => a - b);
  let [cells, next] = [1, 0];
  for (let j = 0; j + 1 < count; j++) {
    // Atoms ascend: the next one is in another cell where a threshold is not below this one and below that one.
    while (next < thresholds.length && thresholds[next] < (values?.[j] ?? j)) next++;
    if (next < thresholds.length && thresholds[next] < (values?.[j + 1] ?? j + 1)) cells++;
  }
  return cells;
}

/** Groups the atoms of a column by the way they take at the given nodes. */
function cellsOf(
  { nodes, sets }: TreeEnsemble,
  { atoms, components }: Distribution,
  i: number,
  splits: readonly number[],
): Cells {
  const { count, values } = atoms.columns[i];
  const M = components.length;
  const byNumber = splits.filter((n) => nodes.set[n] < 0);
  const thresholds = [...new Set(byNumber.map((n) => nodes.threshold[n]))].sort((a, b) => a - b);
  const chosen = [...new Set(splits.flatMap((n) => (nodes.set[n] >= 0 ? [nodes.set[n]] : [])))];
  const found = new Map<string, { value: number; mass: Float64Array }>();
  for (let j = 0; j < count; j++) {
    const value = values?.[j] ?? j;
    const below = thresholds.findIndex((t) => value <= t);
    const key = `${below}:${chosen.map((s) => sets[s][j]).join("")}`;
    const cell = found.get(key) ?? { value, mass: new Float64Array(M) };
    for (let m = 0; m < M; m++) cell.mass[m] += Math.exp(components[m].logQ[atoms.offsets[i] + j]);
    found.set(key, cell);
  }
  const all = [...found.values()];
  const masses = new Float64Array(all.length * M);
  all.forEach(({ mass }, c) => {
    masses.set(mass, c * M);
  });
  return { column: i, values: Float64Array.from(all, ({ value }) => value), masses };
}
