import { createHash, randomBytes } from "node:crypto";
import { clickhouseDialect, type SourceColumn, splitName } from "conformant-workbench/sql";
import { CliError, quoted } from "../../errors.ts";
import { commitResult } from "../../output/cleanup.ts";
import { checkResultTable, type TypedColumn } from "../check-result-table.ts";
import { queryRow } from "../connector.ts";
import { writeField } from "../files/tab-separated.ts";
import {
  type ResultBatch,
  type ResultColumn,
  type RunJob,
  type RunRecord,
  type RunTarget,
  runName,
} from "../run-target.ts";
import { isPresent } from "./clickhouse-errors.ts";
import { type Lease, takeLease, tryLease } from "./clickhouse-lease.ts";
import type { ClickhouseServer } from "./clickhouse-server.ts";

const { identifier, literal } = clickhouseDialect;

/** Seconds for which the parts of an interrupted run are kept, in case it is repeated, before a job of another run removes them. */
const KEPT = 24 * 3600;

/** The partition key of a result table, by which runs are replaced whole. */
const RUN = "run";

/**
 * A MergeTree table partitioned by run. ClickHouse has no transactions: each part is written to its own table
 * first; when all are complete, their files replace the partition of the run. A second table,
 * TABLE_runs, records the settings of each run.
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
        await endQueries(server, names);
        await removeDead(server, table, names);
        return await openJob(server, run, names, columns, sources, lease);
      } catch (thrown) {
        await lease.release().catch(() => undefined);
        throw thrown;
      }
    },
  };
}

interface TableNames {
  /** The table as the user names it. */
  readonly table: string;
  readonly target: string;
  readonly runs: string;
  readonly lease: string;
  readonly database: string;
  /** The prefix of the names of the run's own tables, unquoted, and of its query ids. */
  readonly staging: string;
  readonly queries: string;
}

function tableNames(table: string, run: string): TableNames {
  return ownNames(table, runKey(run));
}

/** The common part of the names of a run's own tables. */
function runKey(run: string): string {
  return createHash("sha256").update(run).digest("hex").slice(0, 12);
}

function ownNames(table: string, own: string): TableNames {
  const parts = splitName(table);
  const beside = (suffix: string): string =>
    [...parts.slice(0, -1), `${parts[parts.length - 1]}${suffix}`].map(identifier).join(".");
  return {
    table,
    target: beside(""),
    runs: beside("_runs"),
    lease: beside(`_lease_${own}`),
    database: parts.length > 1 ? literal(parts[0]) : "currentDatabase()",
    staging: `${parts[parts.length - 1]}_part_${own}_`,
    queries: `conformant-${own}-`,
  };
}

/** Kills queries of earlier jobs: an INSERT may outlive its job, and only the holder of the lease may write the run. */
async function endQueries(server: ClickhouseServer, { queries }: TableNames): Promise<void> {
  await server.run(`KILL QUERY WHERE query_id LIKE ${literal(`${queries}%`)} SYNC FORMAT Null`);
}

/**
 * Removes leftovers of killed jobs of other runs: leases, and parts of runs that are complete, unknown, or were interrupted
 * long ago. Runs of running jobs are left alone.
 */
async function removeDead(server: ClickhouseServer, table: string, own: TableNames): Promise<void> {
  const name = splitName(table).at(-1) ?? "";
  const keys = new Set<string>();
  for (const beside of await tablesLike(server, own, `${name}_`)) {
    // A lease that was taken over has a second suffix until it is dropped.
    const [, key] =
      /^_(?:part_([0-9a-f]{12})_\w+|lease_([0-9a-f]{12}(?:_[0-9a-f]{8})?))$/
        .exec(beside.slice(name.length))
        ?.filter((group) => group !== undefined) ?? [];
    if (key !== undefined && ownNames(table, key).lease !== own.lease) keys.add(key);
  }
  if (keys.size === 0) return;
  const sql = `SELECT ${RUN}, argMax(done, version) AS is_done, now() - max(written_at) > ${KEPT} AS is_old FROM ${own.runs} GROUP BY ${RUN}`;
  const unfinished = new Set<string>();
  for await (const { rows, columns } of server.stream(sql, ["text", "code", "code"]))
    for (let r = 0; r < rows; r++)
      if (columns[1][r] === 0 && columns[2][r] === 0) unfinished.add(runKey(String(columns[0][r])));
  for (const key of keys) {
    const names = ownNames(table, key);
    const lease = await tryLease(server, names.lease);
    if (lease === undefined) continue;
    try {
      if (!unfinished.has(key)) {
        await endQueries(server, names);
        await dropParts(server, names);
      }
    } finally {
      await lease.release();
    }
  }
}

async function dropParts(server: ClickhouseServer, names: TableNames): Promise<void> {
  for (const name of await tablesLike(server, names, names.staging))
    await server.run(`DROP TABLE IF EXISTS ${besideOf(names, name)}`);
}

