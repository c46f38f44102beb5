import type { Row } from "conformant";

/** What `conformant export --to json` writes, as docs/use-it-from.md describes it. */
interface Exported {
  readonly classes: readonly string[];
  readonly features: readonly string[];
  readonly coef: readonly (readonly number[])[];
  readonly start: readonly number[];
  readonly columns: readonly {
    readonly name: string;
    readonly kind: string;
    readonly gapOf?: string;
    readonly values?: readonly string[];
    readonly edges?: readonly number[];
    readonly scores: readonly (readonly number[])[];
    readonly gap: readonly number[];
  }[];
  readonly gaussian_columns?: readonly string[];
  readonly gaussian_weights?: readonly (readonly number[])[];
  readonly gaussians?: readonly Gaussian[];
}

interface Gaussian {
  readonly mean: readonly number[];
  readonly covariance: readonly number[];
}

/** The prediction as the page describes it, in a few lines: label, then one probability per class. */
export function predictByHand(model: Exported, row: Row): [string, ...number[]] {
  const K = model.classes.length;
  const weightsOf = (name: string): readonly number[] => {
    const own = model.coef.map((coef) => coef[model.features.indexOf(name)]);
    return K === 2 ? [0, own[0]] : own;
  };
  const scores = scoresByHand(model, row, weightsOf);
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const shares = model.classes.map((_, k) =>
    powers.reduce((sum, power, a) => sum + (a % K === k ? power / total : 0), 0),
  );
  return [model.classes[shares.lastIndexOf(Math.max(...shares))], ...shares];
}

/** The file of a linear regressor. */
interface ExportedRegressor extends Omit<Exported, "classes" | "coef"> {
  readonly link: string;
  readonly intercept: number;
  readonly coef: readonly number[];
  readonly components: number;
  readonly unit: number;
}

/** The number, likewise. */
export function predictNumberByHand(model: ExportedRegressor, row: Row): number {
  const T = model.start.length / model.components;
  const factors = [0, 1 / model.unit, -1 / model.unit].slice(0, T);
  const scores = scoresByHand(model, row, (name) =>
    factors.map((factor) => factor * model.coef[model.features.indexOf(name)]),
  );
  const of = (t: number): number[] => scores.filter((_, a) => a % T === t);
  const [zero, sum, opposite] = [of(0), of(1), of(T === 2 ? 0 : 2)];
  const largest = Math.max(...zero);
  const powers = zero.map((score) => Math.exp(score - largest));
  const total = powers.reduce((all, power) => all + power, 0);
  const mean = (values: readonly number[]): number =>
    values.reduce((all, value, m) => all + (value * powers[m]) / total, 0);
  if (model.link === "log") return mean(sum.map((score, m) => Math.exp(model.intercept + score - zero[m])));
  return model.intercept + model.unit * mean(sum.map((score, m) => (score - opposite[m]) / (T - 1)));
}

/**
 * The scores of components and classes.
 *
 * @param weightsOf the weights of a number, one per class
 */
function scoresByHand(
  model: Pick<Exported, "start" | "columns" | "gaussian_columns" | "gaussian_weights" | "gaussians">,
  row: Row,
  weightsOf: (name: string) => readonly number[],
): number[] {
  const K = model.gaussian_weights?.length ?? weightsOf("").length;
  const scores = [...model.start];
  const isKnown = (name: string): boolean => {
    const values = model.columns.find((column) => column.name === name)?.values;
    return row[name] !== undefined && (values?.includes(String(row[name])) ?? true);
  };
  for (const column of model.columns) {
    const { gapOf } = column;
    const value = gapOf === undefined ? row[column.name] : Number(!isKnown(gapOf));
    const weights = weightsOf(column.name);
    const at =
      column.kind === "categorical"
        ? (column.values ?? []).indexOf(String(value))
        : column.kind === "binary"
          ? Number(value)
          : (column.edges ?? []).filter((edge) => edge <= Number(value)).length;
    const known = value !== undefined && at >= 0;
    scores.forEach((_, a) => {
      scores[a] += known ? column.scores[at][a] : column.gap[a];
      if (known && column.kind === "numeric") scores[a] += weights[a % K] * Number(value);
    });
  }
  const conditioned = (model.gaussians ?? []).map((gaussian) => condition(gaussian, model, row));
  const likeliest = Math.max(...conditioned.map(({ logDensity }) => logDensity));
  conditioned.forEach(({ logDensity, worth }, m) => {
    for (let k = 0; k < K; k++) scores[m * K + k] += logDensity - likeliest + worth[k];
  });
  return scores;
}

/** log N(y_o; μ_o, Σ_oo) but for a constant, and w_k,h·e + ½ w_k,hᵀ C w_k,h for each class. */
function condition(
  { mean, covariance }: Gaussian,
  {
    gaussian_columns: names = [],
    gaussian_weights: weights = [],
  }: Pick<Exported, "gaussian_columns" | "gaussian_weights">,
  row: Row,
): { logDensity: number; worth: number[] } {
  const n = names.length;
  const at = (a: number, b: number): number => covariance[a * n + b];
  const known = names.flatMap((name, a) => (row[name] === undefined ? [] : [a]));
  const hidden = names.flatMap((name, a) => (row[name] === undefined ? [a] : []));
  const distance = known.map((a) => Number(row[names[a]]) - mean[a]);
  // Σ_oo⁻¹ [ y_o − μ_o, Σ_oh ], and the determinant of Σ_oo.
  const { solution, logDeterminant } = solve(
    known.map((a) => known.map((b) => at(a, b))),
    known.map((a, o) => [distance[o], ...hidden.map((b) => at(a, b))]),
  );
  const e = hidden.map((b) => known.reduce((sum, a, o) => sum + at(b, a) * solution[o][0], mean[b]));
  const c = hidden.map((a) =>
    hidden.map((b, h) => known.reduce((sum, d, o) => sum - at(a, d) * solution[o][h + 1], at(a, b))),
  );
  const squares = distance.reduce((sum, d, o) => sum + d * solution[o][0], 0);
  const worth = weights.map((own) => {
    const w = hidden.map((a) => own[a]);
    return w.reduce((sum, x, h) => sum + x * e[h] + w.reduce((s, y, g) => s + (x * c[h][g] * y) / 2, 0), 0);
  });
  return { logDensity: -(squares + logDeterminant) / 2, worth };
}

/** Gauss and Jordan, with the largest pivot of each column. */
function solve(matrix: number[][], right: number[][]): { solution: number[][]; logDeterminant: number } {
  const rows = matrix.map((row, i) => [...row, ...right[i]]);
  let logDeterminant = 0;
  for (let j = 0; j < rows.length; j++) {
    const best = rows.reduce(
      (most, row, i) => (i > j && Math.abs(row[j]) > Math.abs(rows[most][j]) ? i : most),
      j,
    );
    [rows[j], rows[best]] = [rows[best], rows[j]];
    logDeterminant += Math.log(Math.abs(rows[j][j]));
    for (let i = 0; i < rows.length; i++) {
      const factor = i === j ? 0 : rows[i][j] / rows[j][j];
      rows[i] = rows[i].map((x, c) => x - factor * rows[j][c]);
    }
  }
  return { solution: rows.map((row, j) => row.slice(rows.length).map((x) => x / row[j])), logDeterminant };
}
