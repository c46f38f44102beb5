import { columnSql } from "./fields.ts";
import type { SampledSource } from "./sample.ts";
import type { Shape } from "./source-column.ts";

/** The columns of a row of {@link checksumSql}: part, rows, sum of the digests; then further sums. */
export const CHECKSUM_SHAPES: readonly Shape[] = ["code", "number", "text"];

/** The part of a row, by its digest, in an engine whose digests are unsigned. */
export function partSql(source: SampledSource, names: readonly string[], parts: number): string {
  return parts === 1 ? "0" : `${digestSql(source, names)} % ${parts}`;
}

function digestSql({ dialect, columns }: SampledSource, names: readonly string[]): string {
  const digested = columns
    .filter(({ name }) => names.includes(name))
    .map((column) => ({ sql: columnSql(dialect, column), type: column.type }));
  return dialect.digest(digested);
}

/**
 * The rows of each part, and the sum of the digests of the rows, which does not depend on their order. A digest mixes all values of its row
 * into 64 bits: after any change, exchange, deletion or duplication the sum stays the same with probability 2⁻⁶⁴.
 *
 * @param sums further sums over the rows of a part
 */
export function checksumSql(
  source: SampledSource,
  from: string,
  names: readonly string[],
  parts: number,
  sums: readonly string[] = [],
): string {
  const { dialect } = source;
  const selected = [
    `${partSql(source, names, parts)} AS part_`,
    `${dialect.double("count(*)")} AS n_`,
    `${dialect.text(`sum(${digestSql(source, names)})`)} AS sum_`,
    ...sums.map((sum, s) => `${sum} AS s${s}_`),
  ];
  return `SELECT ${selected.join(", ")} FROM ${from} GROUP BY part_`;
}

/** The checksum of all rows from the sums of their parts. Engines write a sum with its carry, with a sign, or modulo 2⁶⁴. */
export function joinSums(sums: readonly string[]): string {
  const total = sums.reduce((sum, text) => sum + BigInt(text), 0n);
  return BigInt.asUintN(64, total).toString(16).padStart(16, "0");
}
