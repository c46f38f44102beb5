import type { EngineDialect, Shape, SourceColumn } from "conformant-workbench/sql";
import type { Query } from "./batch.ts";
import type { RunTarget } from "./run-target.ts";

export type { Batch, BatchColumn, Query } from "./batch.ts";

/** How the columns are going to be used. */
export interface ReadingPlan {
  /** The columns that will be asked for. */
  readonly columns: readonly string[];
}

/** A table somewhere, and the engine that reads it. */
export interface Connector {
  /** The file or table as the person called it, without a password. */
  readonly name: string;
  /** What the table is called in a query that the person writes. */
  readonly nameInQuery: string;
  readonly dialect: EngineDialect;
  /** Whether the rows live elsewhere, so that sending them here costs more than computing there. */
  readonly remote: boolean;
  readonly columns: readonly SourceColumn[];
  /** Whether numbers in its texts may have decimal commas. */
  readonly mayHaveCommas?: boolean;
  /**
   * Why all queries see the same rows: they are of one snapshot of a database, or of this machine alone. Undefined where
   * others may change them meanwhile.
   */
  readonly keepsRows: "snapshot" | "local" | undefined;
  /** Throws where a file has changed since it was opened: to be called before a result gets its name. */
  readonly requireUnchanged?: (() => void) | undefined;
  /** Fixes how the columns are read; to be called once, before the first query. */
  readonly prepare: (plan: ReadingPlan) => Promise<void>;
  /** What stands after FROM. */
  readonly relation: () => string;
  /** Runs a query and hands its result over in batches, in the order of the source. */
  readonly query: Query;
  /** The one text of each row of a query, as pieces of whole lines, where a server writes them faster than they can be read here. */
  readonly lines?: (sql: string) => AsyncIterable<Uint8Array>;
  /** A table of the same database that results can be written to next to the data, where the engine can do that. */
  readonly target?: (table: string) => RunTarget;
  /** Runs statements in the engine that reads the source, where that is in this process; the rows that the last one wrote. */
  readonly execute?: (statements: readonly string[]) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Asks for the one row of a query, as texts. */
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
