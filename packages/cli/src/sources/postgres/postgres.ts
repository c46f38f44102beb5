import type { Storage } from "conformant-workbench";
import { postgresDialect, quoteIdentifier, type SourceColumn, splitName } from "conformant-workbench/sql";
import type { ServerAddress } from "../address.ts";
import type { Connector } from "../connector.ts";
import type { SourceOptions } from "../source-options.ts";
import { PostgresSession } from "./postgres-session.ts";
import { postgresTarget } from "./postgres-target.ts";

/** Reads a table or a query of a PostgreSQL server; all queries of a run see the same state of the database. */
export async function openPostgres(address: ServerAddress, options: SourceOptions): Promise<Connector> {
  const { table, name } = address;
  const relation = options.sql
    ? `(${options.sql.trim().replace(/;\s*$/, "")}\n) AS result`
    : tableName(table ?? "");
  const session = await PostgresSession.open(address);
  try {
    await session.begin();
    const columns = await describe(session, relation);
    return {
      name,
      nameInQuery: table ? tableName(table) : "…",
      dialect: postgresDialect,
      remote: true,
      keepsRows: options.sql ? undefined : "snapshot", // a query may be random
      columns,
      prepare: async () => undefined,
      relation: () => relation,
      query: (sql, shapes, size) => session.stream(sql, shapes, size),
      lines: (sql) => session.lines(sql),
      target: (into) => postgresTarget(address, into, columns),
      close: () => session.close(),
    };
  } catch (thrown) {
    await session.close();
    throw thrown;
  }
}

/** The columns of a relation with the category of their types (pg_type.typcategory). */
async function describe(session: PostgresSession, relation: string): Promise<SourceColumn[]> {
  const { fields } = await session.run(`SELECT * FROM ${relation} LIMIT 0`);
  const { rows } = await session.run(
    "SELECT oid::text, typname, typcategory, format_type(oid, -1) FROM pg_type WHERE oid = ANY($1::oid[])",
    [[...new Set(fields.map(({ dataTypeID }) => dataTypeID))]],
  );
  const byId = new Map(rows.map(([oid, ...type]) => [Number(oid), type]));
  return fields.map(({ name, dataTypeID }) => {
    const [type, category, definedAs] = byId.get(dataTypeID) ?? [];
    const storage = storageOf(category ?? "X", type ?? "");
    return { name, type: type ?? "unknown", storage, definedAs: definedAs ?? "text" };
  });
}

/** Numbers that can be cast to a double; oid and money cannot. */
const NUMBERS = /^(int[248]|float[48]|numeric)$/;

function storageOf(category: string, type: string): Storage {
  if (NUMBERS.test(type)) return "number";
  if (type === "uuid") return "text";
  const storages: Readonly<Record<string, Storage>> = {
    B: "boolean",
    S: "text",
    E: "text",
    D: "time",
    T: "time",
  };
  return storages[category] ?? "other";
}

function tableName(table: string): string {
  return splitName(table).map(quoteIdentifier).join(".");
}
