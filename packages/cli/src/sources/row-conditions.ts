import { type EngineDialect, splitName } from "conformant-workbench/sql";
import type { Address } from "./address.ts";
import type { SourceOptions } from "./source-options.ts";

/** Conditions on the rows as SQL, in the dialect of the engine that reads them. */
export function withConditions(
  { identifier, constant }: EngineDialect,
  address: Address,
  options: SourceOptions,
): SourceOptions {
  const { sql, where, since } = options;
  const conditions = [
    ...(where === undefined ? [] : [`(${where}\n)`]),
    ...(since === undefined ? [] : [`${identifier(since.column)} >= ${constant(since.value)}`]),
  ];
  if (conditions.length === 0) return options;
  return {
    ...options,
    sql: `SELECT * FROM ${inQuery({ identifier }, address, sql)} WHERE ${conditions.join(" AND ")}`,
  };
}

/** A source as written after FROM: its table, or the query that is read instead. */
export function inQuery(
  { identifier }: Pick<EngineDialect, "identifier">,
  address: Address,
  sql: string | undefined,
): string {
  if (sql !== undefined) return `(${sql.trim().replace(/;\s*$/, "")}\n) AS chosen`;
  if (!("table" in address)) return "data";
  return splitName(address.table ?? "")
    .map(identifier)
    .join(".");
}
