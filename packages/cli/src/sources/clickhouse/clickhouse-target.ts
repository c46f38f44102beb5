import { createHash, randomBytes } from "node:crypto";
import { clickhouseDialect, type SourceColumn, splitName } from "conformant-workbench/sql";
import { CliError, quoted } from "../../errors.ts";
import { checkResultTable, type TypedColumn } from "../check-result-table.ts";
import { queryRow } from "../connector.ts";
import { writeField } from "../files/tab-separated.ts";
import type { ResultBatch, ResultColumn, RunJob, RunRecord, RunTarget } from "../run-target.ts";
import { type Lease, takeLease } from "./clickhouse-lease.ts";
import type { ClickhouseServer } from "./clickhouse-server.ts";

const { identifier, literal } = clickhouseDialect;

/** The column by which a table of results is cut into runs that can be replaced whole. */
const RUN = "run";

/**
 * A MergeTree table that is partitioned by run. ClickHouse has no transactions: parts are written to tables of their own beside
 * it, and when all are whole their files are linked into the partition of the run in place of what it held. A table beside it,
 * TABLE_runs, remembers what each run is of.
 */
export function clickhouseTarget(
  server: ClickhouseServer,
  table: string,
  sources: readonly SourceColumn[],
): RunTarget {
  return {
    name: table,
    inParts: true,
    open: async (run, columns, waiting) => {
      const names = tableNames(table, run);
      await prepare(server, table, names, columns, sources);
      const lease = await takeLease(server, names.lease, waiting);
      try {
        // An INSERT may outlive whoever asked for it; only this job writes the run now.
        await server.run(`KILL QUERY WHERE query_id LIKE ${literal(`${names.queries}%`)} SYNC FORMAT Null`);
        return await openJob(server, run, names, columns, lease);
      } catch (thrown) {
        await lease.release().catch(() => undefined);
        throw thrown;
      }
    },
  };
}

interface TableNames {
  readonly target: string;
  readonly runs: string;
  readonly lease: string;
  readonly database: string;
  /** What the names of the run's own tables begin with, unquoted; and those of its queries. */
  readonly staging: string;
  readonly queries: string;
}

function tableNames(table: string, run: string): TableNames {
  const parts = splitName(table);
  const own = createHash("sha256").update(run).digest("hex").slice(0, 12);
  const beside = (suffix: string): string =>
    [...parts.slice(0, -1), `${parts[parts.length - 1]}${suffix}`].map(identifier).join(".");
  return {
    target: beside(""),
    runs: beside("_runs"),
    lease: beside(`_lease_${own}`),
    database: parts.length > 1 ? literal(parts[0]) : "currentDatabase()",
    staging: `${parts[parts.length - 1]}_part_${own}_`,
    queries: `conformant-${own}-`,
  };
}

async function openJob(
  server: ClickhouseServer,
  run: string,
  names: TableNames,
  columns: readonly ResultColumn[],
  lease: Lease,
): Promise<RunJob> {
  const query: RunJob["query"] = (sql, shapes) => server.stream(sql, shapes);
  const countOf = async (table: string, where = ""): Promise<number> =>
    Number((await queryRow({ query }, `SELECT toString(count()) FROM ${table}${where}`, 1))[0]);
  const { version: before, record } = await readRecord({ query }, names.runs, run);
  let version = before;
  const remember = async (now: RunRecord): Promise<void> => {
    const { settings, rows, checksum, parts, done } = now;
    version++;
    await server.run(
      `INSERT INTO ${names.runs} SELECT ${literal(run)}, toUInt64(${version}), ${literal(JSON.stringify(settings))}, toUInt64(${rows}), ${literal(checksum)}, toUInt32(${parts}), toUInt8(${Number(done)}), now()`,
    );
  };
  const partTable = (part: number | "all"): string => besideOf(names, `${names.staging}${part}`);
  const dropParts = async (): Promise<void> => {
    for (const name of await staged(server, names))
      await server.run(`DROP TABLE IF EXISTS ${besideOf(names, name)}`);
  };
  return {
    record,
    rows: await countOf(names.target, ` WHERE ${RUN} = ${literal(run)}`),
    query,
    begin: async (now) => {
      if (!record || record.done || !isSame(record, now)) {
        await dropParts();
        await remember(now);
      }
      const written = new Map<number, number>();
      for (const name of await staged(server, names)) {
        const part = Number(name.slice(names.staging.length));
        if (Number.isInteger(part)) written.set(part, await countOf(besideOf(names, name)));
      }
      return written;
    },
    write: async (part, rows) => {
      const own = partTable(part);
      await makeAnew(server, own, names.target);
      const into = `INSERT INTO ${own} (${[...columns.map(({ name }) => name), RUN].map(identifier).join(", ")})`;
      const queryId = `${names.queries}${part}-${randomBytes(4).toString("hex")}`;
      if (rows.select)
        await server.runOnce(`${into} SELECT *, ${literal(run)} AS run_ FROM (${rows.select()})`, queryId);
      else await server.insert(`${into} FORMAT TabSeparated`, tabSeparated(rows.batches(), run), queryId);
      return countOf(own);
    },
    publish: async (now) => {
      const all = partTable("all");
      await makeAnew(server, all, names.target);
      for (let part = 0; part < now.parts; part++)
        await server.run(`ALTER TABLE ${all} ATTACH PARTITION ${literal(run)} FROM ${partTable(part)}`);
      await lease.check();
      await server.run(`ALTER TABLE ${names.target} REPLACE PARTITION ${literal(run)} FROM ${all}`);
      await remember({ ...now, done: true });
      await dropParts();
    },
    close: () => lease.release(),
  };
}

