import { quoteIdentifier, quoteLiteral, quoteWithBackslash } from "../../../../workbench/src/sql/quote.ts";
import type { Shard } from "../clickhouse.ts";
import { duckdb } from "../duckdb.ts";
import type { PostgresServer } from "../postgres.ts";
import type { AwkwardTable, Cell } from "./awkward-table.ts";

/** Statements that make a table in SQL. */
function statements(
  { columns }: AwkwardTable,
  table: string,
  types: { readonly number: string; readonly text: string },
  write: { readonly name: (name: string) => string; readonly cell: (cell: Cell) => string },
  engine = "",
): string[] {
  const defined = columns.map(
    ({ name, isNumber }) => `${write.name(name)} ${isNumber ? types.number : types.text}`,
  );
  const rows = columns[0].cells.map(
    (_, r) => `(${columns.map(({ cells }) => write.cell(cells[r])).join(", ")})`,
  );
  return [
    `CREATE TABLE ${table} (${defined.join(", ")})${engine}`,
    `INSERT INTO ${table} VALUES ${rows.join(", ")}`,
  ];
}

/** The same bits in every engine: decimal digits may be rounded by an engine, hexadecimal ones not. */
function bitsOf(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString("hex");
}

/** Writes a DuckDB file and a Parquet file; names that differ only in case are one to DuckDB. */
export async function writeDuckdb(table: AwkwardTable, folder: string): Promise<void> {
  const cell = (value: Cell): string =>
    value === null
      ? "NULL"
      : typeof value === "number"
        ? `${quoteLiteral(signed(value))}::DOUBLE`
        : quoteLiteral(value);
  const made = statements(
    table,
    "d.rows",
    { number: "DOUBLE", text: "VARCHAR" },
    { name: quoteIdentifier, cell },
  );
  await duckdb(
    `ATTACH '${folder}/rows.db' AS d`,
    ...made,
    `COPY d.rows TO '${folder}/rows.parquet' (FORMAT parquet)`,
  );
}

function signed(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Makes the tables of a PostgreSQL server, called t and their seeds. */
export function writePostgres(tables: readonly AwkwardTable[], server: PostgresServer): void {
  const cell = (value: Cell): string =>
    value === null ? "NULL" : typeof value === "number" ? `'${signed(value)}'::float8` : quoteLiteral(value);
  const all = tables.flatMap((table) =>
    statements(table, `t${table.seed}`, { number: "float8", text: "text" }, { name: quoteIdentifier, cell }),
  );
  server.run(all.map((statement) => `${statement};`).join("\n"));
}

/** Makes the tables of a ClickHouse server, called t and their seeds. */
export async function writeClickhouse(tables: readonly AwkwardTable[], shard: Shard): Promise<void> {
  const cell = (value: Cell): string => {
    if (value === null) return "NULL";
    return typeof value === "number"
      ? `reinterpretAsFloat64(unhex('${bitsOf(value)}'))`
      : quoteWithBackslash(value, "'");
  };
  const types = { number: "Nullable(Float64)", text: "Nullable(String)" };
  const name = (text: string): string => quoteWithBackslash(text, "`");
  for (const table of tables)
    for (const statement of statements(table, `t${table.seed}`, types, { name, cell }, " ENGINE = Memory"))
      await shard.run(statement);
}