async function openJob(
  server: ClickhouseServer,
  run: string,
  names: TableNames,
  columns: readonly ResultColumn[],
  sources: readonly SourceColumn[],
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
  // A job that was killed after completing its run left its parts.
  if (!record || record.done) await dropParts(server, names);
  return {
    record,
    rows: await countOf(names.target, ` WHERE ${RUN} = ${literal(run)}`),
    query,
    begin: async (now) => {
      if (!record || record.done || !isSame(record, now)) {
        await dropParts(server, names);
        await remember(now);
      }
      const written = new Map<number, number>();
      for (const name of await tablesLike(server, names, names.staging)) {
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
      else
        await insertTexts({ server, names, columns, sources }, { part, into, run, queryId }, rows.batches());
      return countOf(own);
    },
    publish: async (now) => {
      const all = now.parts === 1 ? partTable(0) : partTable("all");
      if (now.parts > 1) {
        await makeAnew(server, all, names.target);
        for (let part = 0; part < now.parts; part++)
          await server.run(`ALTER TABLE ${all} ATTACH PARTITION ${literal(run)} FROM ${partTable(part)}`);
      }
      const swap =
        now.rows === 0 ? `DROP PARTITION ${literal(run)}` : `REPLACE PARTITION ${literal(run)} FROM ${all}`;
      await lease.check();
      await commitResult(runName(run, names.table), () => server.run(`ALTER TABLE ${names.target} ${swap}`));
      await remember({ ...now, done: true });
      await dropParts(server, names);
    },
    close: () => lease.release(),
  };
}

/** The number of retries to create a table whose files an earlier DROP has not removed yet, and the delay before each, in ms. */
const [ATTEMPTS, PAUSE] = [6, 500];

/** Creates an empty table like another. A DROP of a killed job may still be running, which the server reports as an error. */
async function makeAnew(server: ClickhouseServer, table: string, like: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await server.run(`CREATE TABLE ${table} AS ${like}`);
      return;
    } catch (thrown) {
      if (attempt === ATTEMPTS) throw thrown;
      if (isPresent(thrown)) await server.run(`DROP TABLE IF EXISTS ${table}`);
      else if (/already containing data parts/.test(String(thrown)))
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      else throw thrown;
    }
  }
}

/** Where texts are inserted, and with which types. */
interface TextTarget {
  readonly server: ClickhouseServer;
  readonly names: TableNames;
  readonly columns: readonly ResultColumn[];
  readonly sources: readonly SourceColumn[];
}

interface TextInsert {
  readonly part: number;
  /** The beginning of the INSERT. */
  readonly into: string;
  readonly run: string;
  readonly queryId: string;
}

/** Inserts rows given as texts, through a temporary table whose column types are read exactly from text. */
async function insertTexts(
  { server, names, columns, sources }: TextTarget,
  { part, into, run, queryId }: TextInsert,
  batches: AsyncIterable<ResultBatch>,
): Promise<void> {
  const passages = columns.map(({ holds }) => passageOf(typeOf(holds, sources)));
  const beside = besideOf(names, `${names.staging}${part}_bits`);
  const defined = passages.map(({ held }, c) => `c${c} ${held}`);
  const values = passages.map(({ read }, c) => read(`c${c}`));
  await server.run(`DROP TABLE IF EXISTS ${beside}`);
  await server.run(`CREATE TABLE ${beside} (${defined.join(", ")}) ENGINE = Log`);
  await server.insert(`INSERT INTO ${beside} FORMAT TabSeparated`, tabSeparated(batches, passages), queryId);
  await server.runOnce(
    `${into} SELECT ${values.join(", ")}, ${literal(run)} AS run_ FROM ${beside}`,
    `${queryId}-doubles`,
  );
  await server.run(`DROP TABLE IF EXISTS ${beside}`);
}

/** How the values of a column are inserted as text. */
interface Passage {
  /** The type that the text is parsed as. */
  readonly held: string;
  readonly write: (text: string | null) => string;
  /** SQL: the value, given the column of that type. */
  readonly read: (column: string) => string;
}

/**
 * Older versions parse floating-point numbers inexactly, so they are sent as integers with the same bits. The text of
 * an array or a tuple has escapes of its own, which must not be escaped again: it is sent as a text that the server converts.
 */
function passageOf(type: string): Passage {
  const [, isList, size] = /^(Array\()?Float(32|64)\)?$/.exec(withoutWrappers(type)) ?? [];
  if (size !== undefined) {
    const own = `Int${size}`;
    const number = (column: string): string => `reinterpretAsFloat${size}(reinterpretAsString(${column}))`;
    if (isList === undefined)
      return {
        held: type.includes("Nullable") ? `Nullable(${own})` : own,
        write: (text) => (text === null ? writeField(text) : bitsOf(text, size)),
        read: number,
      };
    return {
      held: `Array(${own})`,
      write: (text) => (text ?? "[]").replaceAll(/[^[\],]+/g, (item) => bitsOf(item, size)),
      read: (column) => `arrayMap(bits_ -> ${number("bits_")}, ${column})`,
    };
  }
  if (/^(Array|Tuple|Map)\(/.test(type))
    return { held: "String", write: writeField, read: (column) => `CAST(${column} AS ${type})` };
  return { held: type, write: writeField, read: (column) => column };
}

/** Batches as lines of text. */
async function* tabSeparated(
  batches: AsyncIterable<ResultBatch>,
  passages: readonly Passage[],
): AsyncGenerator<string> {
  for await (const { rows, columns } of batches) {
    let text = "";
    for (let r = 0; r < rows; r++)
      text += `${columns.map((column, c) => passages[c].write(column[r])).join("\t")}\n`;
    yield text;
  }
}

const NUMBER = new DataView(new ArrayBuffer(8));

/** The bits of a floating-point number as a signed integer. */
function bitsOf(text: string, size: string): string {
  const number = Number(text.replace("inf", "Infinity"));
  if (size === "32") {
    NUMBER.setFloat32(0, number);
    return String(NUMBER.getInt32(0));
  }
  NUMBER.setFloat64(0, number);
  return String(NUMBER.getBigInt64(0));
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

/** The tables of the target's database with a given prefix. */
async function tablesLike(
  server: ClickhouseServer,
  { database }: TableNames,
  start: string,
): Promise<string[]> {
  const sql = `SELECT name FROM system.tables WHERE database = ${database} AND startsWith(name, ${literal(start)})`;
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

/** Creates missing tables. An existing one must be partitioned by run and have all columns. */
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

/** The server rejects a NULL that a column cannot store, but drops bits of a number that it cannot store. */
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
