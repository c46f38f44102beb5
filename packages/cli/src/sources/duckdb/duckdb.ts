import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckdbDialect, namedColumnSql, quoteLiteral } from "conformant-workbench/sql";
import { CliError, quoted } from "../../errors.ts";
import { scratchFolder } from "../../output/scratch-folder.ts";
import type { Connector, ReadingPlan } from "../connector.ts";
import { readHead } from "../files/file-head.ts";
import { DUCKDB_DATABASE, foreignFormat } from "../files/foreign-format.ts";
import { checkReadable } from "../files/input-file.ts";
import type { OpenedSource } from "../opened-source.ts";
import type { SourceOptions } from "../source-options.ts";
import { type DuckdbAddress, describeSource } from "./duckdb-describe.ts";
import { startEngine } from "./duckdb-engine.ts";
import { guard } from "./duckdb-errors.ts";
import { streamQuery } from "./duckdb-stream.ts";

/** Opens files, standard input and DuckDB databases. */
export async function openDuckdb(address: DuckdbAddress, options: SourceOptions): Promise<Connector> {
  const { name } = address;
  if (address.engine === "duckdb") {
    checkReadable(address.path, name);
    requireDuckdb(address.path, name);
  }
  if (address.engine === "sqlite") checkReadable(address.path, name);
  const { connection, close } = await startEngine();
  const run = guard(name, () => 0);
  try {
    const opened = await run(() => describeSource(connection, address, options));
    const nameInQuery = address.engine === "duckdb" ? (address.table ?? "…") : "data";
    return createConnector(connection, close, { name, nameInQuery }, opened);
  } catch (thrown) {
    close();
    throw thrown;
  }
}

/** Throws for a database of another program, which DuckDB would want to download an extension for. */
function requireDuckdb(path: string, name: string): void {
  const foreign = foreignFormat(readHead(path, false));
  if (!foreign || foreign.is === DUCKDB_DATABASE) return;
  throw new CliError("unreadable-file", `${quoted(name)} is ${foreign.is}, expected a DuckDB database`, {
    hint: foreign.hint,
  });
}

function createConnector(
  connection: DuckDBConnection,
  close: () => void,
  names: Pick<Connector, "name" | "nameInQuery">,
  opened: OpenedSource,
): Connector {
  let { relation } = opened;
  const run = guard(names.name, () => opened.headerLines);
  return {
    ...names,
    dialect: duckdbDialect,
    remote: false,
    columns: opened.columns,
    mayHaveCommas: opened.mayHaveCommas,
    keepsRows: "local",
    requireUnchanged: opened.requireUnchanged,
    prepare: (plan) =>
      run(async () => {
        if (opened.isCopied) relation = await copyColumns(connection, opened, plan);
      }),
    relation: () => relation,
    query: (sql, shapes) => streamQuery(connection, sql, shapes, run),
    execute: (statements) =>
      run(async () => {
        let written = 0;
        for (const statement of statements) {
          const [row] = await (await connection.run(statement)).getRows();
          written = Number(row?.[0] ?? 0);
        }
        return written;
      }),
    close: async () => close(),
  };
}

/** Copies columns of a source into a table of the engine. */
async function copyColumns(
  connection: DuckDBConnection,
  { columns, relation }: OpenedSource,
  plan: ReadingPlan,
): Promise<string> {
  const source = { dialect: duckdbDialect, columns, relation: () => relation };
  const needed = new Set(plan.columns.map((name) => namedColumnSql(source, name)));
  const file = join(scratchFolder(), `${randomUUID()}.duckdb`);
  await connection.run(`ATTACH ${quoteLiteral(file)} AS conformant_scratch`);
  await connection.run(
    `CREATE TABLE conformant_scratch.main.copy AS SELECT ${[...needed].join(", ")} FROM ${relation}`,
  );
  return "conformant_scratch.main.copy";
}
