import { type EngineDialect, splitName } from "conformant-workbench/sql";
import type { Address } from "./address.ts";
import type { SourceOptions } from "./source-options.ts";

/** Conditions on the rows as a query, in the words of the engine that reads them. */
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
  const table =
    "table" in address
      ? splitName(address.table ?? "")
          .map(identifier)
          .join(".")
      : "data";
  const from = sql === undefined ? table : `(${sql.trim().replace(/;\s*$/, "")}\n) AS chosen`;
  return { ...options, sql: `SELECT * FROM ${from} WHERE ${conditions.join(" AND ")}` };
}
