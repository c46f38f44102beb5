import { KeptWithin } from "../kept-within.ts";
import { type Block, patternKey, patternOf } from "./block.ts";
import { inFours, weightedClasses } from "./four-factors.ts";
import type { GaussianFactor } from "./gaussian-factor.ts";
import { type KnownPattern, type LaidOut, prepare } from "./known-pattern.ts";
import { type ScoreRows, scoreRows } from "./score-rows.ts";

/** Numbers of prepared patterns that are kept, 16 MB: enough for all patterns of most data, harmless for the rest. */
const KEPT = 1 << 21;

/** Scores rows that have no pattern in common. */
type ScoreApart = (laidOut: LaidOut, rows: readonly number[], where: ScoreRows) => void;

let scoreApart: ScoreApart | undefined;

/** Offers a faster way to score rows of patterns that they have in common with no other row; without it they are scored one by one. */
export function offerApart(score: ScoreApart): void {
  scoreApart = score;
}

/**
 * What a block adds to the scores of rows: rows of the same pattern of gaps share its Cholesky factors, and patterns are
 * remembered from call to call.
 */
export class BlockScorer {
  readonly block: Block;
  private readonly laidOut: LaidOut;
  private readonly patterns = new KeptWithin<string, KnownPattern>(KEPT);

  constructor(block: Block, factors: readonly GaussianFactor[]) {
    const classes = weightedClasses(block);
    this.block = block;
    this.laidOut = {
      block,
      classes,
      fours: inFours(factors, classes),
      origin: meanOfMeans(factors, block.columns.length),
      M: factors.length,
    };
  }

  /**
   * Adds to `density` and `shift` of all rows.
   *
   * @param cells rows × n, NaN for a gap
   */
  score(cells: Float64Array, rows: number, density: Float64Array, shift: Float64Array): void {
    const { block, laidOut } = this;
    const n = block.columns.length;
    const where: ScoreRows = { cells, n, density, shift };
    const groups = groupRows(cells, rows, n);
    // A pattern that one of many rows has is not worth keeping. Nor is it looked for: the last bits of a row must not depend on rows before.
    const single = (key: string): boolean =>
      scoreApart !== undefined && rows > 1 && groups.get(key)?.length === 1;
    const own: number[] = [];
    for (const key of [...groups.keys()].filter(single).sort()) {
      own.push(...(groups.get(key) ?? []));
      groups.delete(key);
    }
    if (own.length > 0) scoreApart?.(laidOut, own, where);
    for (const [key, members] of groups)
      scoreRows(this.patternFor(key, cells, members[0] * n), block.K, members, where);
  }

  private patternFor(key: string, cells: Float64Array, start: number): KnownPattern {
    const known = this.patterns.get(key);
    if (known) return known;
    const made = prepare(this.laidOut, patternOf(cells, start, this.block.columns.length));
    return this.patterns.keep(key, made, made.numbers.length);
  }
}

function meanOfMeans(factors: readonly GaussianFactor[], n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) =>
    factors.reduce((sum, { mean }) => sum + mean[i] / factors.length, 0),
  );
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
