import { expect, test } from "vitest";
import { duckdb } from "../support/duckdb.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** Columns by the engine's own names of its types: type, value of row n, whether it is read. */
const TYPES: readonly (readonly [name: string, type: string, value: string, isRead: boolean])[] = [
  ...["TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE"].map(
    (type) => [type, type, "n % 5", true] as const,
  ),
  ...["UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"].map(
    (type) => [type, type, "n % 5", true] as const,
  ),
  ["DECIMAL", "DECIMAL(9, 2)", "n % 5 + 0.5", true],
  ["BOOLEAN", "BOOLEAN", "n % 2 = 0", true],
  ["VARCHAR", "VARCHAR", "'v' || n % 3", true],
  ["UUID", "UUID", "'00000000-0000-0000-0000-00000000000' || n % 3", true],
  ["ENUM", "ENUM ('a, b', 'c]')", "['a, b', 'c]'][n % 2 + 1]", true],
  ["VARCHAR", "JSON", `'{"a": ' || n % 3 || '}'`, true],
  ...["TIME", "TIME WITH TIME ZONE", "TIME_NS"].map(
    (type) => [type, type, "'10:0' || n % 7 || ':00'", true] as const,
  ),
  ...["DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"].map(
    (type) => [type, type, "'2024-01-0' || (1 + n % 7)", true] as const,
  ),
  ["INTERVAL", "INTERVAL", "NULL", false],
  ...["BIT", "BLOB", "BIGNUM", "VARIANT", "GEOMETRY"].map((type) => [type, type, "NULL", false] as const),
  ["LIST", "DECIMAL(9, 2)[]", "[n]", false],
  ["LIST", "INTEGER[]", "[n]", false],
  ["LIST", "ENUM ('a', 'b')[]", "['a']", false],
  ["LIST", "TIMESTAMP[]", "NULL", false],
  ["ARRAY", "DOUBLE[2]", "[n, n]", false],
  ["STRUCT", "STRUCT(a DECIMAL(3, 1), b VARCHAR)", "{'a': 1, 'b': 'x'}", false],
  ["MAP", "MAP(VARCHAR, INTEGER)", "MAP {'a': n}", false],
  ["UNION", "UNION(a INTEGER, b VARCHAR)", "NULL", false],
];
/** What no column of a table can be. */
const NO_COLUMN = ["NULL", "TYPE"];

test("every type that the engine lists is read, or left out by name with the reason, and can be kept", async () => {
  const listed = (await duckdb("SELECT DISTINCT logical_type FROM duckdb_types()")).map(String);
  const known = new Set([...TYPES.map(([name]) => name), ...NO_COLUMN]);
  expect(listed.filter((name) => !known.has(name))).toEqual([]);
  const columns = TYPES.map(([, type, value], t) => `CAST(${value} AS ${type}) AS t${t}`);
  await duckdb(
    `ATTACH '${place.path("types.duckdb")}' AS f (STORAGE_VERSION 'v1.5.0')`,
    `CREATE TABLE f.types AS SELECT ${columns.join(", ")}, CASE WHEN n % 11 > n % 3 THEN 'yes' ELSE 'no' END AS y FROM range(300) AS r(n)`,
  );
  const data = "duckdb:types.duckdb#types";
  const words = ["--label", "y", "--components", "1", "-o", "types.json", "--json"];
  const report = JSON.parse(succeed(["fit", data, ...words], { cwd }).stdout) as {
    columns: { name: string }[];
    ignored: { column: string; reason: string }[];
  };
  const named = (isRead: boolean): string[] =>
    TYPES.flatMap(([, , , read], t) => (read === isRead ? [`t${t}`] : []));
  expect(report.columns.map(({ name }) => name)).toEqual(named(true));
  expect(report.ignored.map(({ column }) => column).sort()).toEqual(named(false).sort());
  for (const { column, reason } of report.ignored)
    expect(reason, column).toMatch(/it is a date or time|its type .* is not a number, text or boolean/);
  const keep = ["--keep", TYPES.map((_, t) => `t${t}`).join(",")];
  for (const output of [
    ["--into", "typed"],
    ["--into", "folder/"],
    ["-o", "typed.parquet"],
    ["-o", "typed.csv"],
    ["-o", "typed.jsonl"],
  ])
    succeed(["predict", "types.json", data, ...keep, ...output], { cwd });
});

test("--na Infinity makes infinite numbers of a table gaps, which are errors without it", async () => {
  await duckdb(
    `ATTACH '${place.path("infinite.duckdb")}' AS f`,
    "CREATE TABLE f.t AS SELECT CASE WHEN n % 10 = 0 THEN 'infinity'::DOUBLE ELSE n % 7 END AS x, CASE WHEN n % 3 = 0 THEN 'yes' ELSE 'no' END AS y FROM range(200) AS r(n)",
  );
  const words = ["fit", "duckdb:infinite.duckdb#t", "--label", "y", "--components", "1", "-o", "i.json"];
  expect(conformant(words, { cwd }).stderr).toMatch(/error\[invalid-value\].*"x".*"?inf/i);
  const report = JSON.parse(succeed([...words, "--json", "--na", "Infinity"], { cwd }).stdout) as {
    columns: { missing: number }[];
  };
  expect(report.columns[0].missing).toBe(20);
});
