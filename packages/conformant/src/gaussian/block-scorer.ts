import { type Block, patternKey, patternOf } from "./block.ts";
import { type FourFactors, inFours, weightedClasses } from "./four-factors.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";
import { type KnownPattern, prepare } from "./known-pattern.ts";
import { type OwnPattern, PatternTree } from "./pattern-tree.ts";
import { type ScoreRows, scoreRows } from "./score-rows.ts";

/** Numbers of prepared patterns that are kept, 16 MB: enough for all patterns of most data, harmless for the rest. */
const KEPT = 1 << 21;

/**
 * What a block adds to the scores of rows: rows of the same pattern of gaps share its Cholesky factors, and patterns are
 * remembered from call to call.
 */
export class BlockScorer {
  readonly block: Block;
  private readonly M: number;
  private readonly classes: Int32Array;
  private readonly fours: readonly FourFactors[];
  private readonly patterns = new Map<string, KnownPattern>();
  private kept = 0;
  private readonly tree: PatternTree;

  constructor(block: Block, factors: readonly GaussianFactor[]) {
    this.block = block;
    this.M = factors.length;
    this.classes = weightedClasses(block);
    this.fours = inFours(factors, this.classes);
    this.tree = new PatternTree(block, this.classes, this.fours, this.M);
  }

  /**
   * Adds to `density` and `shift` of all rows.
   *
   * @param cells rows × n, NaN for a gap
   */
  score(cells: Float64Array, rows: number, density: Float64Array, shift: Float64Array): void {
    const { block, tree, M } = this;
    const n = block.columns.length;
    const where: ScoreRows = { cells, n, density, shift };
    const groups = groupRows(cells, rows, n);
    // A pattern that one of many rows has is not worth keeping.
    const single = (key: string): boolean =>
      rows > 1 && groups.get(key)?.length === 1 && !this.patterns.has(key);
    const own: OwnPattern[] = [];
    for (const key of [...groups.keys()].filter(single).sort()) {
      const row = groups.get(key)?.[0] ?? 0;
      own.push(tree.prepare(patternOf(cells, row * n, n), row, where));
      groups.delete(key);
    }
    tree.score(own, where);
    for (const [key, members] of groups)
      scoreRows(this.patternFor(key, cells, members[0] * n), M, block.K, members, where);
  }

  private patternFor(key: string, cells: Float64Array, start: number): KnownPattern {
    const known = this.patterns.get(key);
    if (known) return known;
    const n = this.block.columns.length;
    const made = prepare(this.block, this.classes, this.fours, this.M, patternOf(cells, start, n));
    if (this.kept + made.numbers.length > KEPT) {
      this.patterns.clear();
      this.kept = 0;
    }
    this.patterns.set(key, made);
    this.kept += made.numbers.length;
    return made;
  }
}

/** The rows of each pattern of gaps, in the order in which the patterns turn up. */
export function groupRows(cells: Float64Array, rows: number, n: number): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (let r = 0; r < rows; r++) {
    const key = patternKey(cells, r * n, n);
    const group = groups.get(key);
    if (group) group.push(r);
    else groups.set(key, [r]);
  }
  return groups;
}
