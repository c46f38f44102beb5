import { createHash } from "node:crypto";
import { quoteIdentifier, type SourceColumn, splitName } from "conformant-workbench/sql";
import { CliError, quoted } from "../../errors.ts";
import { commitResult } from "../../output/cleanup.ts";
import type { ServerAddress } from "../address.ts";
import { checkResultTable } from "../check-result-table.ts";
import { type ResultColumn, type RunJob, type RunRecord, type RunTarget, runName } from "../run-target.ts";
import { isLocked } from "./postgres-errors.ts";
import { PostgresSession } from "./postgres-session.ts";

/** How often a waiting job checks again, in ms. */
const LOOK_MS = 500;
/** How long to wait for a locked table before reporting it, in ms. */
const LOCK_PATIENCE = "2s";
/** The longest name in bytes; the server truncates longer ones. */
const LONGEST_NAME = 63;
/** The suffix of the table that records the runs. */
const RUNS = "_runs";

/**
 * A table of the same database. One transaction reads the rows, deletes what the run had written and writes it again: others
 * see the earlier rows until all new ones are there. A second table, TABLE_runs, records the settings of each run.
 */
export function postgresTarget(
  address: ServerAddress,
  table: string,
  sources: readonly SourceColumn[],
): RunTarget {
  const parts = splitName(table);
  const beside = (suffix: string): string =>
    [...parts.slice(0, -1), `${parts[parts.length - 1]}${suffix}`].map(quoteIdentifier).join(".");
  const names = { target: beside(""), runs: beside(RUNS) };
  return {
    name: table,
    inParts: false,
    open: async (run, columns, waiting) => {
      const session = await PostgresSession.open(address);
      try {
        checkLengths(table, columns);
        await lock(session, `${table}\0${run}`, waiting);
        await session.run(`SET lock_timeout = '${LOCK_PATIENCE}'`);
        for (let told = false; ; told = true) {
          try {
            await prepare(session, table, names, columns, sources);
            await session.begin("READ WRITE");
            // From here on, nobody can drop or alter the table until the run is written.
            await session.run(`LOCK TABLE ${names.target}, ${names.runs} IN ROW EXCLUSIVE MODE`);
            break;
          } catch (thrown) {
            if (!isLocked(thrown)) throw thrown;
            await session.run("ROLLBACK");
            if (!told) waiting("a session that has locked the table");
          }
        }
        return await openJob(session, run, { table, ...names }, columns, sources);
      } catch (thrown) {
        await session.close();
        throw thrown;
      }
    },
  };
}

/** Throws for a table or a column whose name would be truncated. */
function checkLengths(table: string, columns: readonly ResultColumn[]): void {
  const own = splitName(table).at(-1) ?? "";
  const longest = LONGEST_NAME - RUNS.length;
  if (Buffer.byteLength(own) > longest)
    throw new CliError(
      "usage",
      `--into ${quoted(table)}: the name must have at most ${longest} bytes, got ${Buffer.byteLength(own)}`,
      { hint: `PostgreSQL allows ${LONGEST_NAME}, and the table ${RUNS} beside it has a longer name` },
    );
  const long = columns.find(({ name }) => Buffer.byteLength(name) > LONGEST_NAME);
  if (long === undefined) return;
  throw new CliError(
    "usage",
    `--into ${quoted(table)}: a column of PostgreSQL has a name of at most ${LONGEST_NAME} bytes, got ${quoted(long.name)}`,
    { hint: "give the classes shorter names, or write to a file or a folder of Parquet files" },
  );
}

interface TableNames {
  readonly target: string;
  readonly runs: string;
}

