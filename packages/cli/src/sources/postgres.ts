import pg from "pg";
import { CliError, quoted, systemError } from "../errors.ts";
import { postgresDialect } from "../sql/postgres-dialect.ts";
import { quoteIdentifier } from "../sql/quote.ts";
import type { Shape, SourceColumn, Storage } from "../sql/source-column.ts";
import { type ServerAddress, withoutPassword } from "./address.ts";
import type { Batch, BatchColumn, Connector } from "./connector.ts";
import type { SourceOptions } from "./source-options.ts";

/** Rows that are fetched at a time. */
const FETCHED = 10_000;
const CONNECT_MS = 15_000;

/** Cursors opened so far, for their names. */
let cursors = 0;

/** Reads a table or a query of a PostgreSQL server; all queries of a run see the same state of the database. */
export async function openPostgres(address: ServerAddress, options: SourceOptions): Promise<Connector> {
  const { table } = address;
  const relation = options.sql
    ? `(${options.sql.trim().replace(/;\s*$/, "")}\n) AS result`
    : tableName(table ?? "");
  const client = new pg.Client({
    connectionString: address.url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "conformant",
  });
  client.on("error", () => undefined); // a broken connection is reported by the query that meets it
  const name = `${withoutPassword(address.url)}${table ? `#${table}` : ""}`;
  try {
    await client.connect();
    await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const columns = await describe(client, relation);
    return {
      name,
      nameInQuery: table ? tableName(table) : "…",
      dialect: postgresDialect,
      remote: true,
      columns,
      prepare: async () => undefined,
      relation: () => relation,
      query: (sql, shapes) => stream(client, sql, shapes, name),
      close: () => client.end(),
    };
  } catch (thrown) {
    await client.end().catch(() => undefined);
    throw postgresError(thrown, name);
  }
}

async function* stream(
  client: pg.Client,
  sql: string,
  shapes: readonly Shape[],
  name: string,
): AsyncGenerator<Batch> {
  const cursor = `conformant_${++cursors}`; // one query may be asked while another is being read
  try {
    await client.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`);
    for (;;) {
      // Arrays of texts: the driver builds no object per row and parses nothing.
      const { rows } = await client.query<(string | null)[]>({
        text: `FETCH ${FETCHED} FROM ${cursor}`,
        rowMode: "array",
        types: { getTypeParser: () => (text: string) => text },
      });
      if (rows.length === 0) break;
      yield { rows: rows.length, columns: shapes.map((shape, c) => readColumn(rows, c, shape)) };
    }
  } catch (thrown) {
    throw postgresError(thrown, name);
  } finally {
    // Also where the reader has seen enough; after an error the transaction is over and the cursor with it.
    await client.query(`CLOSE ${cursor}`).catch(() => undefined);
  }
}

function readColumn(rows: readonly (readonly (string | null)[])[], c: number, shape: Shape): BatchColumn {
  if (shape === "text") return rows.map((row) => row[c]);
  return shape === "number"
    ? Float64Array.from(rows, (row) => Number(row[c]))
    : Int32Array.from(rows, (row) => Number(row[c]));
}

/** The columns of a relation with the category of their types (pg_type.typcategory). */
async function describe(client: pg.Client, relation: string): Promise<SourceColumn[]> {
  const { fields } = await client.query(`SELECT * FROM ${relation} LIMIT 0`);
  const types = await client.query<{ oid: string; typname: string; typcategory: string }>(
    "SELECT oid::text, typname, typcategory FROM pg_type WHERE oid = ANY($1::oid[])",
    [[...new Set(fields.map(({ dataTypeID }) => dataTypeID))]],
  );
  const byId = new Map(types.rows.map((type) => [Number(type.oid), type]));
  return fields.map(({ name, dataTypeID }) => {
    const { typname = "unknown", typcategory = "X" } = byId.get(dataTypeID) ?? {};
    return { name, type: typname, storage: storageOf(typcategory, typname) };
  });
}

function storageOf(category: string, type: string): Storage {
  const storages: Readonly<Record<string, Storage>> = {
    N: "number",
    B: "boolean",
    S: "text",
    E: "text",
    D: "time",
    T: "time",
  };
  if (type === "uuid") return "text";
  return type === "money" ? "other" : (storages[category] ?? "other");
}

function tableName(table: string): string {
  return table.split(".").map(quoteIdentifier).join(".");
}

function postgresError(thrown: unknown, name: string): CliError {
  if (thrown instanceof CliError) return thrown;
  const { code, message } = systemError(thrown);
  if (code === "42P01") return new CliError("missing-file", `${quoted(name)}: ${message}`, { cause: thrown });
  // Class 08 and 57P: connection lost; 28: refused; 3D: no such database; E…: the operating system.
  const connection = /^(08|57P|28|3D|E[A-Z])/.test(code) || /connect|terminat|timeout/i.test(message);
  const text =
    message ||
    (thrown instanceof AggregateError
      ? thrown.errors.map((error) => systemError(error).message).join("; ")
      : code);
  return new CliError(connection ? "connection" : "source", `${quoted(name)}: ${text}`, { cause: thrown });
}
