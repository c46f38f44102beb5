import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Random, random } from "conformant";
import { CHECKSUM_SHAPES, checksumSql, joinSums } from "conformant-workbench/sql";
import { expect } from "vitest";
import { openSource } from "../../src/sources/open-source.ts";
import type { Cluster } from "./clickhouse.ts";
import { duckdb } from "./duckdb.ts";
import type { PostgresServer } from "./postgres.ts";

/** A cell as SQL writes it; null is a missing value. */
type Cell = string | null;
type Row = readonly Cell[];

/** A place that holds rows of {@link COLUMNS}. */
export interface UpdatedSource {
  readonly data: string;
  /** Puts the rows in place of those that it holds. */
  readonly put: (rows: readonly Row[]) => Promise<void>;
}

/** Columns by type, each with values that are easily mistaken for one another. */
const COLUMNS = {
  id: ["1", "4294967297", "8589934594", "9007199254740992", "9007199254740993", "-1", "0"],
  a: ["0", "1", "2", "3", null],
  b: ["0", "1", "2", "3", null],
  // DuckDB keeps -0 as 0, and ClickHouse 18.16 reads 5e-324 as 0.
  x: ["0", "1.5", "3", "1e-300", "0.1", "0.30000000000000004", null],
  t: ["''", "' '", "'a'", "'b'", "'0'", "'null'", "'a,b'", "'a\"b'", null],
  d: ["1", "1.000000000000000002", "1.000000000000000003", "-1", "0", null],
} as const satisfies Record<string, readonly Cell[]>;
const NAMES = Object.keys(COLUMNS);
const DOMAINS: readonly (readonly Cell[])[] = Object.values(COLUMNS);

export function postgresUpdates(server: PostgresServer): UpdatedSource {
  return {
    data: `${server.url}#updated`,
    put: async (rows) => {
      const types = "id bigint, a integer, b integer, x float8, t text, d numeric";
      const values = valuesSql(rows, (cell, c) => (NAMES[c] === "x" ? `'${cell}'` : cell));
      server.run(
        `DROP TABLE IF EXISTS updated; CREATE TABLE updated (${types}); INSERT INTO updated VALUES ${values}`,
      );
    },
  };
}

export function clickhouseUpdates({ shards: [shard], address }: Cluster): UpdatedSource {
  return {
    data: `${address}#updated`,
    put: async (rows) => {
      const types =
        "id Int64, a Nullable(Int32), b Nullable(Int32), x Nullable(Float64), t Nullable(String), d Nullable(Decimal(38, 18))";
      await shard.run("DROP TABLE IF EXISTS updated");
      await shard.run(`CREATE TABLE updated (${types}) ENGINE = Memory`);
      await shard.run(`INSERT INTO updated VALUES ${valuesSql(rows)}`);
    },
  };
}

const DUCKDB_TYPES = ["BIGINT", "INTEGER", "INTEGER", "DOUBLE", "VARCHAR", "DECIMAL(38, 18)"];
const inDuckdb = (rows: readonly Row[]): string => {
  const typed = NAMES.map((name, c) => `CAST(c${c} AS ${DUCKDB_TYPES[c]}) AS ${name}`).join(", ");
  const names = NAMES.map((_, c) => `c${c}`).join(", ");
  const values = valuesSql(rows, (cell, c) => (NAMES[c] === "t" ? cell : `'${cell}'`));
  return `SELECT ${typed} FROM (VALUES ${values}) AS cells(${names})`;
};

export function duckdbUpdates(folder: string): UpdatedSource {
  const file = join(folder, "updated.db");
  return {
    data: `duckdb:${file}#updated`,
    put: async (rows) => {
      await duckdb(`ATTACH '${file}' AS f`, `CREATE OR REPLACE TABLE f.updated AS ${inDuckdb(rows)}`);
    },
  };
}

export function parquetUpdates(folder: string): UpdatedSource {
  const file = join(folder, "updated.parquet");
  return {
    data: file,
    put: async (rows) => {
      rmSync(file, { force: true });
      await duckdb(`COPY (${inDuckdb(rows)}) TO '${file}'`);
    },
  };
}

/** CSV has texts alone; a missing value is one of them. */
export function csvUpdates(folder: string): UpdatedSource {
  const file = join(folder, "updated.csv");
  const field = (cell: Cell): string =>
    cell === null ? "NA" : `"${cell.replaceAll("'", "").replaceAll('"', '""')}"`;
  return {
    data: file,
    put: async (rows) =>
      writeFileSync(file, [NAMES, ...rows.map((row) => row.map(field))].map((row) => `${row}\n`).join("")),
  };
}

