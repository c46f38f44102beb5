import { scoreRow } from "../distribution/class-scores.ts";
import type { Distribution } from "../distribution/distribution.ts";
import { isMixture, rejectInfinite, rowScores } from "../distribution/score-rows.ts";
import { plainKernels } from "../kernels/plain-scoring.ts";
import { probabilitiesInPlace } from "../math/softmax.ts";
import { weightedColumns } from "../schema/class-tilt.ts";
import { type Cells, tableOfRow } from "../schema/read-row.ts";
import { isKnown } from "../schema/rows.ts";

/** P(k | y) = Σ_m P(m, k | y) of one row, K numbers; apart from the other answers so that small pages load no more than this. */
export function expectRow(distribution: Distribution, cells: Cells): Float64Array {
  const { schema, tilt, components } = distribution;
  const K = tilt.intercept.length;
  if (!isMixture(distribution)) return classifyRow(distribution, cells);
  const table = tableOfRow(schema, cells);
  // Every component gives the classifier's own answer where all that it uses is known.
  if (isKnown(table, 0, weightedColumns(tilt))) return classifyRow(distribution, cells);
  const values = new Float64Array(K);
  const shares = new Float64Array(components.length * K);
  rowScores(distribution, table, 0, shares);
  plainKernels.exponentials(shares, 1, shares.length);
  if (!sumShares(shares, 0, shares.length / K, K, values, 0)) rejectInfinite(table, 0);
  return values;
}

/** P(k | y) under the first component. */
function classifyRow({ tilt, components, schema }: Distribution, cells: Cells): Float64Array {
  const values = new Float64Array(tilt.intercept.length);
  scoreRow(tilt, components[0].logZ, cells, values);
  probabilitiesInPlace(values);
  if (Number.isNaN(values[0])) rejectInfinite(tableOfRow(schema, cells), 0);
  return values;
}

/**
 * P(k | y) = Σ_m P(m, k | y), written from `to` on, from M·K numbers in proportion to P(m, k | y). Returns false where there are no such
 * probabilities: every component is impossible, or a score is no number.
 */
export function sumShares(
  shares: Float64Array,
  start: number,
  M: number,
  K: number,
  out: Float64Array,
  to: number,
): boolean {
  let total = 0;
  for (let k = 0; k < K; k++) {
    // Two sums that need not wait for each other.
    let [even, odd] = [0, 0];
    let m = 0;
    for (let at = start + k; m + 1 < M; m += 2, at += 2 * K) {
      even += shares[at];
      odd += shares[at + K];
    }
    if (m < M) even += shares[start + m * K + k];
    out[to + k] = even + odd;
    total += even + odd;
  }
  for (let k = 0; k < K; k++) out[to + k] /= total;
  return Number.isFinite(total);
}
