import { clickhouseDialect, duckdbDialect, postgresDialect } from "conformant-workbench/sql";
import { expect, test } from "vitest";
import { parseAddress } from "../../src/sources/address.ts";
import { withConditions } from "../../src/sources/row-conditions.ts";

const since = { column: 'a"b\\', value: "it's \\" };

test("names and values are in the quotes of the engine, to which a backslash may be an escape", () => {
  const sqlOf = (dialect: typeof duckdbDialect, address: string): string | undefined =>
    withConditions(dialect, parseAddress(address), { gaps: [], since }).sql;
  expect(sqlOf(duckdbDialect, "duckdb:birds.db#t")).toBe(
    String.raw`SELECT * FROM "t" WHERE "a""b\" >= 'it''s \'`,
  );
  expect(sqlOf(postgresDialect, "postgres://host/db#t")).toBe(
    String.raw`SELECT * FROM "t" WHERE "a""b\" >= E'it''s \\'`,
  );
  expect(sqlOf(clickhouseDialect, "clickhouse://host#t")).toBe(
    String.raw`SELECT * FROM "t" WHERE "a""b\\" >= 'it''s \\'`,
  );
});

test("PostgreSQL reads a value as the type of the column, whether it looks like a number or not", () => {
  const options = { gaps: [], since: { column: "zip", value: "00123" } };
  expect(withConditions(postgresDialect, parseAddress("postgres://host/db#t"), options).sql).toBe(
    `SELECT * FROM "t" WHERE "zip" >= '00123'`,
  );
});

test("a value stands in quotes, which DuckDB reads as the type of the column, --where in brackets beside it, and a query becomes the table", () => {
  const options = {
    gaps: [],
    sql: "SELECT 1 AS x;",
    where: "x = 1 -- so",
    since: { column: "x", value: "-1.5" },
  };
  expect(withConditions(duckdbDialect, parseAddress("-"), options).sql).toBe(
    `SELECT * FROM (SELECT 1 AS x\n) AS chosen WHERE (x = 1 -- so\n) AND "x" >= '-1.5'`,
  );
});
