import { quoted } from "../errors.ts";
import type { Query } from "./batch.ts";

/** Columns of a table of results. */
export interface ResultColumn {
  readonly name: string;
  /** Text, double, or the type of a column of the source. */
  readonly holds: "text" | "double" | { readonly like: string };
}

/** A run as its target remembers it. */
export interface RunRecord {
  /** What its answers follow from besides the rows, by aspect: model, source, query, columns. */
  readonly settings: Readonly<Record<string, string>>;
  /** The rows of the source, and a checksum of the columns that were used. */
  readonly rows: number;
  readonly checksum: string;
  readonly parts: number;
  /** Whether all of it was written. */
  readonly done: boolean;
}

/** The rows of one part, to be asked for as the target takes them. */
export interface PartRows {
  /** A query for the engine that has them, where it can compute them; else they are computed here. */
  readonly select?: (() => string) | undefined;
  /** CSV for DuckDB, the header first. */
  readonly lines: () => AsyncIterable<ResultLines>;
  /** The same as columns of texts, for a server. */
  readonly batches: () => AsyncIterable<ResultBatch>;
}

/** Some rows of a result, a column of texts for each of its columns. */
export interface ResultBatch {
  readonly rows: number;
  readonly columns: readonly (readonly (string | null)[])[];
}

/** Lines of CSV, and how many rows they hold. */
export interface ResultLines {
  readonly text: string;
  readonly rows: number;
}

/** Where predictions are kept by runs, each of them once and whole or as it was before. */
export interface RunTarget {
  /** How it is called in messages. */
  readonly name: string;
  /** Whether it is given its rows in parts that are kept when it is interrupted. */
  readonly inParts: boolean;
  /**
   * Makes the target where it is missing, checks its columns where it is there, and takes the run for this job alone.
   *
   * @param waiting called once, where another job has the run, with what is known of it
   */
  readonly open: (
    run: string,
    columns: readonly ResultColumn[],
    waiting: (holder: string) => void,
  ) => Promise<RunJob>;
}

/** A run as messages call it. */
export function runName(run: string, target: string): string {
  return `run ${quoted(run)} of ${quoted(target)}`;
}

/** A run that this job may write. */
export interface RunJob {
  /** What is known of it from earlier jobs. */
  readonly record: RunRecord | undefined;
  /** How many rows of it the target holds. */
  readonly rows: number;
  /** Asks the source, in the state that the rows are taken from where the engine can hold one. */
  readonly query: Query;
  /** Begins or goes on with the run; the rows that its parts have already. */
  readonly begin: (record: RunRecord) => Promise<ReadonlyMap<number, number>>;
  /** Writes a part in place of what it holds, and says how many rows that were. */
  readonly write: (part: number, rows: PartRows) => Promise<number>;
  /** Puts the parts in the place of what the target held of the run, all at once. */
  readonly publish: (record: RunRecord) => Promise<void>;
  /** Gives the run free. */
  readonly close: () => Promise<void>;
}
