import { CliError, listed, quoted } from "../errors.ts";
import { clickhouseDialect } from "../sql/clickhouse-dialect.ts";
import type { SourceColumn } from "../sql/source-column.ts";
import type { ClickhouseServer } from "./clickhouse-server.ts";
import type { SinkColumn, TableSink } from "./connector.ts";

const { identifier, literal } = clickhouseDialect;

/** The columns by which a table of results is cut into parts that can be dropped whole. */
const [RUN, PART] = ["run", "part"];

/**
 * A MergeTree table that is partitioned by run and part: ClickHouse has no transactions, but it drops a partition as a whole.
 * An INSERT that outlives whoever asked for it is ended first; it is known by its query identifier.
 */
export function clickhouseSink(
  server: ClickhouseServer,
  table: string,
  sources: readonly SourceColumn[],
): TableSink {
  const target = table.split(".").map(identifier).join(".");
  let names: readonly string[] = [];
  const kill = (run: string, part: number): Promise<void> =>
    server.run(`KILL QUERY WHERE query_id = ${literal(queryId(run, part))} SYNC FORMAT Null`);
  const drop = (run: string, part: number): Promise<void> =>
    server.run(`ALTER TABLE ${target} DROP PARTITION (${literal(run)}, ${part})`);
  return {
    prepare: async (columns) => {
      names = [...columns.map(({ name }) => name), RUN, PART];
      const types = columns.map(({ name, holds }) => `${identifier(name)} ${typeOf(holds, sources)}`);
      await server.run(
        `CREATE TABLE IF NOT EXISTS ${target} (${[...types, `${RUN} String`, `${PART} UInt32`].join(", ")}) ENGINE = MergeTree PARTITION BY (${RUN}, ${PART}) ORDER BY tuple()`,
      );
      await checkTable(server, table, target, names);
    },
    written: async (run) => {
      const counts = new Map<number, number>();
      const sql = `SELECT toInt32(${PART}), toFloat64(count()) FROM ${target} WHERE ${RUN} = ${literal(run)} GROUP BY ${PART}`;
      for await (const { rows, columns } of server.stream(sql, ["code", "number"]))
        for (let r = 0; r < rows; r++) counts.set(Number(columns[0][r]), Number(columns[1][r]));
      return counts;
    },
    drop,
    write: async (run, part, select) => {
      await kill(run, part);
      await drop(run, part);
      const into = `${target} (${names.map(identifier).join(", ")})`;
      const rows = `SELECT *, ${literal(run)} AS run_, toUInt32(${part}) AS part_ FROM (${select})`;
      await server.runOnce(`INSERT INTO ${into} ${rows}`, queryId(run, part));
    },
  };
}

function queryId(run: string, part: number): string {
  return `conformant-${run}-${part}`;
}

function typeOf(holds: SinkColumn["holds"], sources: readonly SourceColumn[]): string {
  if (holds === "double") return "Float64";
  return holds === "text" ? "String" : (sources.find(({ name }) => name === holds.like)?.type ?? "String");
}

/** A table that is there already must be cut by run and part and have all columns. */
async function checkTable(
  server: ClickhouseServer,
  table: string,
  target: string,
  names: readonly string[],
): Promise<void> {
  const { names: present } = await server.describe(`SELECT * FROM ${target} LIMIT 0`);
  const missing = names.filter((name) => !present.includes(name));
  if (missing.length > 0)
    throw new CliError("wrong-table", `--into ${quoted(table)}: the table lacks ${listed(missing)}`, {
      hint: "give the name of a table that is not there yet, and it is made",
    });
  const definition: string[] = [];
  for await (const { columns } of server.stream(`SHOW CREATE TABLE ${target}`, ["text"]))
    definition.push(...(columns[0] as readonly string[]));
  if (/MergeTree/.test(definition.join("\n")) && /PARTITION BY \(run, part\)/.test(definition.join("\n")))
    return;
  throw new CliError(
    "wrong-table",
    `--into ${quoted(table)}: expected a MergeTree table with PARTITION BY (run, part)`,
    {
      hint: "give the name of a table that is not there yet, and it is made",
    },
  );
}
