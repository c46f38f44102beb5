import { columnsHash, type SampledSource } from "./sample.ts";
import type { Shape } from "./source-column.ts";

/** The columns of a row of {@link checksumSql}: part, rows, sum. */
export const CHECKSUM_SHAPES: readonly Shape[] = ["code", "number", "text"];

/** The part, of so many, that a row falls into by the values of some columns. */
export function partSql(source: SampledSource, names: readonly string[], parts: number): string {
  return parts === 1 ? "0" : `${columnsHash(source, names, 0)} % ${parts}`;
}

/** The rows of each part, and the sum of their hashes, which does not depend on their order. */
export function checksumSql(
  source: SampledSource,
  from: string,
  names: readonly string[],
  parts: number,
): string {
  const { dialect } = source;
  const hash = columnsHash(source, names, 0);
  const stages = [[["hash_", hash]]] as const;
  const part = parts === 1 ? "0" : `hash_ % ${parts}`;
  const select = `${part} AS part_, ${dialect.double("count(*)")} AS n_, ${dialect.text("sum(hash_)")} AS sum_`;
  return dialect.staged({ from, stages }, select, "GROUP BY part_");
}
