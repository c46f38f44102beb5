import { columnsHash, type SampledSource } from "./sample.ts";
import type { Shape } from "./source-column.ts";

/** The columns of a row of {@link checksumSql}: part, rows, sum; behind them what else is added up. */
export const CHECKSUM_SHAPES: readonly Shape[] = ["code", "number", "text"];

/** The part, of so many, that a row falls into by the values of some columns. */
export function partSql(source: SampledSource, names: readonly string[], parts: number): string {
  return parts === 1 ? "0" : `${columnsHash(source, names, 0)} % ${parts}`;
}

/**
 * The rows of each part, and the sum of their hashes, which does not depend on their order.
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
  const hash = columnsHash(source, names, 0);
  const selected = [
    `${partSql(source, names, parts)} AS part_`,
    `${dialect.double("count(*)")} AS n_`,
    `${dialect.text(`sum(${hash})`)} AS sum_`,
    ...sums.map((sum, s) => `${sum} AS s${s}_`),
  ];
  return `SELECT ${selected.join(", ")} FROM ${from} GROUP BY part_`;
}
