import { indexOfLargest } from "../math/vectors.ts";

/** A random number with finitely many values. */
export interface Term {
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
}

/**
 * The distribution of a sum of independent terms, on a grid. The true sum and its place on the grid, offset + place·step, differ
 * by a rounding error of mean 0 that is at most `error` in size except with probability `lost`.
 */
export interface GridSum {
  readonly step: number;
  readonly offset: number;
  /** Whole numbers, ascending: the places that have any mass. */
  readonly places: Float64Array;
  /** P(sum at offset + places[j]·step). */
  readonly mass: Float64Array;
  readonly error: number;
  readonly lost: number;
  /** Standard deviation of the rounding error. */
  readonly deviation: number;
}

/** Mass that may be cut off at each end of a run after each term. */
const TRIM = 1e-15;
/** Probability with which the rounding error may exceed Bernstein's bound. */
const EXCESS = 1e-9;
/** Relative rounding of a sum of products, per term. */
const FLOAT = 2 ** -50;
/** How much further the places of a sum may spread than was expected before the step is made coarser. */
const SLACK = 4;
/** No step is a smaller share of the whole width than this, so that places are whole numbers without rounding. */
const FINEST = 2 ** -45;
/** Runs of places that lie this far apart or less become one: an empty place costs less than a run. */
const GAP = 32;
/** Combinations of values that a run each is planned for. */
const RUNS = 1024;

/**
 * Adds the terms up on a grid of about so many points. Each value is rounded to the grid that starts at the term's likeliest
 * value; the mean of the rounding errors is known and moves the offset. What remains of them is a sum of independent numbers
 * of mean 0, |e_i| ≤ b_i, with variance V in all: at most Σ b_i, and at most
 *
 *     bL/3 + √( (bL/3)² + 2VL ),   b = max b_i, L = log(2 / EXCESS)        (Bernstein 1946)
 *
 * except with probability EXCESS. Only places with mass are kept, so a column whose values lie far apart costs as many runs of
 * places as it has values, not the way between them.
 */
export function gridSum(terms: readonly Term[], points: number): GridSum {
  const { likely, certain, whole } = widthsOf(terms);
  const stepFor = (width: number): number => Math.max(width / points, whole * FINEST) || 1;
  return (
    sumOn(terms, stepFor(likely), SLACK * points) ??
    // A few rare values spread the sum: with this step it has no more places, whatever the probabilities are.
    (sumOn(terms, stepFor(certain), Number.POSITIVE_INFINITY) as GridSum)
  );
}

/** The sum on a grid of the given step, or undefined where it has more places than `most`. */
function sumOn(terms: readonly Term[], step: number, most: number): GridSum | undefined {
  let runs: readonly Run[] = [{ start: 0, mass: Float64Array.of(1) }];
  let [offset, lost, worst, largest, variance] = [0, terms.length * FLOAT, 0, 0, 0];
  for (const term of terms) {
    const rounded = roundTerm(term, step);
    const trimmed = trim(convolve(runs, rounded));
    runs = trimmed.runs;
    if (runs.reduce((sum, { mass }) => sum + mass.length, 0) > most) return undefined;
    offset += rounded.offset;
    lost += trimmed.lost;
    worst += rounded.largest;
    largest = Math.max(largest, rounded.largest);
    variance += rounded.variance;
  }
  const L = Math.log(2 / EXCESS);
  const part = (largest * L) / 3;
  const bernstein = part + Math.sqrt(part * part + 2 * variance * L);
  const { places, mass } = flatten(runs);
  const furthest = Math.max(Math.abs(places[0]), Math.abs(places[places.length - 1]) + 1);
  return {
    step,
    offset,
    places,
    mass,
    error: Math.min(worst, bernstein) + FLOAT * (Math.abs(offset) + step * furthest),
    lost: lost + (bernstein < worst ? EXCESS : 0),
    deviation: Math.sqrt(variance),
  };
}

/** The range that counts, in standard deviations to both sides of the mean. */
const REACH = 8;

/**
 * How long the places of the sum are together: with the t widest terms taken value by value, so many runs as these have
 * combinations of values, each as wide as the other terms. `certain` is the least of these, `likely` the least where the others
 * count only within some standard deviations of their mean, `whole` the way from the least sum to the largest.
 */
