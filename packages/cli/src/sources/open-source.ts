import {
  clickhouseDialect,
  duckdbDialect,
  type EngineDialect,
  postgresDialect,
} from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { callEngine } from "../output/cleanup.ts";
import { type Address, parseAddress, type ServerAddress } from "./address.ts";
import type { Connector } from "./connector.ts";
import { oneHotQuery } from "./one-hot.ts";
import { inQuery, withConditions } from "./row-conditions.ts";
import type { SourceOptions } from "./source-options.ts";

/** Opens DATA. */
export async function openSource(
  data: string | readonly string[],
  wanted: SourceOptions,
): Promise<Connector> {
  const address = parseAddress(data);
  if ("table" in address && !address.table && !wanted.sql) {
    throw new CliError("usage", `${quoted(address.name)} names no table`, {
      hint: 'put #table behind the address, or give --sql "SELECT …"',
    });
  }
  const connector = await openGroups(address, wanted);
  if (connector.columns.length > 0) return connector;
  await connector.close();
  throw new CliError("empty-data", `${quoted(connector.name)} has no columns, expected at least one`);
}

/** A kind of server: its SQL dialect, and the function that opens a table. */
interface Server {
  readonly dialect: EngineDialect;
  readonly open: (address: ServerAddress, options: SourceOptions) => Promise<Connector>;
}

/** Each driver is loaded only when needed. */
const SERVERS: Readonly<Record<ServerAddress["engine"], Server>> = {
  postgres: {
    dialect: postgresDialect,
    open: async (address, options) => (await import("./postgres/postgres.ts")).openPostgres(address, options),
  },
  clickhouse: {
    dialect: clickhouseDialect,
    open: async (address, options) =>
      (await import("./clickhouse/clickhouse.ts")).openClickhouse(address, options),
  },
};

/** Opens a source with each one-hot group read as one column; its columns are known only after opening. */
async function openGroups(address: Address, asked: SourceOptions): Promise<Connector> {
  // A query of an SQLite database makes the copy; conditions are on the copy.
  const isSqlite = address.engine === "sqlite";
  const wanted = isSqlite ? { ...asked, copying: asked.sql, sql: undefined } : asked;
  const dialect = "host" in address ? SERVERS[address.engine].dialect : duckdbDialect;
  const options = withConditions(dialect, address, wanted);
  const connector = await open(address, options);
  if (!wanted.oneHot) return connector;
  try {
    const from = inQuery(dialect, address, options.sql);
    const sql = await oneHotQuery(connector, wanted.oneHot, from, wanted.gaps);
    if (sql === undefined) return connector;
    await connector.close();
    return await open(address, { ...options, sql });
  } catch (thrown) {
    await connector.close();
    throw thrown;
  }
}

async function open(address: Address, options: SourceOptions): Promise<Connector> {
  if ("host" in address) return SERVERS[address.engine].open(address, options);
  const { openDuckdb } = await callEngine(() => import("./duckdb/duckdb.ts"));
  return openDuckdb(address, options);
}
