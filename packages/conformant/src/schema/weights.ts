import { ConformantError, LARGEST, show } from "../errors.ts";

/** Throws unless there is one finite weight of at least 0 for every row, of a sum that can be reckoned with; undefined stands for all ones. */
export function checkWeights(weights: ArrayLike<number> | undefined, rows: number): Float64Array | undefined {
  if (weights === undefined) return undefined;
  if (weights.length !== rows) {
    const message = `options.weights must have one weight for each of the ${rows} rows, got ${weights.length}`;
    throw new ConformantError("invalid-argument", message, {
      argument: "options.weights",
      value: weights.length,
    });
  }
  const copy = Float64Array.from(weights);
  const bad = copy.findIndex((w) => !(w >= 0 && w < Number.POSITIVE_INFINITY));
  if (bad >= 0) {
    const message = `options.weights must be finite and not negative, got ${show(weights[bad])} for row ${bad}`;
    throw new ConformantError("invalid-argument", message, {
      argument: "options.weights",
      row: bad,
      value: weights[bad],
    });
  }
  const total = copy.reduce((sum, w) => sum + w, 0);
  if (total > LARGEST || (total > 0 && total < 1 / LARGEST)) {
    const message = `options.weights must sum to a number from ${1 / LARGEST} to ${LARGEST}, got ${total}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.weights", value: total });
  }
  return copy;
}