/** How often a table is made again whose files an earlier DROP has not taken away yet, and how long is waited before, in ms. */
const [ATTEMPTS, PAUSE] = [6, 500];

/** An empty table like another. A DROP that a killed job has asked for may still be at work, which the server tells by an error. */
async function makeAnew(server: ClickhouseServer, table: string, like: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await server.run(`DROP TABLE IF EXISTS ${table}`);
    try {
      await server.run(`CREATE TABLE ${table} AS ${like}`);
      return;
    } catch (thrown) {
      if (attempt === ATTEMPTS || !/already containing data parts/.test(String(thrown))) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** Batches as lines of text, with the name of the run at the end of each. */
async function* tabSeparated(batches: AsyncIterable<ResultBatch>, run: string): AsyncGenerator<string> {
  const last = writeField(run);
  for await (const { rows, columns } of batches) {
    let text = "";
    for (let r = 0; r < rows; r++) {
      for (const column of columns) text += `${writeField(column[r])}\t`;
      text += `${last}\n`;
    }
    yield text;
  }
}

function isSame(a: RunRecord, b: RunRecord): boolean {
  return (
    a.rows === b.rows &&
    a.checksum === b.checksum &&
    a.parts === b.parts &&
    JSON.stringify(a.settings) === JSON.stringify(b.settings)
  );
}

function besideOf({ target }: TableNames, name: string): string {
  const database = /^(.*\.)?"(?:[^"\\]|\\.|"")*"$/s.exec(target)?.[1] ?? "";
  return `${database}${identifier(name)}`;
}

/** The names of the run's own tables that are there. */
async function staged(server: ClickhouseServer, { database, staging }: TableNames): Promise<string[]> {
  const sql = `SELECT name FROM system.tables WHERE database = ${database} AND startsWith(name, ${literal(staging)})`;
  const found: string[] = [];
  for await (const { columns } of server.stream(sql, ["text"]))
    found.push(...(columns[0] as readonly string[]));
  return found;
}

async function readRecord(
  source: Parameters<typeof queryRow>[0],
  runs: string,
  run: string,
): Promise<{ version: number; record: RunRecord | undefined }> {
  const sql = `SELECT toString(version), settings, toString(rows), checksum, toString(parts), toString(done) FROM ${runs} WHERE ${RUN} = ${literal(run)} ORDER BY version DESC LIMIT 1`;
  const [version, settings, rows, checksum, parts, done] = await queryRow(source, sql, 6);
  if (version === null) return { version: 0, record: undefined };
  return {
    version: Number(version),
    record: {
      settings: JSON.parse(settings ?? "{}") as RunRecord["settings"],
      rows: Number(rows),
      checksum: checksum ?? "",
      parts: Number(parts),
      done: done === "1",
    },
  };
}

/** Makes the tables where they are missing. One that is there already must be cut by run and have all columns. */
async function prepare(
  server: ClickhouseServer,
  table: string,
  { target, runs }: TableNames,
  columns: readonly ResultColumn[],
  sources: readonly SourceColumn[],
): Promise<void> {
  const result = [
    ...columns.map(({ name, holds }) => ({ name, type: typeOf(holds, sources) })),
    { name: RUN, type: "String" },
  ];
  const defined = result.map(({ name, type }) => `${identifier(name)} ${type}`).join(", ");
  await server.run(
    `CREATE TABLE IF NOT EXISTS ${target} (${defined}) ENGINE = MergeTree PARTITION BY ${RUN} ORDER BY tuple()`,
  );
  await checkTable(server, table, target, result);
  await server.run(
    `CREATE TABLE IF NOT EXISTS ${runs} (${RUN} String, version UInt64, settings String, rows UInt64, checksum String, parts UInt32, done UInt8, written_at DateTime) ENGINE = MergeTree PARTITION BY tuple() ORDER BY (${RUN}, version)`,
  );
}

function typeOf(holds: ResultColumn["holds"], sources: readonly SourceColumn[]): string {
  if (holds === "double") return "Float64";
  return holds === "text" ? "String" : (sources.find(({ name }) => name === holds.like)?.type ?? "String");
}

async function checkTable(
  server: ClickhouseServer,
  table: string,
  target: string,
  result: readonly TypedColumn[],
): Promise<void> {
  const { names, types } = await server.describe(`SELECT * FROM ${target} LIMIT 0`);
  const present = names.map((name, c) => ({ name, type: types[c] }));
  checkResultTable(table, present, result, holds);
  const definition: string[] = [];
  for await (const { columns } of server.stream(`SHOW CREATE TABLE ${target}`, ["text"]))
    definition.push(...(columns[0] as readonly string[]));
  if (/MergeTree\b.*PARTITION BY run\b/s.test(definition.join("\n"))) return;
  throw new CliError(
    "wrong-table",
    `--into ${quoted(table)}: expected a MergeTree table with PARTITION BY run`,
    { hint: "give the name of a table that is not there yet, and it is made" },
  );
}

/** A NULL that a column does not take is an error of the server's; a number that it does not take loses bits. */
function holds(column: string, values: string): boolean {
  const [own, other] = [column, values].map(withoutWrappers);
  if (own === other || own === "String") return true;
  const [ownWhole, otherWhole] = [own, other].map((type) => /^(U?)Int(\d+)$/.exec(type));
  if (ownWhole === null || otherWhole === null) return own === "Float64" && other === "Float32";
  const [[, unsigned, bits], [, otherUnsigned, otherBits]] = [ownWhole, otherWhole];
  const isWider = Number(bits) > Number(otherBits);
  return unsigned === otherUnsigned ? isWider : isWider && unsigned === "";
}

function withoutWrappers(type: string): string {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type) ?? [];
  return inner === undefined ? type : withoutWrappers(inner);
}
