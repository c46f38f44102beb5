import { ConformantError, show } from "../errors.ts";

/** Throws unless there is one finite weight of at least 0 for every row; undefined stands for all ones. */
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
  return copy;
}
