import { decide } from "conformant/internal";

/** Bins of equal width for the probability of the likeliest class, as is usual. */
export const BINS = 10;

/** How sure answers were and how often they were right, by bins of how sure they were: sums over rows, which add. */
export interface Reliability {
  readonly rows: Float64Array;
  /** Σ P(likeliest class). */
  readonly confidence: Float64Array;
  /** Rows whose likeliest class is their label. */
  readonly right: Float64Array;
}

/** Answers by how sure they are. */
export function reliability(probabilities: Float64Array, labels: ArrayLike<number>, K: number): Reliability {
  const bins: Reliability = {
    rows: new Float64Array(BINS),
    confidence: new Float64Array(BINS),
    right: new Float64Array(BINS),
  };
  for (let r = 0; r < labels.length; r++) {
    const predicted = decide(probabilities.subarray(r * K, (r + 1) * K)).class;
    const p = probabilities[r * K + predicted];
    const bin = Math.min(BINS - 1, Math.floor(p * BINS));
    bins.rows[bin]++;
    bins.confidence[bin] += p;
    if (predicted === labels[r]) bins.right[bin]++;
  }
  return bins;
}

/** The same rows answered again, or others: all together. */
export function addReliability(parts: readonly Reliability[]): Reliability {
  const sum = (of: keyof Reliability): Float64Array =>
    Float64Array.from({ length: BINS }, (_, bin) => parts.reduce((all, part) => all + part[of][bin], 0));
  return { rows: sum("rows"), confidence: sum("confidence"), right: sum("right") };
}

/** Expected calibration error: Σ_bins share · |how often right − how sure| (Naeini et al. 2015). */
export function calibrationError({ rows, confidence, right }: Reliability): number {
  const all = rows.reduce((sum, n) => sum + n, 0);
  return confidence.reduce((sum, sure, bin) => sum + Math.abs(right[bin] - sure), 0) / all;
}
