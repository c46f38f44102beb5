/**
 * The paper's threshold for a continuous column: mean + 0.05 standard deviations of the training rows (population
 * standard deviation). A value counts as 1 if it lies above.
 */
export function threshold(training: ArrayLike<number>): number {
  let sum = 0;
  let squares = 0;
  for (let r = 0; r < training.length; r++) sum += training[r];
  const mean = sum / training.length;
  for (let r = 0; r < training.length; r++) squares += (training[r] - mean) ** 2;
  return mean + 0.05 * Math.sqrt(squares / training.length);
}

/** 1 where a value lies above the threshold, else 0. */
export function binarize(values: ArrayLike<number>, above: number): Int8Array {
  const bits = new Int8Array(values.length);
  for (let r = 0; r < values.length; r++) bits[r] = values[r] > above ? 1 : 0;
  return bits;
}
