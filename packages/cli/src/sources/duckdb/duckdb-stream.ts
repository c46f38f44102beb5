import type { DuckDBConnection } from "@duckdb/node-api";
import type { Shape } from "conformant-workbench/sql";
import { CliError } from "../../errors.ts";
import type { Batch } from "../connector.ts";
import { readChunk } from "./duckdb-chunk.ts";
import type { Guard } from "./duckdb-errors.ts";

/**
 * Streams the result of a query. After an error, the driver ends a stream as if the rows had ended, so a last row is
 * added to every result; if it is missing, the query is run again for its error.
 */
export async function* streamQuery(
  connection: DuckDBConnection,
  sql: string,
  shapes: readonly Shape[],
  run: Guard,
): AsyncGenerator<Batch> {
  const last = shapes.map(() => "NULL").join(", ");
  const result = await run(() =>
    connection.stream(`SELECT *, 0 AS is_last FROM (${sql}) AS rows UNION ALL SELECT ${last}, 1`),
  );
  for (;;) {
    const batch = await run(async () => {
      const chunk = await result.fetchChunk();
      return chunk === null || chunk.rowCount === 0 ? undefined : readChunk(chunk, [...shapes, "code"]);
    });
    if (batch === undefined) return await run(() => fail(connection, sql));
    const { rows, columns } = batch;
    const isComplete = (columns[shapes.length] as Int32Array)[rows - 1] === 1;
    const kept = isComplete ? rows - 1 : rows;
    if (kept > 0)
      yield {
        rows: kept,
        columns: columns.slice(0, -1).map((column) => (kept < rows ? column.slice(0, kept) : column)),
      };
    if (isComplete) return;
  }
}

/** Runs the query for its error, discarding the result. */
async function fail(connection: DuckDBConnection, sql: string): Promise<never> {
  await connection.run(`SELECT count(COLUMNS(*)) FROM (${sql}) AS rows`);
  throw new CliError("source", "the engine stopped before the last row without saying why");
}
