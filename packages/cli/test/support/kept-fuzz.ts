import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { random } from "conformant";
import { writeList } from "conformant-workbench";
import { clickhouseDialect, quoteIdentifier, quoteLiteral } from "conformant-workbench/sql";
import { writeField } from "../../src/sources/files/tab-separated.ts";
import type { Shard } from "./clickhouse.ts";
import { duckdb } from "./duckdb.ts";
import { type HostileColumn, type HostileKind, hostileColumns } from "./hostile-tables.ts";
import type { PostgresServer } from "./postgres.ts";
import { runInProcess } from "./run-in-process.ts";

/** Where tables are put, and the models to ask: of one component, and of two. */
export interface FuzzPlace {
  readonly folder: string;
  readonly models: readonly string[];
  readonly postgres: PostgresServer | undefined;
  readonly clickhouse: { readonly shard: Shard; readonly address: string } | undefined;
}

type Cells = readonly (readonly (string | null)[])[];

/** A source that holds a table: what DATA says, what a query calls the table, and the table as the engine itself writes it. */
interface Loaded {
  readonly data: string;
  readonly table: string;
  /** Column by column, as texts. */
  readonly own: Cells;
  /** Where --into writes a table, and how that is read: texts of the kept columns in the order of the rows, and their types. */
  readonly into?: {
    readonly read: (
      names: readonly string[],
    ) => Promise<{ cells: Cells; types: string[]; ownTypes: string[] }>;
  };
}

const SOURCES = ["csv", "jsonl", "parquet", "duckdb", "postgres", "clickhouse"] as const;
const FILTERS = ["none", "where", "since", "sql"] as const;
const TARGETS = ["csv", "jsonl", "parquet", "folder", "table"] as const;

export interface FuzzCase {
  readonly source: (typeof SOURCES)[number];
  readonly filter: (typeof FILTERS)[number];
  readonly target: (typeof TARGETS)[number];
  /** 0 and 1: the models; 2: the first, with an added column, which is computed row by row. */
  readonly how: 0 | 1 | 2;
}

/** What came of a run: cells that were compared, and sentences about those that differ. */
export interface FuzzOutcome {
  readonly cells: number;
  readonly differences: readonly string[];
}

/** All combinations of a source, a filter and a target that there are. */
export function allCases(): FuzzCase[] {
  return SOURCES.flatMap((source) =>
    FILTERS.flatMap((filter) =>
      TARGETS.filter((target) => target !== "table" || !["csv", "jsonl", "parquet"].includes(source)).map(
        (target, t) => ({ source, filter, target, how: ((t + filter.length) % 3) as FuzzCase["how"] }),
      ),
    ),
  );
}

/** Puts random tables, side by side in one, through the given combinations and compares every cell with the engine's own copy. */
export async function fuzzKept(
  place: FuzzPlace,
  seed: number,
  tables: number,
  rows: number,
  cases: readonly FuzzCase[],
): Promise<FuzzOutcome> {
  const columns = hostileColumns(random(seed).uniform, tables, rows);
  const differences: string[] = [];
  let cells = 0;
  for (const source of new Set(cases.map((one) => one.source))) {
    const held = columns.filter(({ kind }) => source !== "clickhouse" || kind !== "wide");
    const loaded = await LOADERS[source](place, held, rows);
    for (const one of cases.filter((other) => other.source === source)) {
      const label = `seed ${seed}, ${source}, ${one.filter}, ${one.target}, ${one.how}`;
      const found = await keep(place, one, loaded, held).catch((thrown: unknown) => String(thrown));
      if (typeof found === "string") {
        differences.push(`${label}: ${found}`);
        continue;
      }
      held.forEach(({ name, kind }, c) => {
        for (let r = 0; r < rows; r++) {
          cells++;
          const [own, other] = [loaded.own[c][r], found[c]?.[r]];
          if (!isSame(own, other, kind, one))
            differences.push(
              `${label}, row ${r}, ${kind} ${JSON.stringify(name)}: ${JSON.stringify(own)} became ${JSON.stringify(other)}`,
            );
        }
      });
    }
  }
  return { cells, differences };
}

/** Nothing and an empty text are one in CSV; numbers of servers are the same double in Parquet, which DuckDB writes otherwise. */
function isSame(
  own: string | null,
  other: string | null | undefined,
  kind: HostileKind,
  { source, target }: FuzzCase,
): boolean {
  if (other === undefined) return false;
  if (own === other) return true;
  if (source === "csv" || target === "csv") return (own ?? "") === (other ?? "");
  const isTyped = target === "parquet" || target === "folder";
  return (
    isTyped && kind === "double" && own !== null && other !== null && Object.is(Number(own), Number(other))
  );
}

