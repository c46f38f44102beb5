import type { NumericMarginal } from "./marginals.ts";

/**
 * Atoms for a numeric column: every distinct value where there are at most `bins`, else bins of about equal weight with
 * their mean as representative. A value that outweighs a bin has one to itself.
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
  const ends = binEnds(weights, bins);
  const counts = new Float64Array(ends.length);
  const means = new Float64Array(ends.length);
  let start = 0;
  ends.forEach((end, bin) => {
    [counts[bin], means[bin]] = weightAndMean(values, weights, start, end);
    start = end;
  });
  return { kind: "numeric", exact: false, values: means, edges: edgesBetween(values, ends), counts };
}

/** Where each bin ends (exclusive): a bin is closed once the running weight reaches its share of what is left. */
function binEnds(weights: Float64Array, bins: number): Float64Array {
  let left = 0;
  for (const weight of weights) left += weight;
  const ends: number[] = [];
  let weight = 0;
  for (let j = 0; j < weights.length; j++) {
    const target = left / (bins - ends.length);
    // Close before a value that would carry the bin further past its share than it falls short now.
    if (weight > 0 && weight + weights[j] - target > target - weight && ends.length < bins - 1) {
      ends.push(j);
      left -= weight;
      weight = 0;
    }
    weight += weights[j];
  }
  ends.push(weights.length);
  return Float64Array.from(ends);
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
  return [weight, weight > 0 ? mean : values[start]];
}

/** Half-way between the last value of a bin and the first of the next, or the latter where nothing lies between. */
function edgesBetween(values: Float64Array, ends: Float64Array): Float64Array {
  const edges = new Float64Array(Math.max(0, ends.length - 1));
  for (let bin = 0; bin < edges.length; bin++) {
    const [below, above] = [values[ends[bin] - 1], values[ends[bin]]];
    const middle = below + (above - below) / 2;
    edges[bin] = middle > below ? middle : above;
  }
  return edges;
}
