import { DuckDBInstance } from "@duckdb/node-api";

/** Runs statements in an engine of its own and gives back the rows of the last one. */
export async function duckdb(...statements: readonly string[]): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    let rows: unknown[][] = [];
    for (const statement of statements)
      rows = (await (await connection.run(statement)).getRowsJson()) as unknown[][];
    return rows;
  } finally {
    connection.closeSync(); // a file that stays open is locked
    instance.closeSync();
  }
}
