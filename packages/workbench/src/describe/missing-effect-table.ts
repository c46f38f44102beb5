import { short } from "../source/format-number.ts";
import type { ModelDescription } from "./describe-model.ts";

/** A table of texts. */
export interface TextRows {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * What a gap is worth with nothing else known: for two classes the value it equals and its push to the log-odds, else its
 * push to each class. The numbers of a Gaussian are worth something together, in a line of their own.
 */
export function missingEffectTable({ classes, columns, gaussian }: ModelDescription): TextRows {
  const two = classes.length === 2;
  const pushes = (gap: readonly number[], equals?: number): string[] =>
    two ? [equals === undefined ? "" : short(equals), signed(gap[1] - gap[0])] : gap.map(signed);
  const rows = columns.flatMap(({ name, kind, gap, gapEquals }) =>
    gap ? [[name, kind, ...pushes(gap, gapEquals)]] : [],
  );
  if (gaussian) rows.push([together(gaussian.columns), "gaussian", ...pushes(gaussian.gap)]);
  const heads = two
    ? ["a gap equals", `log-odds of ${classes[1].name}`]
    : classes.map(({ name }) => `to ${name}`);
  return { header: [two ? "column" : "a gap in", "kind", ...heads], rows };
}

function together(columns: readonly string[]): string {
  return columns.length === 1 ? columns[0] : `all ${columns.length} numbers`;
}

/** A number with its sign. */
export function signed(x: number): string {
  return x > 0 ? `+${short(x)}` : short(x);
}