async function openJob(
  session: PostgresSession,
  run: string,
  { table, target, runs }: TableNames & { readonly table: string },
  columns: readonly ResultColumn[],
  sources: readonly SourceColumn[],
): Promise<RunJob> {
  const countOf = async (): Promise<number> =>
    Number((await session.run(`SELECT count(*) FROM ${target} WHERE run = $1`, [run])).rows[0][0]);
  const {
    rows: [found],
  } = await session.run(`SELECT settings, rows, checksum FROM ${runs} WHERE run = $1`, [run]);
  const record: RunRecord | undefined = found && {
    settings: JSON.parse(found[0] ?? "{}") as RunRecord["settings"],
    rows: Number(found[1]),
    checksum: found[2] ?? "",
    parts: 1,
    done: true,
  };
  return {
    record,
    rows: await countOf(),
    query: (sql, shapes, size) => session.stream(sql, shapes, size),
    begin: async () => new Map(),
    write: async (_, rows) => {
      await session.run(`DELETE FROM ${target} WHERE run = $1`, [run]);
      const into = `${target} (${[...columns.map(({ name }) => name), "run"].map(quoteIdentifier).join(", ")})`;
      if (rows.select) {
        const { count } = await session.run(
          `INSERT INTO ${into} SELECT answers.*, $1 FROM (${rows.select()}) AS answers`,
          [run],
        );
        return count;
      }
      const casts = columns.map(({ holds }, c) => `CAST(c${c} AS ${typeOf(holds, sources)})`);
      const lists = columns.map((_, c) => `$${c + 2}::text[]`);
      const names = columns.map((_, c) => `c${c}`);
      const sql = `INSERT INTO ${into} SELECT ${casts.join(", ")}, $1 FROM unnest(${lists.join(", ")}) AS answers(${names.join(", ")})`;
      let written = 0;
      for await (const batch of rows.batches())
        written += (await session.run(sql, [run, ...batch.columns])).count;
      return written;
    },
    publish: async ({ settings, rows, checksum }) => {
      await session.run(
        `INSERT INTO ${runs} (run, settings, rows, checksum, written_at) VALUES ($1, $2, $3, $4, now()) ON CONFLICT (run) DO UPDATE SET settings = excluded.settings, rows = excluded.rows, checksum = excluded.checksum, written_at = excluded.written_at`,
        [run, JSON.stringify(settings), rows, checksum],
      );
      await commitResult(runName(run, table), () => session.run("COMMIT"));
    },
    close: () => session.close(), // what was not committed is rolled back, and the lock is free
  };
}

/** Locks the run for this session; the lock is released when the session ends for any reason. */
async function lock(
  session: PostgresSession,
  what: string,
  waiting: (holder: string) => void,
): Promise<void> {
  const key = createHash("sha256").update(what).digest().readBigInt64BE();
  for (let told = false; ; told = true) {
    const { rows } = await session.run("SELECT pg_try_advisory_lock($1)", [String(key)]);
    if (rows[0][0] === "t") return;
    if (!told) waiting("another session of the database");
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Creates missing tables; an existing one must have all columns. */
async function prepare(
  session: PostgresSession,
  table: string,
  { target, runs }: TableNames,
  columns: readonly ResultColumn[],
  sources: readonly SourceColumn[],
): Promise<void> {
  const { rows } = await session.run("SELECT to_regclass($1), to_regclass($2)", [target, runs]);
  const [present, remembered] = rows[0];
  if (present === null) {
    const types = columns.map(
      ({ name, holds }) =>
        `${quoteIdentifier(name)} ${typeOf(holds, sources)}${typeof holds === "string" ? " NOT NULL" : ""}`,
    );
    await session.make(`CREATE TABLE IF NOT EXISTS ${target} (${types.join(", ")}, run text NOT NULL)`);
    const index = quoteIdentifier(`${splitName(table).at(-1)}_run`.slice(-60));
    // The rows of a run are stored together, and an index entry per row would take as long to write as the row.
    await session.make(
      `CREATE INDEX IF NOT EXISTS ${index} ON ${target} USING brin (run) WITH (autosummarize)`,
    );
  }
  if (remembered === null)
    await session.make(
      `CREATE TABLE IF NOT EXISTS ${runs} (run text PRIMARY KEY, settings text NOT NULL, rows bigint NOT NULL, checksum text NOT NULL, written_at timestamptz NOT NULL)`,
    );
  const described = await session.run(
    "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped",
    [target],
  );
  const types = described.rows.map(([name, type]) => ({ name: name ?? "", type: type ?? "" }));
  const result = columns.map(({ name, holds: kind }) => ({ name, type: typeOf(kind, sources) }));
  const baseTypes = new Map(sources.map(({ definedAs, baseType }) => [definedAs, baseType]));
  checkResultTable(
    table,
    types,
    [...result, { name: "run", type: "text" }],
    (column, values) => holds(column, values) || holds(column, baseTypes.get(values) ?? values),
  );
}

/** The server rejects numbers that are too large and texts that are too long, and rounds fractions. */
function holds(column: string, values: string): boolean {
  const isWhole = (type: string): boolean => /^(smallint|integer|bigint)$/.test(type);
  // A type without modifiers holds all values of the same type with some.
  if (column === values || column === values.replace(/\([^)]*\)/, "")) return true;
  if (/^(text|character varying|bpchar|character\b)/.test(column)) return true;
  if (isWhole(values)) return isWhole(column) || column.startsWith("numeric");
  return values === "real" && column === "double precision";
}

function typeOf(holds: ResultColumn["holds"], sources: readonly SourceColumn[]): string {
  if (holds === "double") return "double precision";
  if (holds === "text") return "text";
  return sources.find(({ name }) => name === holds.like)?.definedAs ?? "text";
}
