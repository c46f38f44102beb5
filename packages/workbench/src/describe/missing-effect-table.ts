import { short } from "../source/format-number.ts";
import type { ModelDescription } from "./describe-model.ts";

/** A table of texts. */
export interface TextRows {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * The effect of a missing value with nothing else known: for two classes the equivalent value and the change of the log-odds, else
 * the change of each class's score. The numbers of a Gaussian have one effect together, in a line of their own.
 */
export function missingEffectTable({ classes, columns, gaussian }: ModelDescription): TextRows {
  const two = classes.length === 2;
  const pushes = (effect: readonly number[], equals?: number): string[] =>
    two ? [equals === undefined ? "" : short(equals), signed(effect[1] - effect[0])] : effect.map(signed);
  const rows = columns.flatMap(({ name, kind, missingEffect, missingEquals }) =>
    missingEffect ? [[name, kind, ...pushes(missingEffect, missingEquals)]] : [],
  );
  if (gaussian) rows.push([together(gaussian.columns), "gaussian", ...pushes(gaussian.missingEffect)]);
  const heads = two
    ? ["missing equals", `log-odds of ${classes[1].name}`]
    : classes.map(({ name }) => `to ${name}`);
  return { header: [two ? "column" : "missing", "kind", ...heads], rows };
}

function together(columns: readonly string[]): string {
  return columns.length === 1 ? columns[0] : `all ${columns.length} numbers`;
}

/** A number with its sign. */
export function signed(x: number): string {
  return x > 0 ? `+${short(x)}` : short(x);
}
