import type { EngineDialect, Shape, SourceColumn } from "conformant-workbench/sql";
import type { Query } from "./batch.ts";
import type { RunTarget } from "./run-target.ts";

export type { Batch, BatchColumn, Query } from "./batch.ts";

/** How the columns will be used. */
export interface ReadingPlan {
  /** The columns that queries will read. */
  readonly columns: readonly string[];
}

/** A table and the engine that reads it. */
export interface Connector {
  /** The name of the file or table as the user wrote it, without a password. */
  readonly name: string;
  /** The name of the table in a query that the user writes. */
  readonly nameInQuery: string;
  readonly dialect: EngineDialect;
  /** Whether the rows are on another machine, so that sending them costs more than computing there. */
  readonly remote: boolean;
  readonly columns: readonly SourceColumn[];
  /** Whether numbers in its texts may have decimal commas. */
  readonly mayHaveCommas?: boolean;
  /**
   * Why all queries see the same rows: one snapshot of a database, or a source that only this machine changes. Undefined if
   * others may change the rows in the meantime.
   */
  readonly keepsRows: "snapshot" | "local" | undefined;
  /** Throws if a file has changed since it was opened; call it before a result gets its final name. */
  readonly requireUnchanged?: (() => void) | undefined;
  /** Decides how the columns are read; call it once, before the first query. */
  readonly prepare: (plan: ReadingPlan) => Promise<void>;
  /** The SQL after FROM. */
  readonly relation: () => string;
  /** Runs a query and streams its result in batches, in the order of the source. */
  readonly query: Query;
  /** Streams the single text column of a query as chunks of whole lines; present if a server formats them faster than this process. */
  readonly lines?: (sql: string) => AsyncIterable<Uint8Array>;
  /** A table of the same database for results; absent if the engine cannot write. */
  readonly target?: (table: string) => RunTarget;
  /** Runs statements in an engine of this process; returns the number of rows that the last one wrote. */
  readonly execute?: (statements: readonly string[]) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Returns the single row of a query, as texts. */
export async function queryRow(
  connector: Pick<Connector, "query">,
  sql: string,
  width: number,
): Promise<(string | null)[]> {
  const shapes = new Array<Shape>(width).fill("text");
  for await (const { rows, columns } of connector.query(sql, shapes, "few")) {
    if (rows > 0) return columns.map((column) => column[0] as string | null);
  }
  return new Array<null>(width).fill(null);
}
