import { quoteIdentifier, quoteLiteral, splitName } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { callEngine } from "../output/cleanup.ts";
import { type Address, parseAddress } from "./address.ts";
import type { Connector } from "./connector.ts";
import type { SourceOptions } from "./source-options.ts";

/** Opens DATA. An engine's driver is loaded only when it is needed. */
export async function openSource(data: string, wanted: SourceOptions): Promise<Connector> {
  const address = parseAddress(data);
  if ("table" in address && !address.table && !wanted.sql) {
    throw new CliError("usage", `${quoted(address.name)} names no table`, {
      hint: 'put #table behind the address, or give --sql "SELECT …"',
    });
  }
  const connector = await open(address, withConditions(address, wanted));
  if (connector.columns.length > 0) return connector;
  await connector.close();
  throw new CliError("empty-data", `${quoted(connector.name)} has no columns, expected at least one`);
}

async function open(address: Address, options: SourceOptions): Promise<Connector> {
  if (!("host" in address)) {
    const { openDuckdb } = await callEngine(() => import("./duckdb/duckdb.ts"));
    return openDuckdb(address, options);
  }
  if (address.engine === "postgres")
    return (await import("./postgres/postgres.ts")).openPostgres(address, options);
  return (await import("./clickhouse/clickhouse.ts")).openClickhouse(address, options);
}

/** Conditions on the rows as a query. */
function withConditions(address: Address, options: SourceOptions): SourceOptions {
  const { sql, where, since } = options;
  const conditions = [
    ...(where === undefined ? [] : [`(${where}\n)`]),
    ...(since === undefined ? [] : [`${quoteIdentifier(since.column)} >= ${valueSql(since.value)}`]),
  ];
  if (conditions.length === 0) return options;
  const table =
    "table" in address
      ? splitName(address.table ?? "")
          .map(quoteIdentifier)
          .join(".")
      : "data";
  const from = sql === undefined ? table : `(${sql.trim().replace(/;\s*$/, "")}\n) AS chosen`;
  return { ...options, sql: `SELECT * FROM ${from} WHERE ${conditions.join(" AND ")}` };
}

/** A number as it stands, all else as a text, which engines read as the type of the column. */
function valueSql(value: string): string {
  return /^-?\d+(\.\d+)?$/.test(value) ? value : quoteLiteral(value);
}
