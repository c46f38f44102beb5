import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteIdentifier, quoteLiteral } from "../sql/quote.ts";
import type { SourceColumn, Storage } from "../sql/source-column.ts";
import type { Address, ServerAddress } from "./address.ts";
import type { ReadingPlan } from "./connector.ts";
import { type Ask, type CsvFormat, detectCsv, readCsvSql } from "./csv-format.ts";
import type { SourceOptions } from "./source-options.ts";

export type DuckdbAddress = Exclude<Address, ServerAddress>;

/** A source as it was found: its columns, and the SQL that reads it once the types are settled. */
export interface OpenedSource {
  readonly columns: readonly SourceColumn[];
  /** The SQL that reads it and the columns as they are then. */
  readonly settle: (plan: ReadingPlan) => {
    readonly relation: string;
    readonly columns: readonly SourceColumn[];
  };
  readonly isQuery: boolean;
  /** Lines before the first row, for messages. */
  readonly headerLines: number;
}

/** Finds out what a source holds. */
export async function describeSource(
  connection: DuckDBConnection,
  address: DuckdbAddress,
  file: string,
  options: SourceOptions,
): Promise<OpenedSource> {
  const ask = asker(connection);
  if (address.engine === "duckdb") {
    await connection.run(`ATTACH ${quoteLiteral(file)} AS source (READ_ONLY)`);
    if (options.sql) await connection.run("USE source");
    return describeRelation(ask, tableRelation(address.table, options.sql), options.sql !== undefined);
  }
  const format = address.engine === "file" ? address.format : "csv";
  if (format === "csv") return describeCsv(connection, ask, await detectCsv(ask, file, options), options.sql);
  const reader =
    format === "json" ? `read_json_auto(${quoteLiteral(file)})` : `read_parquet(${quoteLiteral(file)})`;
  if (!options.sql) return describeRelation(ask, reader, false);
  await connection.run(`CREATE TEMP VIEW data AS SELECT * FROM ${reader}`);
  return describeRelation(ask, queryRelation(options.sql), true);
}

function tableRelation(table: string | undefined, sql: string | undefined): string {
  if (sql) return queryRelation(sql);
  const parts = (table ?? "").split(".");
  return ["source", ...(parts.length === 1 ? ["main"] : []), ...parts].map(quoteIdentifier).join(".");
}

function queryRelation(sql: string): string {
  return `(${sql.trim().replace(/;\s*$/, "")}\n) AS result`;
}

async function describeRelation(ask: Ask, relation: string, isQuery: boolean): Promise<OpenedSource> {
  const rows = await ask(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${relation})`, 2);
  const columns = rows.map(([name, type]) => ({
    name: name ?? "",
    type: type ?? "",
    storage: storageOf(type ?? ""),
  }));
  return { columns, settle: () => ({ relation, columns }), isQuery, headerLines: 0 };
}

async function describeCsv(
  connection: DuckDBConnection,
  ask: Ask,
  format: CsvFormat,
  sql: string | undefined,
): Promise<OpenedSource> {
  if (sql) {
    await connection.run(`CREATE TEMP VIEW data AS SELECT * FROM ${readCsvSql(format, (_, type) => type)}`);
    return describeRelation(ask, queryRelation(sql), true);
  }
  const columns = format.columns.map(({ name, type }) => ({ name, type, storage: storageOf(type) }));
  const settle = ({ asText }: ReadingPlan): ReturnType<OpenedSource["settle"]> => {
    const settled = columns.map(
      (column): SourceColumn => (asText.has(column.name) ? textColumn(column) : column),
    );
    const types = new Map(
      settled.map(({ name, storage, type }) => [name, storage === "number" ? "DOUBLE" : type]),
    );
    return { relation: readCsvSql(format, (name) => types.get(name) ?? "VARCHAR"), columns: settled };
  };
  return { columns, settle, isQuery: false, headerLines: format.skip + (format.header ? 1 : 0) };
}

/** A column to be read as it stands in the file; true and True are one value all the same. */
function textColumn(column: SourceColumn): SourceColumn {
  return column.storage === "boolean" ? column : { ...column, type: "VARCHAR", storage: "text" };
}

function asker(connection: DuckDBConnection): Ask {
  return async (sql, width) => {
    const rows = await (await connection.run(sql)).getRows();
    return rows.map((row) =>
      Array.from({ length: width }, (_, c) => (row[c] === null ? null : String(row[c]))),
    );
  };
}

function storageOf(type: string): Storage {
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|DECIMAL.*)$/.test(type)) return "number";
  if (type === "BOOLEAN") return "boolean";
  if (/^(VARCHAR|UUID|JSON|ENUM.*)$/.test(type)) return "text";
  return /^(DATE|TIME.*|INTERVAL)$/.test(type) ? "time" : "other";
}
