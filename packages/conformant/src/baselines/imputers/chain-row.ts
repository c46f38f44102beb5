import { splitSlots } from "../moments/conditional-mean.ts";
import type { Regression } from "../moments/regression.ts";

/**
 * Runs the chain on one row. The known slots add the same in every round with the same equations, so only the part
 * between the hidden slots is repeated.
 */
export function chainRow(
  row: Float64Array,
  means: Float64Array,
  equations: readonly (readonly Regression[])[],
): void {
  const [hidden, known] = splitSlots(row, 0, row.length);
  if (hidden.length === 0) return;
  for (const slot of hidden) row[slot] = means[slot];
  let steps: readonly Step[] = [];
  equations.forEach((round, t) => {
    if (round !== equations[t - 1]) steps = reduceRound(round, row, hidden, known);
    for (const step of steps) takeStep(step, row, hidden);
  });
}

/** One hidden column's equation with the known slots summed up. */
interface Step {
  readonly start: number;
  /** Intercept plus the known slots, one number per slot of the column. */
  readonly base: Float64Array;
  /** slots of the column × hidden slots, row-major. */
  readonly coefficients: Float64Array;
}

function reduceRound(
  round: readonly Regression[],
  row: Float64Array,
  hidden: readonly number[],
  known: readonly number[],
): Step[] {
  const isHidden = new Set(hidden);
  return round
    .filter(({ start }) => isHidden.has(start))
    .map(({ start, intercept, coefficients }) => {
      const base = intercept.slice();
      const between = new Float64Array(base.length * hidden.length);
      for (let a = 0, at = 0; a < base.length; a++) {
        const line = a * row.length;
        for (const j of known) base[a] += coefficients[line + j] * row[j];
        for (const j of hidden) between[at++] = coefficients[line + j];
      }
      return { start, base, coefficients: between };
    });
}

function takeStep({ start, base, coefficients }: Step, row: Float64Array, hidden: readonly number[]): void {
  const predicted = base.slice();
  for (let a = 0, at = 0; a < predicted.length; a++) {
    let sum = predicted[a];
    for (let b = 0; b < hidden.length; b++) sum += coefficients[at++] * row[hidden[b]];
    predicted[a] = sum;
  }
  row.set(predicted, start);
}
