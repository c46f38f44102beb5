import type { NumericMarginal } from "./marginals.ts";

/**
 * Atoms for a numeric column: every distinct value where there are at most `bins`, otherwise at most that many bins of about equal weight,
 * each represented by its mean. A value that outweighs all others has a bin of its own. The bins of −x mirror those of x.
 *
 * @param values ascending and distinct
 * @param weights one per value
 */
export function quantileBins(values: Float64Array, weights: Float64Array, bins: number): NumericMarginal {
  if (values.length <= bins) {
    const lasts = values.map((_, j) => j + 1);
    return {
      kind: "numeric",
      exact: true,
      values: values.slice(),
      edges: edgesBetween(values, lasts),
      counts: weights.slice(),
    };
  }
  const ends = binEnds(values, weights, bins);
  const counts = new Float64Array(ends.length);
  const means = new Float64Array(ends.length);
  let start = 0;
  ends.forEach((end, bin) => {
    [counts[bin], means[bin]] = weightAndMean(values, weights, start, end);
    start = end;
  });
  return { kind: "numeric", exact: false, values: means, edges: edgesBetween(values, ends), counts };
}

/**
 * The end of each bin (exclusive). Bins are built from both ends at once and meet in the middle, so that −x is cut as x is: a bin takes
 * values until it is as close as possible to its share of the remaining weight.
 */
function binEnds(values: Float64Array, weights: Float64Array, bins: number): Float64Array {
  let left = symmetricSum(weights);
  const heavy = heavyValues(weights, left, bins);
  let [from, to, room] = [0, weights.length, bins];
  const lower: number[] = [];
  const middle: number[] = [];
  const upper: number[] = [];
  while (room > 2 && to - from > room) {
    // The last bins surround a value that outweighs all remaining ones.
    const center = room > 4 ? undefined : heavy.find((j) => j >= from && j < to && 2 * weights[j] > left);
    if (center !== undefined) {
      middle.push(...[center, center + 1].filter((end) => end > from && end < to));
      room = 1;
      break;
    }
    const share = shareOfOthers(weights, heavy, from, to, left, room) * (1 + TIE);
    const [low, below] = fill(weights, from, to - 1, 1, share);
    const [high, above] = fill(weights, to - 1, low - 1, -1, share);
    lower.push(low);
    if (high + 1 > low) upper.push(high + 1);
    [from, to, room, left] = [low, high + 1, room - 2, left - (below + above)];
  }
  if (to - from <= room) for (let end = from + 1; end < to; end++) middle.push(end);
  else if (room === 2) middle.push(...evenCut(values, weights, from, to, left));
  return Float64Array.from([...lower, ...middle, ...upper.reverse(), weights.length]);
}

/** Weights within this relative difference count as equal. */
const TIE = 1e-9;

/** The sum of the weights, which is the same for the reversed weights. */
function symmetricSum(weights: Float64Array): number {
  const n = weights.length;
  let sum = n % 2 === 1 ? weights[(n - 1) / 2] : 0;
  for (let j = 0; j < n >>> 1; j++) sum += weights[j] + weights[n - 1 - j];
  return sum;
}

/** The positions of the values that may outweigh a bin, by decreasing weight: at most three per bin. */
function heavyValues(weights: Float64Array, total: number, bins: number): number[] {
  let share = total / bins;
  for (;;) {
    let [sum, count] = [0, 0];
    for (const weight of weights) {
      if (weight < share) continue;
      sum += weight;
      count++;
    }
    const next = (total - sum) / (bins - count);
    if (count >= bins || !(next < share * (1 - TIE))) break;
    share = next;
  }
  // Half of the share, because shares of the remaining weight change slightly from bin to bin.
  const heavy: number[] = [];
  for (let j = 0; j < weights.length; j++) if (weights[j] >= share / 2) heavy.push(j);
  return heavy.sort((a, b) => weights[b] - weights[a]);
}

/**
 * The weight of a bin where the values `from` to `to` − 1, of weight `left`, get this many bins, and values that outweigh such a bin have
 * one each.
 *
 * @param heavy positions of the values that may outweigh a bin, by decreasing weight
 */
function shareOfOthers(
  weights: Float64Array,
  heavy: readonly number[],
  from: number,
  to: number,
  left: number,
  bins: number,
): number {
  let [rest, room] = [left, bins];
  for (const j of heavy) {
    if (j < from || j >= to) continue;
    if (room === 1 || weights[j] * room < rest) break;
    rest -= weights[j];
    room--;
  }
  return rest / room;
}

/**
 * Values from `start` on, at least one and none from `stop` on, until the next would exceed the bin's share by more than it now falls
 * short.
 */
function fill(
  weights: Float64Array,
  start: number,
  stop: number,
  step: 1 | -1,
  share: number,
): [end: number, weight: number] {
  let weight = weights[start];
  let j = start + step;
  for (; (stop - j) * step > 0 && weight + weights[j] / 2 <= share; j += step) weight += weights[j];
  return [j, weight];
}

/**
 * The cut that divides values most evenly; of two equally even ones that in the wider gap. None where the gaps are equal too, because
 * either would be mirrored for −x.
 */
function evenCut(
  values: Float64Array,
  weights: Float64Array,
  from: number,
  to: number,
  total: number,
): number[] {
  let best: { cut: number; off: number; gap: number } | undefined;
  let [even, before] = [false, 0];
  for (let cut = from + 1; cut < to; cut++) {
    before += weights[cut - 1];
    const [off, gap] = [Math.abs(2 * before - total), values[cut] - values[cut - 1]];
    const nearer = best === undefined ? 1 : best.off - off;
    const same = Math.abs(nearer) <= TIE * total;
    const wider = best === undefined ? 1 : gap - best.gap;
    if (best === undefined || (same ? wider > 0 : nearer > 0)) [best, even] = [{ cut, off, gap }, false];
    else if (same && wider === 0) even = true;
  }
  return best && !even ? [best.cut] : [];
}

function weightAndMean(
  values: Float64Array,
  weights: Float64Array,
  start: number,
  end: number,
): [number, number] {
  let weight = 0;
  let mean = 0;
  for (let j = start; j < end; j++) {
    weight += weights[j];
    if (weight > 0) mean += ((values[j] - mean) * weights[j]) / weight;
  }
  return [weight, weight > 0 ? mean : values[start] / 2 + values[end - 1] / 2];
}

/** Half-way between the last value of a bin and the first of the next, or the latter where no double lies between. */
function edgesBetween(values: Float64Array, ends: Float64Array): Float64Array {
  const edges = new Float64Array(Math.max(0, ends.length - 1));
  for (let bin = 0; bin < edges.length; bin++) {
    const [below, above] = [values[ends[bin] - 1], values[ends[bin]]];
    const middle = below + (above - below) / 2;
    edges[bin] = middle > below ? middle : above;
  }
  return edges;
}