function valuesSql(
  rows: readonly Row[],
  write: (cell: string, column: number) => string = (cell) => cell,
): string {
  return rows
    .map((row) => `(${row.map((cell, c) => (cell === null ? "NULL" : write(cell, c))).join(", ")})`)
    .join(", ");
}

/** The checksum of the rows as `predict --into` and `fit` take it. */
async function checksumOf({ data }: UpdatedSource): Promise<string> {
  const connector = await openSource(data, { gaps: [] });
  try {
    await connector.prepare({ columns: NAMES });
    const sums: string[] = [];
    const sql = checksumSql(connector, connector.relation(), NAMES, 1);
    for await (const { rows, columns } of connector.query(sql, CHECKSUM_SHAPES, "few"))
      for (let r = 0; r < rows; r++) sums.push(`${columns[1][r]} ${columns[2][r]}`);
    return `${sums.map((sum) => sum.split(" ")[0])} ${joinSums(sums.map((sum) => sum.split(" ")[1]))}`;
  } finally {
    await connector.close();
  }
}

/** The ways in which rows change between two runs; each gives the rows afterwards, perhaps the same. */
const UPDATES: readonly ((rows: readonly Row[], generator: Random) => Row[])[] = [
  // One cell.
  (rows, generator) => {
    const [r, c] = [generator.integer(rows.length), generator.integer(NAMES.length)];
    return withCell(rows, r, c, pick(DOMAINS[c], generator));
  },
  // Two rows exchange the values of a column.
  (rows, generator) => {
    const [r, s] = [generator.integer(rows.length), generator.integer(rows.length)];
    const c = generator.integer(NAMES.length);
    return withCell(withCell(rows, r, c, rows[s][c]), s, c, rows[r][c]);
  },
  // A row exchanges the values of two columns of one type.
  (rows, generator) => {
    const r = generator.integer(rows.length);
    return withCell(withCell(rows, r, 1, rows[r][2]), r, 2, rows[r][1]);
  },
  // A whole column moves on by one row.
  (rows, generator) => {
    const c = generator.integer(NAMES.length);
    return rows.map((row, r) => row.map((cell, d) => (d === c ? rows[(r + 1) % rows.length][c] : cell)));
  },
  // A value that one row loses and another one gets.
  (rows, generator) => {
    const [r, s] = [generator.integer(rows.length), generator.integer(rows.length)];
    const c = 1 + generator.integer(NAMES.length - 1);
    return withCell(withCell(rows, s, c, rows[r][c]), r, c, null);
  },
  (rows, generator) => {
    const deleted = pick(rows, generator);
    return rows.filter((row) => row !== deleted);
  },
  (rows, generator) => [...rows, pick(rows, generator)],
  // One row is deleted and another doubled.
  (rows, generator) => [...rows.slice(1), pick(rows, generator)],
  // Rows in another order are the same rows.
  (rows) => [...rows].reverse(),
];

function withCell(rows: readonly Row[], r: number, c: number, cell: Cell): Row[] {
  return rows.map((row, s) => (s === r ? row.map((own, d) => (d === c ? cell : own)) : row));
}

function pick<Item>(items: readonly Item[], generator: Random): Item {
  return items[generator.integer(items.length)];
}

/** Updates rows at random, and throws unless the checksum changes exactly when the rows do. */
export async function expectNoticed(source: UpdatedSource, updates: number, seed: number): Promise<void> {
  const generator = random(seed);
  const fresh = (): Row[] =>
    Array.from({ length: 2 + generator.integer(12) }, () => DOMAINS.map((domain) => pick(domain, generator)));
  let rows = fresh();
  const known = new Map<string, string>();
  await source.put(rows);
  let [before, checksum] = [stateOf(rows), await checksumOf(source)];
  for (let noticed = 0; noticed < updates; ) {
    const changed = rows.length < 2 || rows.length > 20 ? fresh() : pick(UPDATES, generator)(rows, generator);
    if (changed.length === 0) continue;
    await source.put(changed);
    const [state, now] = [stateOf(changed), await checksumOf(source)];
    const told = { from: before, to: state, changed: now !== checksum };
    expect(told).toEqual({ from: before, to: state, changed: state !== before });
    expect(known.get(now) ?? state).toBe(state); // no checksum of other rows comes again
    known.set(now, state);
    if (state !== before) noticed++;
    [rows, before, checksum] = [changed, state, now];
  }
}

/** The rows whatever their order. */
function stateOf(rows: readonly Row[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join("\n");
}
