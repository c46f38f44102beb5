import { join } from "node:path";
import { quoteIdentifier, quoteLiteral, splitName } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { commitResult } from "../output/cleanup.ts";
import { scratchFolder } from "../output/scratch-folder.ts";
import { checkResultTable, type TypedColumn } from "../sources/check-result-table.ts";
import { type Connector, queryRow } from "../sources/connector.ts";
import {
  type ResultColumn,
  type ResultLines,
  type RunJob,
  type RunRecord,
  type RunTarget,
  runName,
} from "../sources/run-target.ts";
import { writeLines } from "./parquet-target.ts";
import type { ResultColumns } from "./prediction-lines.ts";
import { scratchSql } from "./scratch-table.ts";
import { fileSink } from "./text-sink.ts";

type Execute = NonNullable<Connector["execute"]>;

/**
 * A table of the same DuckDB file, which allows one writer at a time. One transaction deletes what the run had written and writes it again.
 * A table beside it, TABLE_runs, records the settings of each run.
 */
export function duckdbTarget(
  connector: Connector,
  execute: Execute,
  table: string,
  result: ResultColumns,
): RunTarget {
  const parts = splitName(table);
  const beside = (suffix: string): string =>
    ["source", ...(parts.length === 1 ? ["main"] : parts.slice(0, -1)), `${parts[parts.length - 1]}${suffix}`]
      .map(quoteIdentifier)
      .join(".");
  const names = { target: beside(""), runs: beside("_runs") };
  return {
    name: table,
    inParts: false,
    open: async (run, columns) => {
      checkNames(table, [...columns.map(({ name }) => name), "run"]);
      const own = columns.map((column) => ({ name: column.name, type: typeOf(column, connector) }));
      const types = own.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
      await execute([
        `CREATE TABLE IF NOT EXISTS ${names.target} (${types.join(", ")}, run VARCHAR NOT NULL)`,
        `CREATE TABLE IF NOT EXISTS ${names.runs} (run VARCHAR PRIMARY KEY, settings VARCHAR, rows BIGINT, checksum VARCHAR, written_at TIMESTAMPTZ)`,
      ]);
      const present = await describeTable(connector, names.target);
      checkResultTable(table, present, [...own, { name: "run", type: "VARCHAR" }], holds);
      return openJob({ connector, execute, table, ...names, result }, run, columns);
    },
  };
}

/** Throws for columns whose names differ only in case: DuckDB treats them as one. */
function checkNames(table: string, names: readonly string[]): void {
  const lower = names.map((name) => name.toLowerCase());
  const twice = names.find((_, c) => lower.indexOf(lower[c]) !== c);
  if (twice === undefined) return;
  const first = names[lower.indexOf(twice.toLowerCase())];
  throw new CliError(
    "usage",
    `--into ${quoted(table)}: a table of DuckDB cannot hold both ${quoted(first)} and ${quoted(twice)}, expected names that differ in more than case`,
    { hint: "rename one of them with --sql" },
  );
}

/** Where runs are written: the table, the table of runs, and the engine of both. */
interface RunPlace {
  readonly connector: Connector;
  readonly execute: Execute;
  /** The table as the user names it. */
  readonly table: string;
  readonly target: string;
  readonly runs: string;
  readonly result: ResultColumns;
}

async function openJob(
  { connector, execute, table, target, runs, result }: RunPlace,
  run: string,
  columns: readonly ResultColumn[],
): Promise<RunJob> {
  const own = `run = ${quoteLiteral(run)}`;
  const [settings, rows, checksum, held] = await queryRow(
    connector,
    `SELECT max(settings), CAST(max(rows) AS VARCHAR), max(checksum), CAST((SELECT count(*) FROM ${target} WHERE ${own}) AS VARCHAR) FROM ${runs} WHERE ${own}`,
    4,
  );
  const record: RunRecord | undefined =
    settings === null
      ? undefined
      : {
          settings: JSON.parse(settings) as RunRecord["settings"],
          rows: Number(rows),
          checksum: checksum ?? "",
          parts: 1,
          done: true,
        };
  const into = [...columns.map(({ name }) => name), "run"].map(quoteIdentifier).join(", ");
  let inTransaction = false;
  const rollBack = async (): Promise<void> => {
    if (inTransaction) await execute(["ROLLBACK"]);
    inTransaction = false;
  };
  return {
    record,
    rows: Number(held),
    query: connector.query,
    begin: async () => new Map(),
    write: async (_, { select, lines }) => {
      const answers = select
        ? `(${select()}) AS answers`
        : `(${scratchSql(await spool(lines()), result)}) AS answers`;
      inTransaction = true;
      try {
        return await execute([
          "BEGIN TRANSACTION",
          `DELETE FROM ${target} WHERE ${own}`,
          `INSERT INTO ${target} (${into}) SELECT *, ${quoteLiteral(run)} FROM ${answers}`,
        ]);
      } catch (thrown) {
        await rollBack(); // so that the source can explain the failure
        throw thrown;
      }
    },
    publish: async (now) => {
      const values = [run, JSON.stringify(now.settings), String(now.rows), now.checksum].map(quoteLiteral);
      await execute([`INSERT OR REPLACE INTO ${runs} VALUES (${values.join(", ")}, now())`]);
      await commitResult(runName(run, table), () => execute(["COMMIT"]));
      inTransaction = false;
    },
    close: rollBack,
  };
}

/** Stores lines in a file of the scratch folder: DuckDB cannot read and write at the same time. */
async function spool(lines: AsyncIterable<ResultLines>): Promise<string> {
  const file = join(scratchFolder(), "predictions.csv");
  const sink = fileSink(file);
  await writeLines(sink, lines);
  await sink.close();
  return file;
}

function typeOf({ holds }: ResultColumn, { columns }: Connector): string {
  if (holds === "double") return "DOUBLE";
  return holds === "text" ? "VARCHAR" : (columns.find(({ name }) => name === holds.like)?.type ?? "VARCHAR");
}

async function describeTable(connector: Connector, target: string): Promise<TypedColumn[]> {
  const sql = `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${target})`;
  const found: TypedColumn[] = [];
  for await (const { rows, columns } of connector.query(sql, ["text", "text"]))
    for (let r = 0; r < rows; r++) found.push({ name: String(columns[0][r]), type: String(columns[1][r]) });
  return found;
}

/** The engine rejects numbers that are too large for a column and rounds fractions. */
function holds(column: string, values: string): boolean {
  const isWhole = (type: string): boolean => /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type);
  if (column === values || column === "VARCHAR") return true;
  return (isWhole(column) && isWhole(values)) || (column === "DOUBLE" && values === "FLOAT");
}
