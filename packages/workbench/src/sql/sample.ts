import type { EngineDialect } from "./dialects/engine-dialect.ts";
import { columnSql } from "./fields.ts";
import type { SourceColumn } from "./source-column.ts";

/** Values of a hash. */
const HASHES = 2 ** 31;

/** What a sample needs to know of a source. */
export interface SampledSource {
  readonly dialect: EngineDialect;
  readonly columns: readonly SourceColumn[];
}

/** A hash of all columns of a row that are numbers, texts, truth values or times, those that no model uses too. */
function rowHash({ dialect, columns }: SampledSource, seed: number): string {
  const keys = columns
    .filter(({ storage }) => storage !== "other")
    .map((column) => {
      const own = columnSql(dialect, column);
      return dialect.hashed?.(own, column.type) ?? own;
    });
  return dialect.hash(keys, seed);
}

/** A condition that about the given share of the rows meets, the same ones for the same seed. */
export function sampleSql(source: SampledSource, share: number, seed: number): string {
  return `${rowHash(source, seed)} < ${Math.ceil(share * HASHES)}`;
}
