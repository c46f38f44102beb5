import { CliError } from "../errors.ts";
import { isAddress, parseAddress } from "../sources/address.ts";
import type { Connector } from "../sources/connector.ts";
import type { RunTarget } from "../sources/run-target.ts";
import { duckdbTarget } from "./duckdb-target.ts";
import { parquetTarget } from "./parquet-target.ts";
import type { ResultColumns } from "./prediction-lines.ts";

/** Throws where the name of a table, folder or run is an address, which may contain a password. */
export function checkWrittenName(option: "into" | "run", name: string): void {
  if (!isAddress(name)) return;
  const what = option === "into" ? "a table of the database that has the rows, or a folder" : "a name";
  throw new CliError("usage", `--${option} is an address, expected ${what}`, {
    hint: "DATA says which database it is",
  });
}

/** Whether --into names a folder: by a final slash, or because the source is a file. */
export function isFolder(into: string, data: readonly string[]): boolean {
  return /[/\\]$/.test(into) || ["file", "sqlite"].includes(parseAddress(data).engine);
}

/** The target of --into: a folder of Parquet files, or a table of the source's database. */
export function findTarget(
  into: string,
  data: readonly string[],
  connector: Connector,
  result: ResultColumns,
): RunTarget {
  if (isFolder(into, data)) return parquetTarget(into, connector, result);
  const { target, execute } = connector;
  if (target) return target(into);
  return execute ? duckdbTarget(connector, execute, into, result) : parquetTarget(into, connector, result);
}
