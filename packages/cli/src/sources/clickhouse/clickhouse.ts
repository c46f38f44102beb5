import type { Storage } from "conformant-workbench";
import {
  clickhouseDialect,
  clickhouseWithoutSettings,
  type SourceColumn,
  splitName,
} from "conformant-workbench/sql";
import type { ServerAddress } from "../address.ts";
import type { Connector } from "../connector.ts";
import type { SourceOptions } from "../source-options.ts";
import { ClickhouseServer } from "./clickhouse-server.ts";
import { clickhouseTarget } from "./clickhouse-target.ts";

/** Reads a table or a query of a ClickHouse server; a Distributed table is read on all servers that hold a part of it. */
export async function openClickhouse(address: ServerAddress, options: SourceOptions): Promise<Connector> {
  const { table, name } = address;
  const relation = options.sql
    ? `(${options.sql.trim().replace(/;\s*$/, "")}\n)`
    : splitName(table ?? "")
        .map(clickhouseDialect.identifier)
        .join(".");
  const server = await ClickhouseServer.open(address);
  try {
    const columns = await describe(server, relation);
    return {
      name,
      nameInQuery: table ? relation : "…",
      dialect: server.isFixed ? clickhouseWithoutSettings : clickhouseDialect,
      remote: true,
      keepsRows: undefined,
      columns,
      prepare: async () => undefined,
      relation: () => relation,
      query: (sql, shapes) => server.stream(sql, shapes),
      lines: (sql) => server.lines(sql),
      target: (into) => clickhouseTarget(server, into, columns),
      close: () => server.close(),
    };
  } catch (thrown) {
    await server.close();
    throw thrown;
  }
}

async function describe(server: ClickhouseServer, relation: string): Promise<SourceColumn[]> {
  const { names, types } = await server.describe(`SELECT * FROM ${relation} LIMIT 0`);
  return names.map((name, c) => ({ name, type: types[c], storage: storageOf(types[c]) }));
}

/** By the name of the type, without wrappers that only change its storage. */
function storageOf(type: string): Storage {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type) ?? [];
  if (inner !== undefined) return storageOf(inner);
  if (/^(U?Int\d+|Float\d+|BFloat16|Decimal)/.test(type)) return "number";
  if (/^(String|FixedString|Enum|UUID|IPv[46])/.test(type)) return "text";
  if (/^(Date|Time)/.test(type)) return "time";
  return type === "Bool" ? "boolean" : "other";
}
