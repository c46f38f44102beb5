import type { Table } from "conformant";
import { slotOffsets } from "conformant/remote";
import { fitConstants } from "./fit-constants.ts";
import { slotRows } from "./imputer.ts";

/** Sums over rows from which mean and covariance follow, about an origin that keeps them accurate. */
export interface Moments {
  /** Rows, or their weight. */
  total: number;
  readonly origin: Float64Array;
  /** Σ_r (x − origin), S numbers. */
  readonly sum: Float64Array;
  /** Σ_r (x − origin)(x − origin)ᵀ, S × S row-major, lower triangle. */
  readonly product: Float64Array;
}

export function emptyMoments(origin: Float64Array): Moments {
  const S = origin.length;
  return { total: 0, origin, sum: new Float64Array(S), product: new Float64Array(S * S) };
}

/** Adds one complete row, S numbers from `start`. Slots at the origin cost nothing: most bits of one-hot groups are 0. */
export function addRow(moments: Moments, rows: Float64Array, start: number): void {
  const { origin, sum, product } = moments;
  const S = origin.length;
  const set: number[] = [];
  for (let i = 0; i < S; i++) {
    const x = rows[start + i] - origin[i];
    if (x === 0) continue;
    sum[i] += x;
    set.push(i);
    const row = i * S;
    for (const j of set) product[row + j] += x * (rows[start + j] - origin[j]);
  }
  moments.total++;
}

/** The mean, S numbers. */
export function meanOf({ total, origin, sum }: Moments): Float64Array {
  return origin.map((x, i) => x + sum[i] / total);
}

/**
 * The covariance (divided by n), S × S row-major. `ridge` is added to the diagonal as a share of each variance, which is
 * the same whatever the units; a slot that never varies gets a variance of `ridge`.
 */
export function covarianceOf({ total, sum, product }: Moments, ridge: number): Float64Array {
  const S = sum.length;
  const covariance = new Float64Array(S * S);
  for (let i = 0; i < S; i++) {
    for (let j = 0; j <= i; j++) {
      const value = (product[i * S + j] - (sum[i] * sum[j]) / total) / total;
      covariance[i * S + j] = value;
      covariance[j * S + i] = value;
    }
    covariance[i * S + i] += ridge * (covariance[i * S + i] > 0 ? covariance[i * S + i] : 1);
  }
  return covariance;
}

/** Rows that are laid out together. */
const BLOCK = 256;

/** Sums over the complete rows. */
export function completeMoments(table: Table): Moments {
  const moments = emptyMoments(originOf(table));
  const width = moments.origin.length;
  for (let start = 0; start < table.rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, table.rows);
    const rows = slotRows(table, start, end);
    for (let r = 0; r < end - start; r++) {
      const at = r * width;
      if (!rows.subarray(at, at + width).some(Number.isNaN)) addRow(moments, rows, at);
    }
  }
  return moments;
}

/** Numbers are summed about their mean; bits about 0, where most of them are. */
function originOf(table: Table): Float64Array {
  const origin = fitConstants(table.schema, table, "mean").constants!.slice();
  const slots = slotOffsets(table.schema);
  table.schema.columns.forEach(({ kind }, i) => {
    if (kind !== "numeric") origin.fill(0, slots[i], slots[i + 1]);
  });
  return origin;
}
