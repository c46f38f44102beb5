/** A random number with finitely many values. */
export interface Term {
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
}

/**
 * The distribution of a sum of independent terms, on a grid. The true sum and its place on the grid, offset + j·step, differ
 * by a rounding error of mean 0 that is at most `error` in size except with probability `lost`.
 */
export interface GridSum {
  readonly step: number;
  readonly offset: number;
  /** P(sum at offset + j·step). */
  readonly mass: Float64Array;
  readonly error: number;
  readonly lost: number;
  /** Standard deviation of the rounding error. */
  readonly deviation: number;
}

/** Mass that may be cut off at each end after each term. */
const TRIM = 1e-15;
/** Probability with which the rounding error may exceed Bernstein's bound. */
const EXCESS = 1e-9;
/** Relative rounding of a sum of products, per term. */
const FLOAT = 2 ** -50;

/**
 * Adds the terms up on a grid with the given step. Each value is rounded to the grid that starts at the term's likeliest
 * value; the mean of the rounding errors is known and moves the offset. What remains of them is a sum of independent numbers
 * of mean 0, |e_i| ≤ b_i, with variance V in all: at most Σ b_i, and at most
 *
 *     bL/3 + √( (bL/3)² + 2VL ),   b = max b_i, L = log(2 / EXCESS)        (Bernstein 1946)
 *
 * except with probability EXCESS.
 */
export function gridSum(terms: readonly Term[], step: number): GridSum {
  let mass: Float64Array = Float64Array.of(1);
  let [offset, lost, worst, largest, variance] = [0, terms.length * FLOAT, 0, 0, 0];
  for (const term of terms) {
    const rounded = roundTerm(term, step);
    const trimmed = trim(convolve(mass, rounded.shifts, term.probabilities));
    mass = trimmed.mass;
    offset += rounded.offset + trimmed.start * step;
    lost += trimmed.lost;
    worst += rounded.largest;
    largest = Math.max(largest, rounded.largest);
    variance += rounded.variance;
  }
  const L = Math.log(2 / EXCESS);
  const part = (largest * L) / 3;
  const bernstein = part + Math.sqrt(part * part + 2 * variance * L);
  const error = Math.min(worst, bernstein) + FLOAT * (Math.abs(offset) + step * mass.length);
  return {
    step,
    offset,
    mass,
    error,
    lost: lost + (bernstein < worst ? EXCESS : 0),
    deviation: Math.sqrt(variance),
  };
}

/** Shifts of a term's values in grid steps (≥ 0), where shift 0 and the mean error lie, and the errors around that mean. */
function roundTerm(
  { values, probabilities }: Term,
  step: number,
): { shifts: Int32Array; offset: number; largest: number; variance: number } {
  const anchor = values[probabilities.indexOf(Math.max(...probabilities))];
  const raw = Array.from(values, (value) => Math.round((value - anchor) / step));
  const least = Math.min(...raw);
  const errors = values.map((value, v) => value - anchor - raw[v] * step);
  const mean = errors.reduce((sum, e, v) => sum + probabilities[v] * e, 0);
  return {
    shifts: Int32Array.from(raw, (shift) => shift - least),
    offset: anchor + least * step + mean,
    largest: errors.reduce((most, e) => Math.max(most, Math.abs(e - mean)), 0),
    variance: errors.reduce((sum, e, v) => sum + probabilities[v] * (e - mean) ** 2, 0),
  };
}

function convolve(mass: Float64Array, shifts: Int32Array, probabilities: Float64Array): Float64Array {
  const out = new Float64Array(mass.length + Math.max(...shifts));
  for (let v = 0; v < shifts.length; v++) {
    const [p, shift] = [probabilities[v], shifts[v]];
    if (p > 0) for (let j = 0; j < mass.length; j++) out[j + shift] += p * mass[j];
  }
  return out;
}

/** Cuts off the ends that hold next to nothing. */
function trim(mass: Float64Array): { mass: Float64Array; start: number; lost: number } {
  let [start, end, below, above] = [0, mass.length, 0, 0];
  while (start < end - 1 && below + mass[start] <= TRIM) below += mass[start++];
  while (end > start + 1 && above + mass[end - 1] <= TRIM) above += mass[--end];
  return { mass: mass.slice(start, end), start, lost: below + above };
}
