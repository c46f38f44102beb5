import { CliError, quoted } from "../errors.ts";
import { callEngine } from "../output/cleanup.ts";
import { parseAddress } from "./address.ts";
import type { Connector } from "./connector.ts";
import type { SourceOptions } from "./source-options.ts";

/** Opens DATA. An engine's driver is loaded only when it is needed. */
export async function openSource(data: string, options: SourceOptions): Promise<Connector> {
  const address = parseAddress(data);
  if ("table" in address && !address.table && !options.sql) {
    throw new CliError("usage", `${quoted(address.name)} names no table`, {
      hint: 'put #table behind the address, or give --sql "SELECT …"',
    });
  }
  if (!("host" in address)) {
    const { openDuckdb } = await callEngine(() => import("./duckdb.ts"));
    return openDuckdb(address, options);
  }
  const open =
    address.engine === "postgres"
      ? (await import("./postgres.ts")).openPostgres
      : (await import("./clickhouse.ts")).openClickhouse;
  return open(address, options);
}
