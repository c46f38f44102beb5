import type { NumberStyle } from "conformant/texts";

/** A pattern with blanks around it. */
export function blanksAround(pattern: string): string {
  return ` *(?:${pattern}) *`;
}

/**
 * SQL: a text in a style of numbers as engines read it, with a point before the fraction and no groups.
 *
 * @param replace the function that replaces all of one text by another
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
