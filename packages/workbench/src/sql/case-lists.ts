import type { Dialect } from "./dialects/dialect.ts";

/** {@link Dialect.position} for engines without a hash table of texts: one comparison per text. */
export function positionByCase(
  expression: string,
  values: readonly string[],
  literal: Dialect["literal"],
): string {
  return `CASE ${values.map((value, code) => `WHEN ${expression} = ${literal(value)} THEN ${code}`).join(" ")} END`;
}

/** {@link Dialect.pick} for engines without arrays. */
export function pickByCase(position: string, numbers: readonly number[], number: Dialect["number"]): string {
  return `CASE ${position} ${numbers.map((x, code) => `WHEN ${code} THEN ${number(x)}`).join(" ")} END`;
}

/** {@link Dialect.bin} for engines without a function for it. */
export function binByCase(expression: string, edges: ArrayLike<number>, number: Dialect["number"]): string {
  const cases = Array.from(edges, (edge, j) => `WHEN ${expression} < ${number(edge)} THEN ${j}`);
  return cases.length === 0 ? "0" : `CASE ${cases.join(" ")} ELSE ${edges.length} END`;
}
