import { answerCount, linkSums, type TreeEnsemble } from "./tree-ensemble.ts";

/**
 * What is left of the trees once the known values of a row have decided where they can: the sums of all trees that end in one
 * leaf already, and the leaves of the others that the missing values may lead to.
 */
export interface OpenTrees {
  readonly classifier: TreeEnsemble;
  /** The base and the leaves that are reached whatever is missing, S numbers. */
  readonly start: Float64Array;
  /** The missing columns that decide anything, ascending. */
  readonly columns: readonly number[];
  /** How many trees are left to decide. */
  readonly open: number;
  /**
   * Takes a row.
   *
   * @param x per column the number or the code, NaN for a missing value
   */
  prune(x: Float64Array): void;
  /** The nodes that are left to decide by a missing column. */
  splitsOn(column: number): readonly number[];
  /**
   * The sums of the trees where the missing columns have the given values.
   *
   * @param values per column its values, `count` of them; of missing columns only
   * @param sums count × S, overwritten
   */
  addUp(values: readonly Float64Array[], count: number, sums: Float64Array): void;
  /** Does a task with the memory that completions are evaluated in: for several rows together. */
  work<T>(task: () => T): T;
  /** The leaves of the trees that are left to decide; overwritten by the next row. */
  leavesLeft(): Int32Array;
}

/** What the trees answer where the missing columns have the given values: count × K. */
export function answersOf(trees: OpenTrees, values: readonly Float64Array[], count: number): Float64Array {
  const { classifier } = trees;
  const [S, K] = [trees.start.length, answerCount(classifier)];
  const sums = new Float64Array(count * S);
  trees.addUp(values, count, sums);
  const out = new Float64Array(count * K);
  const answer = new Float64Array(K);
  for (let p = 0; p < count; p++) {
    linkSums(classifier, sums, answer, p * S);
    out.set(answer, p * K);
  }
  return out;
}
