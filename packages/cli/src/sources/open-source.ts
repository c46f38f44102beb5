import { CliError } from "../errors.ts";
import { parseAddress } from "./address.ts";
import type { Connector } from "./connector.ts";
import type { SourceOptions } from "./source-options.ts";

/** Opens DATA. An engine's driver is loaded only when it is needed. */
export async function openSource(data: string, options: SourceOptions): Promise<Connector> {
  const address = parseAddress(data);
  if ("table" in address && !address.table && !options.sql) {
    throw new CliError("usage", `${data.replace(/:[^:@/]*@/, ":…@")} names no table`, {
      hint: 'put #table behind the address, or give --sql "SELECT …"',
    });
  }
  if (address.engine === "postgres") {
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(address, options);
  }
  if (address.engine === "clickhouse") {
    const { openClickhouse } = await import("./clickhouse.ts");
    return openClickhouse(address, options);
  }
  const { openDuckdb } = await import("./duckdb.ts");
  return openDuckdb(address, options);
}