async function keep(
  { folder, models }: FuzzPlace,
  { filter, target, how }: FuzzCase,
  { data, table, into }: Loaded,
  columns: readonly HostileColumn[],
): Promise<Cells> {
  const names = columns.map(({ name }) => name);
  const output = join(folder, target === "folder" ? "out/" : `out.${target}`);
  rmSync(output, { recursive: true, force: true });
  const filters = {
    none: [],
    where: ["--where", "x >= 0"],
    since: ["--since", "x=0"],
    sql: ["--sql", `SELECT * FROM ${table} WHERE x >= 0`],
  };
  const { status, said } = await runInProcess([
    "predict",
    models[how === 1 ? 1 : 0],
    filter === "sql" && table !== "data" ? data.replace(/#.*/, "") : data,
    "--keep",
    writeList(["row_", ...names], ","),
    ...(target === "table"
      ? ["--into", "kept", "--run", "r", "--replace"]
      : target === "folder"
        ? ["--into", output, "--run", "r"]
        : ["-o", output]),
    ...(target === "csv" ? ["--raw"] : []),
    ...(how === 2 ? ["--surprise"] : []),
    ...filters[filter],
    ...(/\.csv$/.test(data) ? ["--header", "yes"] : []),
  ]);
  if (status !== 0) throw new Error(said);
  if (target === "csv") return columnsOf(parseCsv(readFileSync(output, "utf8")), names);
  if (target === "jsonl") return parseLines(readFileSync(output, "utf8"), names);
  if (target === "table" && into) {
    const { cells, types, ownTypes } = await into.read(names);
    if (JSON.stringify(types) !== JSON.stringify(ownTypes))
      throw new Error(`types ${types.join(", ")} of ${ownTypes.join(", ")}`);
    return cells;
  }
  return readTexts(
    `read_parquet(${quoteLiteral(target === "folder" ? join(output, "run=r.parquet") : output)})`,
    names,
    quoteIdentifier,
  );
}

/** Columns as texts of DuckDB's, in the order of the rows. */
async function readTexts(
  relation: string,
  names: readonly string[],
  quote: (name: string) => string,
  ...before: string[]
): Promise<Cells> {
  const texts = names.map((name) => `CAST(${quote(name)} AS VARCHAR)`);
  const found = await duckdb(
    ...before,
    `SELECT ${texts.join(", ")} FROM ${relation} ORDER BY CAST(row_ AS BIGINT)`,
  );
  return transpose(found as (string | null)[][], names.length);
}

function transpose(rows: readonly (readonly (string | null)[])[], width: number): Cells {
  return Array.from({ length: width }, (_, c) => rows.map((row) => row[c]));
}

/** The named columns of a table whose first row has the names; its rows have their numbers in row_. */
function columnsOf([names, ...rows]: readonly (readonly string[])[], wanted: readonly string[]): Cells {
  const at = names.indexOf("row_");
  const sorted = [...rows].sort((a, b) => Number(a[at]) - Number(b[at]));
  return wanted.map((name) => sorted.map((row) => row[names.indexOf(name)]));
}

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows[rows.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** Objects whose numbers stay as they are written. */
function parseLines(text: string, names: readonly string[]): Cells {
  const objects = text
    .trimEnd()
    .split("\n")
    .map(
      (line) =>
        JSON.parse(
          line.replace(/"(?:[^"\\]|\\.)*"|-?\d[-+.\deE]*/g, (token) =>
            token.startsWith('"') ? token : `"${token}"`,
          ),
        ) as Record<string, string | null>,
    )
    .sort((a, b) => Number(a.row_) - Number(b.row_));
  return names.map((name) => objects.map((object) => object[name]));
}

type Loader = (place: FuzzPlace, columns: readonly HostileColumn[], rows: number) => Promise<Loaded>;

