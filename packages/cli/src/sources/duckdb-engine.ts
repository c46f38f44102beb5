import { totalmem } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { CliError, quoted } from "../errors.ts";
import { callEngine, onStop, touchEngine } from "../output/cleanup.ts";
import { scratchFolder } from "../output/scratch-folder.ts";

/** The share of the machine's memory that the engine may take, and what it takes at least. */
const [SHARE, LEAST] = [1 / 4, 640 * 10 ** 6];

export interface Engine {
  readonly connection: DuckDBConnection;
  readonly close: () => void;
}

/** Starts DuckDB in this process. It spills to the scratch folder and fetches nothing from the network. */
export function startEngine(): Promise<Engine> {
  return callEngine(createEngine);
}

async function createEngine(): Promise<Engine> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: memoryLimit(process.env.CONFORMANT_MEMORY),
    temp_directory: join(scratchFolder(), "spill"),
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

/** What the engine may take for itself: a share of the machine's memory, or what the environment says. */
function memoryLimit(said: string | undefined): string {
  if (said === undefined) {
    const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    return `${Math.round(Math.max(LEAST, machine * SHARE) / 10 ** 6)}MB`;
  }
  if (/^\s*\d+(?:\.\d+)?\s*[KMGT]i?B\s*$/i.test(said)) return said.trim();
  throw new CliError("usage", `CONFORMANT_MEMORY must be a size such as 640MB or 4GB, got ${quoted(said)}`);
}

/** Runs one statement in an engine of its own. */
export async function runDuckdb(sql: string): Promise<void> {
  const { connection, close } = await startEngine();
  try {
    await callEngine(() => connection.run(sql));
  } finally {
    close();
  }
}
