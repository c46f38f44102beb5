import { type Block, patternKey, patternOf } from "./block.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";
import { type KnownPattern, prepare } from "./known-pattern.ts";
import { type ScoreRows, scoreRows } from "./score-rows.ts";
import { SingleRow } from "./single-row.ts";

/** Numbers of prepared patterns that are kept, 16 MB: enough for all patterns of most data, harmless for the rest. */
const KEPT = 1 << 21;

/**
 * What a block adds to the scores of rows: rows of the same pattern of gaps share its Cholesky factors, and patterns are
 * remembered from call to call.
 */
export class BlockScorer {
  readonly block: Block;
  private readonly factors: readonly GaussianFactor[];
  private readonly patterns = new Map<string, KnownPattern>();
  private kept = 0;
  private readonly once: SingleRow;

  constructor(block: Block, factors: readonly GaussianFactor[]) {
    this.block = block;
    this.factors = factors;
    this.once = new SingleRow(block, factors);
  }

  /**
   * Adds to `density` and `shift` of all rows.
   *
   * @param cells rows × n, NaN for a gap
   */
  score(cells: Float64Array, rows: number, density: Float64Array, shift: Float64Array): void {
    const { block, factors } = this;
    const n = block.columns.length;
    const where: ScoreRows = { cells, n, density, shift };
    for (const [key, members] of groupRows(cells, rows, n)) {
      // A pattern that one of many rows has is not worth keeping.
      const once = rows > 1 && members.length === 1 && !this.patterns.has(key);
      if (once) this.once.score(patternOf(cells, members[0] * n, n), members[0], where);
      else scoreRows(this.patternFor(key, cells, members[0] * n), factors.length, block.K, members, where);
    }
  }

  private patternFor(key: string, cells: Float64Array, start: number): KnownPattern {
    const known = this.patterns.get(key);
    if (known) return known;
    const n = this.block.columns.length;
    const made = prepare(this.block, this.factors, patternOf(cells, start, n));
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
