import { createClassifier, type Model, type Row, random } from "../../src/index.ts";

/** Correlated numbers in two clumps so far apart and a colour that goes with the clump; a share of the cells missing. */
export function clumpRows(count: number, seed: number, missing = 0, apart = 3): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const clump = g.integer(2);
    const a = g.normal() + apart * clump;
    const b = 0.9 * a + 0.4 * g.normal();
    const c = 100 + 20 * (b - a) + 10 * g.normal();
    const row = { a, b, c, colour: g.uniform() < 0.2 + 0.5 * clump ? "red" : "blue" };
    return Object.fromEntries(Object.entries(row).filter(() => g.uniform() >= missing));
  });
}

/** Three classes of such rows. */
export const clumpClassifier = createClassifier({
  schema: {
    columns: [
      { name: "a", kind: "numeric" },
      { name: "b", kind: "numeric" },
      { name: "c", kind: "numeric" },
      { name: "colour", kind: "categorical", values: ["blue", "red"] },
    ],
  },
  classes: ["low", "middle", "high"],
  intercept: Float64Array.of(0, -1, -6),
  weights: Float64Array.of(0, 0.5, 1.2, 0, 0.3, 0.7, 0, 0.02, 0.05, 0, 0, 0, 0, 0.4, 1),
});

/** The mean and covariance of the first component with its classes: Σ_k P(k) N(μ + Σ w_k, Σ). */
export function blockMoments(model: Model): { mean: number[]; covariance: number[] } {
  const { gaussian, logPrior } = model.components[0];
  if (!gaussian || !model.gaussianColumns) throw new Error("the model has a block");
  const { weights, K } = model.gaussianColumns;
  const n = gaussian.mean.length;
  const means = Array.from({ length: K }, (_, k) =>
    Array.from({ length: n }, (_, i) => {
      let sum = gaussian.mean[i];
      for (let j = 0; j < n; j++) sum += gaussian.covariance[i * n + j] * weights[k * n + j];
      return sum;
    }),
  );
  const p = [...logPrior].map(Math.exp);
  const mean = Array.from({ length: n }, (_, i) => p.reduce((sum, q, k) => sum + q * means[k][i], 0));
  const covariance = Array.from(gaussian.covariance, (value, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return p.reduce((sum, q, k) => sum + q * (means[k][i] - mean[i]) * (means[k][j] - mean[j]), value);
  });
  return { mean, covariance };
}

/** The mean and covariance of columns that every row has. */
export function dataMoments(
  rows: readonly Row[],
  names: readonly string[],
): { mean: number[]; covariance: number[] } {
  const average = (of: (row: Row) => number): number =>
    rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const mean = names.map((name) => average((row) => Number(row[name])));
  const covariance = names.flatMap((first, i) =>
    names.map((second, j) =>
      average((row) => (Number(row[first]) - mean[i]) * (Number(row[second]) - mean[j])),
    ),
  );
  return { mean, covariance };
}