const LOADERS: Readonly<Record<FuzzCase["source"], Loader>> = {
  csv: async ({ folder }, columns, rows) => {
    const data = join(folder, "fuzz.csv");
    const quote = (text: string): string =>
      /^[\w.]+$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
    const line = (cells: readonly string[]): string => `${cells.map(quote).join(",")}\n`;
    const header = line(["row_", "x", ...columns.map(({ name }) => name)]);
    const body = Array.from({ length: rows }, (_, r) =>
      line([`${r}`, `${r % 8}`, ...columns.map(({ values }) => values[r] ?? "")]),
    );
    writeFileSync(data, header + body.join(""));
    return { data, table: "data", own: columns.map(({ values }) => values) };
  },
  jsonl: async ({ folder }, columns, rows) => {
    const data = join(folder, "fuzz.jsonl");
    const value = ({ kind, values }: HostileColumn, r: number): string => {
      const text = values[r];
      return text !== null && ["key", "wide", "decimal", "double"].includes(kind)
        ? text
        : JSON.stringify(text);
    };
    const line = (r: number): string =>
      `{"row_":${r},"x":${r % 8},${columns.map((column) => `${JSON.stringify(column.name)}:${value(column, r)}`).join(",")}}\n`;
    writeFileSync(data, Array.from({ length: rows }, (_, r) => line(r)).join(""));
    return { data, table: "data", own: columns.map(({ values }) => values) };
  },
  parquet: async (place, columns, rows) => {
    const data = join(place.folder, "fuzz.parquet");
    const statements = loadDuckdb(columns, rows);
    await duckdb(...statements, `COPY t TO ${quoteLiteral(data)} (FORMAT parquet)`);
    const own = await readTexts(
      `read_parquet(${quoteLiteral(data)})`,
      columns.map(({ name }) => name),
      quoteIdentifier,
    );
    return { data, table: "data", own };
  },
  duckdb: async ({ folder }, columns, rows) => {
    const file = join(folder, "fuzz.duckdb");
    for (const path of [file, `${file}.wal`]) if (existsSync(path)) rmSync(path);
    const open = [`ATTACH ${quoteLiteral(file)} AS f`, "USE f"];
    await duckdb(...open, ...loadDuckdb(columns, rows));
    const names = columns.map(({ name }) => name);
    const own = await readTexts("t", names, quoteIdentifier, ...open);
    const typesOf = async (table: string): Promise<string[]> => {
      const found = await duckdb(...open, `SELECT column_name, column_type FROM (DESCRIBE ${table})`);
      const types = new Map(found as [string, string][]);
      return names.map((name) => types.get(name) ?? "");
    };
    const read = async (): Promise<{ cells: Cells; types: string[]; ownTypes: string[] }> => {
      const found = {
        cells: await readTexts("kept", names, quoteIdentifier, ...open),
        types: await typesOf("kept"),
        ownTypes: await typesOf("t"),
      };
      await duckdb(...open, "DROP TABLE kept", "DROP TABLE kept_runs");
      return found;
    };
    return { data: `duckdb:${file}#t`, table: "t", own, into: { read } };
  },
  postgres: async ({ postgres }, columns, rows) => {
    if (!postgres) throw new Error("no PostgreSQL");
    const type = ({ kind, scale }: HostileColumn): string =>
      ({
        key: "bigint",
        wide: "numeric(38,0)",
        decimal: `numeric(38,${scale})`,
        double: "double precision",
        uuid: "uuid",
        date: "date",
        time: "timestamp",
        code: "text",
        text: "text",
      })[kind];
    const defined = columns.map((column) => `${quoteIdentifier(column.name)} ${type(column)}`);
    const literal = (text: string | null): string =>
      text === null ? "NULL" : `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
    const lines = Array.from(
      { length: rows },
      (_, r) => `(${[`${r}`, `${r % 8}`, ...columns.map(({ values }) => literal(values[r]))].join(", ")})`,
    );
    postgres.run(
      `SET client_min_messages = error; DROP TABLE IF EXISTS t, kept, kept_runs; CREATE TABLE t (row_ int, x int, ${defined.join(", ")}); INSERT INTO t VALUES ${lines.join(", ")}`,
    );
    const names = columns.map(({ name }) => name);
    const cellsOf = (table: string): Cells => {
      const texts = names.map((name) => `CAST(${quoteIdentifier(name)} AS text)`);
      const found = postgres.run(
        `SELECT json_build_array(VARIADIC ARRAY[${texts.join(", ")}]) FROM ${table} ORDER BY row_`,
      );
      return transpose(
        found
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as (string | null)[]),
        names.length,
      );
    };
    const typesOf = (table: string): string[] => {
      const found = postgres.run(
        `SELECT json_object_agg(attname, format_type(atttypid, atttypmod)) FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0`,
      );
      const types = JSON.parse(found) as Record<string, string>;
      return names.map((name) => types[name]);
    };
    const read = async (): Promise<{ cells: Cells; types: string[]; ownTypes: string[] }> => {
      const found = { cells: cellsOf("kept"), types: typesOf("kept"), ownTypes: typesOf("t") };
      postgres.run("DROP TABLE kept, kept_runs");
      return found;
    };
    return { data: `${postgres.url}#t`, table: "t", own: cellsOf("t"), into: { read } };
  },
  clickhouse: async ({ clickhouse }, columns, rows) => {
    if (!clickhouse) throw new Error("no ClickHouse");
    const { shard, address } = clickhouse;
    const { identifier } = clickhouseDialect;
    const type = ({ kind, scale }: HostileColumn): string =>
      ({
        key: "Int64",
        wide: "String",
        decimal: `Decimal(38, ${scale})`,
        double: "Float64",
        uuid: "UUID",
        date: "Date",
        time: "DateTime",
        code: "String",
        text: "String",
      })[kind];
    // Version 18.16 reads no NULL of a few types in text: their columns have none.
    const isNullable = ({ kind }: HostileColumn): boolean => kind !== "uuid" && kind !== "decimal";
    const held = (column: HostileColumn, r: number): string | null =>
      column.values[r] ?? (isNullable(column) ? null : (column.values.at(-1) as string));
    const defined = columns.map(
      (column) =>
        `${identifier(column.name)} ${isNullable(column) ? `Nullable(${type(column)})` : type(column)}`,
    );
    for (const table of ["t", "kept", "kept_runs"]) await shard.run(`DROP TABLE IF EXISTS ${table}`);
    await shard.run(
      `CREATE TABLE t (row_ Int32, x Int32, ${defined.join(", ")}) ENGINE = MergeTree ORDER BY row_`,
    );
    const body = Array.from(
      { length: rows },
      (_, r) =>
        `${[`${r}`, `${r % 8}`, ...columns.map((column) => writeField(held(column, r)))].join("\t")}\n`,
    );
    await shard.run("INSERT INTO t FORMAT TabSeparated", body.join(""));
    const names = columns.map(({ name }) => name);
    const cellsOf = async (table: string): Promise<Cells> => {
      const found = await shard.run(
        `SELECT ${names.map(identifier).join(", ")} FROM ${table} ORDER BY row_ FORMAT JSONCompact`,
      );
      // Numbers of 64 bits and decimals stand as they are written.
      const texts = found.replace(/"(?:[^"\\]|\\.)*"|-?\d[-+.\deE]*/gs, (token) =>
        token.startsWith('"') ? token : `"${token}"`,
      );
      return transpose((JSON.parse(texts) as { data: (string | null)[][] }).data, names.length);
    };
    const typesOf = async (table: string): Promise<string[]> => {
      const lines = (await shard.run(`DESCRIBE TABLE ${table} FORMAT JSONCompact`)).trim();
      const types = new Map(
        (JSON.parse(lines) as { data: [string, string][] }).data.map(([name, own]) => [name, own]),
      );
      return names.map((name) => types.get(name) ?? "");
    };
    const read = async (): Promise<{ cells: Cells; types: string[]; ownTypes: string[] }> => {
      const found = {
        cells: await cellsOf("kept"),
        types: await typesOf("kept"),
        ownTypes: await typesOf("t"),
      };
      for (const table of ["kept", "kept_runs"]) await shard.run(`DROP TABLE ${table}`);
      return found;
    };
    return { data: `${address}#t`, table: "t", own: await cellsOf("t"), into: { read } };
  },
};

function loadDuckdb(columns: readonly HostileColumn[], rows: number): string[] {
  const type = ({ kind, scale }: HostileColumn): string =>
    ({
      key: "BIGINT",
      wide: "DECIMAL(38, 0)",
      decimal: `DECIMAL(38, ${scale})`,
      double: "DOUBLE",
      uuid: "UUID",
      date: "DATE",
      time: "TIMESTAMP",
      code: "VARCHAR",
      text: "VARCHAR",
    })[kind];
  const defined = columns.map((column) => `${quoteIdentifier(column.name)} ${type(column)}`);
  const literal = (text: string | null): string => (text === null ? "NULL" : quoteLiteral(text));
  const lines = Array.from(
    { length: rows },
    (_, r) => `(${[`${r}`, `${r % 8}`, ...columns.map(({ values }) => literal(values[r]))].join(", ")})`,
  );
  return [
    `CREATE TABLE t (row_ INTEGER, x INTEGER, ${defined.join(", ")})`,
    `INSERT INTO t VALUES ${lines.join(", ")}`,
  ];
}
