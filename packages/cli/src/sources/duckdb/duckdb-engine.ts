import { availableParallelism } from "node:os";
import type { DuckDBConnection } from "@duckdb/node-api";
import { callEngine, onStop, touchEngine } from "../../output/cleanup.ts";
import { scratchFolder } from "../../output/scratch-folder.ts";
import { DuckDBInstance } from "./duckdb-driver.ts";
import { memoryBudget } from "./memory-budget.ts";

export interface Engine {
  readonly connection: DuckDBConnection;
  readonly close: () => void;
}

/** Memory that DuckDB needs per thread: read buffers and parsed rows. */
const BYTES_PER_THREAD = 125 * 10 ** 6;

/** Starts DuckDB in this process. It spills to the scratch folder and fetches nothing from the network. */
export function startEngine(): Promise<Engine> {
  return callEngine(createEngine);
}

async function createEngine(): Promise<Engine> {
  const budget = memoryBudget();
  const threads = Math.min(availableParallelism(), Math.floor(budget / BYTES_PER_THREAD));
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${Math.round(budget / 10 ** 6)}MB`,
    threads: String(Math.max(1, threads)),
    temp_directory: scratchFolder(),
    autoinstall_known_extensions: "false",
  });
  const connection = await instance.connect();
  const forget = onStop(() => connection.interrupt());
  return {
    connection,
    close: () => {
      forget();
      touchEngine(() => {
        connection.closeSync();
        instance.closeSync();
      });
    },
  };
}

/** Returns the first column of a query's result, from a separate engine. */
export async function readDuckdb(sql: string): Promise<string[]> {
  const { connection, close } = await startEngine();
  try {
    const rows = await callEngine(async () => (await connection.run(sql)).getRows());
    return rows.map(([value]) => String(value));
  } finally {
    close();
  }
}

/** Runs one statement in a separate engine. */
export async function runDuckdb(sql: string): Promise<void> {
  const { connection, close } = await startEngine();
  try {
    await callEngine(() => connection.run(sql));
  } finally {
    close();
  }
}
