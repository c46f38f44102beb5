import type { EngineDialect } from "./dialects/engine-dialect.ts";
import { columnSql } from "./fields.ts";
import type { SourceColumn } from "./source-column.ts";

/** The number of values of a hash. */
const HASHES = 2 ** 31;

/** The properties of a source that sampling needs. */
export interface SampledSource {
  readonly dialect: EngineDialect;
  readonly columns: readonly SourceColumn[];
}

/** A hash of all numeric, text, boolean and time columns, including those that no model uses. */
function rowHash({ dialect, columns }: SampledSource, seed: number): string {
  const keys = columns
    .filter(({ storage }) => storage !== "other")
    .map((column) => {
      const own = columnSql(dialect, column);
      return dialect.hashed?.(own, column.type) ?? own;
    });
  return dialect.hash(keys, seed);
}

/** A condition that about this share of the rows meets; the same rows for the same seed. */
export function sampleSql(source: SampledSource, share: number, seed: number): string {
  return `${rowHash(source, seed)} < ${Math.ceil(share * HASHES)}`;
}