function widthsOf(terms: readonly Term[]): { likely: number; certain: number; whole: number } {
  const sorted = terms.map(spreadOf).sort((a, b) => b.width - a.width);
  let [likely, certain] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let t = 0, runs = 1; t <= sorted.length && runs <= RUNS; runs *= sorted[t]?.count ?? 1, t++) {
    let [width, variance] = [0, 0];
    for (let i = t; i < sorted.length; i++) {
      width += sorted[i].width;
      variance += sorted[i].variance;
    }
    certain = Math.min(certain, runs * width);
    likely = Math.min(likely, runs * Math.min(width, 2 * REACH * Math.sqrt(variance)));
    if (width === 0) break;
  }
  return { likely, certain, whole: sorted.reduce((sum, { width }) => sum + width, 0) };
}

function spreadOf({ values, probabilities }: Term): { width: number; variance: number; count: number } {
  let [least, most, mean, variance] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (let v = 0; v < values.length; v++) {
    least = Math.min(least, values[v]);
    most = Math.max(most, values[v]);
    mean += probabilities[v] * values[v];
  }
  for (let v = 0; v < values.length; v++) variance += probabilities[v] * (values[v] - mean) ** 2;
  return { width: most - least, variance, count: values.length };
}

/** A term on the grid: probabilities by shift, a whole number of steps from its likeliest value. */
interface RoundedTerm {
  readonly shifts: readonly (readonly [shift: number, probability: number])[];
  /** Where shift 0 lies, moved by the mean rounding error. */
  readonly offset: number;
  /** The errors around that mean. */
  readonly largest: number;
  readonly variance: number;
}

function roundTerm({ values, probabilities }: Term, step: number): RoundedTerm {
  const anchor = values[indexOfLargest(probabilities)];
  const raw = values.map((value) => Math.round((value - anchor) / step));
  const errors = values.map((value, v) => value - anchor - raw[v] * step);
  const mean = errors.reduce((sum, e, v) => sum + probabilities[v] * e, 0);
  const byShift = new Map<number, number>();
  raw.forEach((shift, v) => {
    if (probabilities[v] > 0) byShift.set(shift, (byShift.get(shift) ?? 0) + probabilities[v]);
  });
  return {
    shifts: [...byShift],
    offset: anchor + mean,
    largest: errors.reduce((most, e) => Math.max(most, Math.abs(e - mean)), 0),
    variance: errors.reduce((sum, e, v) => sum + probabilities[v] * (e - mean) ** 2, 0),
  };
}

/** Neighbouring places: start, start + 1, … */
interface Run {
  readonly start: number;
  readonly mass: Float64Array;
}

/** Every run at every shift; neighbours become one. */
function convolve(runs: readonly Run[], { shifts }: RoundedTerm): Run[] {
  const pieces = runs.flatMap(({ start, mass }) =>
    shifts.map(([shift, probability]) => ({ start: start + shift, mass, probability })),
  );
  pieces.sort((a, b) => a.start - b.start);
  const out: Run[] = [];
  for (let first = 0, next = 0; first < pieces.length; first = next) {
    const { start } = pieces[first];
    let end = start;
    for (next = first; next < pieces.length && pieces[next].start <= end + GAP; next++)
      end = Math.max(end, pieces[next].start + pieces[next].mass.length);
    const sum = new Float64Array(end - start);
    for (let at = first; at < next; at++) {
      const { mass, probability, start: own } = pieces[at];
      for (let j = 0, to = own - start; j < mass.length; j++, to++) sum[to] += probability * mass[j];
    }
    out.push({ start, mass: sum });
  }
  return out;
}

/** Cuts off the ends of runs that hold next to nothing, and runs of which nothing else is left unless it is the only one. */
function trim(runs: readonly Run[]): { runs: Run[]; lost: number } {
  let lost = 0;
  const kept: Run[] = [];
  for (const { start, mass } of runs) {
    let [from, end, below, above] = [0, mass.length, 0, 0];
    while (from < end && below + mass[from] <= TRIM) below += mass[from++];
    while (end > from && above + mass[end - 1] <= TRIM) above += mass[--end];
    lost += below + above;
    if (from < end) kept.push({ start: start + from, mass: mass.slice(from, end) });
  }
  return { runs: kept, lost };
}

function flatten(runs: readonly Run[]): { places: Float64Array; mass: Float64Array } {
  const size = runs.reduce((sum, { mass }) => sum + mass.length, 0);
  const [places, all] = [new Float64Array(size), new Float64Array(size)];
  let at = 0;
  for (const { start, mass } of runs) {
    for (let j = 0; j < mass.length; j++) {
      if (mass[j] === 0) continue;
      places[at] = start + j;
      all[at++] = mass[j];
    }
  }
  return { places: places.subarray(0, at), mass: all.subarray(0, at) };
}
