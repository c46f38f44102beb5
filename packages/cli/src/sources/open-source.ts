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
import { withConditions } from "./row-conditions.ts";
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
  const connector = await open(address, wanted);
  if (connector.columns.length > 0) return connector;
  await connector.close();
  throw new CliError("empty-data", `${quoted(connector.name)} has no columns, expected at least one`);
}

/** A server: how its SQL is written, and what opens a table there. */
interface Server {
  readonly dialect: EngineDialect;
  readonly open: (address: ServerAddress, options: SourceOptions) => Promise<Connector>;
}

/** An engine's driver is loaded only when it is needed. */
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

async function open(address: Address, wanted: SourceOptions): Promise<Connector> {
  if ("host" in address) {
    const server = SERVERS[address.engine];
    return server.open(address, withConditions(server.dialect, address, wanted));
  }
  const { openDuckdb } = await callEngine(() => import("./duckdb/duckdb.ts"));
  return openDuckdb(address, withConditions(duckdbDialect, address, wanted));
}
