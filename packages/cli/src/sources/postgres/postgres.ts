import type { Storage } from "conformant-workbench";
import { postgresDialect, quoteIdentifier, type SourceColumn, splitName } from "conformant-workbench/sql";
import type { ServerAddress } from "../address.ts";
import type { Connector } from "../connector.ts";
import type { SourceOptions } from "../source-options.ts";
import { isLocked } from "./postgres-errors.ts";
import { PostgresSession } from "./postgres-session.ts";
import { postgresTarget } from "./postgres-target.ts";

/** Opens a table or a query of a PostgreSQL server; all queries of a run see the same snapshot. */
export async function openPostgres(address: ServerAddress, options: SourceOptions): Promise<Connector> {
  const { table, name } = address;
  const relation = options.sql
    ? `(${options.sql.trim().replace(/;\s*$/, "")}\n) AS result`
    : tableName(table ?? "");
  const session = await PostgresSession.open(address);
  try {
    await session.begin();
    const columns = await describePatiently(session, relation, options);
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

/** How long to wait for a locked table before reporting it, in ms. */
const LOCK_PATIENCE = "2s";

/** The columns of a relation. Finding them locks its tables for reading, so that the rest of the transaction can read them. */
async function describePatiently(
  session: PostgresSession,
  relation: string,
  { waiting = () => undefined }: SourceOptions,
): Promise<SourceColumn[]> {
  await session.run(`SET LOCAL lock_timeout = '${LOCK_PATIENCE}'`);
  try {
    const columns = await describe(session, relation);
    await session.run("SET LOCAL lock_timeout TO DEFAULT");
    return columns;
  } catch (thrown) {
    if (!isLocked(thrown)) throw thrown;
    waiting("another session of the database");
    await session.run("ROLLBACK");
    await session.begin();
    return await describe(session, relation);
  }
}

/** The columns of a relation with the category of their types (pg_type.typcategory), their modifiers and their domains. */
async function describe(session: PostgresSession, relation: string): Promise<SourceColumn[]> {
  const { fields } = await session.run(`SELECT * FROM ${relation} LIMIT 0`);
  const { rows } = await session.run(
    `SELECT t.typname, t.typcategory, format_type(f.type, f.modifier) FROM unnest($1::oid[], $2::int[]) WITH ORDINALITY AS f(type, modifier, place) JOIN pg_type AS t ON t.oid = f.type ORDER BY f.place`,
    [fields.map(({ dataTypeID }) => dataTypeID), fields.map(({ dataTypeModifier }) => dataTypeModifier)],
  );
  const domains = await domainsOf(session, relation, fields.length);
  return fields.map(({ name }, f) => {
    const [type, category, defined] = rows[f];
    const baseType = defined ?? "text";
    const storage = storageOf(category ?? "X", type ?? "");
    return { name, type: type ?? "unknown", storage, baseType, definedAs: domains[f] ?? baseType };
  });
}

/** Columns per query of their domains: a row has at most 1,600. */
const TOGETHER = 1000;

/** The domain of each column, or null; the description of a result has only the underlying type. */
async function domainsOf(
  session: PostgresSession,
  relation: string,
  width: number,
): Promise<(string | null)[]> {
  const names = Array.from({ length: width }, (_, c) => `c${c}`);
  const found: (string | null)[] = [];
  for (let start = 0; start < width; start += TOGETHER) {
    const part = names.slice(start, start + TOGETHER);
    const { rows } = await session.run(
      `SELECT CASE WHEN t.typtype = 'd' THEN format_type(t.oid, NULL) END FROM (SELECT ARRAY[${part.map((name) => `pg_typeof(${name})`).join(", ")}] AS types FROM (SELECT 1) AS one LEFT JOIN (SELECT * FROM ${relation} LIMIT 0) AS source(${names.join(", ")}) ON true) AS described, unnest(types) WITH ORDINALITY AS f(type, place) JOIN pg_type AS t ON t.oid = f.type ORDER BY f.place`,
    );
    found.push(...rows.map(([domain]) => domain));
  }
  return found;
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
