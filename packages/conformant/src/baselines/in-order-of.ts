import type { Predictions } from "../queries/prediction/predict.ts";

/** The same predictions with the classes in another order; a class that the other model does not know gets 0. */
export function inOrderOf(classes: readonly string[], predictions: Predictions): Predictions {
  const from = classes.map((name) => predictions.classes.indexOf(name));
  if (from.length === predictions.classes.length && from.every((at, k) => at === k)) return predictions;
  const [K, L] = [classes.length, predictions.classes.length];
  const rows = predictions.probabilities.length / L;
  const probabilities = Float64Array.from({ length: rows * K }, (_, at) => {
    const source = from[at % K];
    return source < 0 ? 0 : predictions.probabilities[Math.floor(at / K) * L + source];
  });
  return { ...predictions, classes, probabilities };
}
