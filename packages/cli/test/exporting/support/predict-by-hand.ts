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
    readonly values?: readonly string[];
    readonly edges?: readonly number[];
    readonly scores: readonly (readonly number[])[];
    readonly gap: readonly number[];
  }[];
}

/** The prediction as the page describes it, in a few lines: label, then one probability per class. */
export function predictByHand(model: Exported, row: Row): [string, ...number[]] {
  const K = model.classes.length;
  const scores = [...model.start];
  for (const column of model.columns) {
    const value = row[column.name];
    const weights = model.coef.map((coef) => coef[model.features.indexOf(column.name)]);
    const at =
      column.kind === "categorical"
        ? (column.values ?? []).indexOf(String(value))
        : column.kind === "binary"
          ? Number(value)
          : (column.edges ?? []).filter((edge) => edge <= Number(value)).length;
    const known = value !== undefined && at >= 0;
    scores.forEach((_, a) => {
      scores[a] += known ? column.scores[at][a] : column.gap[a];
      const weight = K === 2 ? (a % K) * weights[0] : weights[a % K];
      if (known && column.kind === "numeric") scores[a] += weight * Number(value);
    });
  }
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const shares = model.classes.map((_, k) =>
    powers.reduce((sum, power, a) => sum + (a % K === k ? power / total : 0), 0),
  );
  return [model.classes[shares.lastIndexOf(Math.max(...shares))], ...shares];
}
