import type { NumberStyle } from "conformant/texts";

/** A pattern with surrounding blanks. */
export function blanksAround(pattern: string): string {
  return ` *(?:${pattern}) *`;
}

/**
 * SQL: a text in a style of numbers as engines read it, with a decimal point and no grouping.
 *
 * @param replace the function that replaces all occurrences of a text
 */
export function plainNumber(
  expression: string,
  { decimal, grouped }: NumberStyle,
  replace = "replace",
): string {
  const [mark, group] = decimal === "point" ? [".", ","] : [",", "."];
  const together = grouped ? `${replace}(${expression}, '${group}', '')` : expression;
  return mark === "." ? together : `${replace}(${together}, ',', '.')`;
}
