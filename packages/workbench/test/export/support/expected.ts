import { type Columns, type Model, predictColumns, type Row } from "conformant";
import { decide } from "conformant/internal";

/** What the library answers: probabilities, rows × K, and the names of the classes decided for. */
export function expectedAnswers(
  model: Model,
  rows: readonly Row[],
): { probabilities: Float64Array; labels: string[] } {
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const columns: Columns = Object.fromEntries(
    schema.columns.map(({ name }) => [
      name,
      rows.map((row) => (Object.hasOwn(row, name) ? row[name] : undefined)),
    ]),
  );
  const { probabilities } = predictColumns(model, columns);
  const K = classes.length;
  const labels = rows.map((_, r) => classes[decide(probabilities.subarray(r * K, (r + 1) * K)).class]);
  return { probabilities, labels };
}

/** The largest difference of two lists of numbers; infinite where they do not match. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let j = 0; j < a.length; j++) {
    const difference = Math.abs(a[j] - b[j]);
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
  }
  return largest;
}

/** How many labels differ where the decision is not within rounding of a tie. */
export function wrongLabels(
  labels: readonly string[],
  model: Model,
  probabilities: ArrayLike<number>,
  rounding: number,
): number {
  const {
    response: { outputs: classes },
  } = model;
  const K = classes.length;
  return labels.filter((label, r) => {
    const own = Array.from({ length: K }, (_, k) => probabilities[r * K + k]);
    return !(own[classes.indexOf(label)] >= Math.max(...own) - rounding);
  }).length;
}
