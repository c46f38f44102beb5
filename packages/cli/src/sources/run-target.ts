import { quoted } from "../errors.ts";
import type { Query } from "./batch.ts";

/** A column of a result table. */
export interface ResultColumn {
  readonly name: string;
  /** Text, double, or the type of a column of the source. */
  readonly holds: "text" | "double" | { readonly like: string };
}

/** A run as its target records it. */
export interface RunRecord {
  /** What determines its predictions besides the rows, by aspect: model, source, query, columns. */
  readonly settings: Readonly<Record<string, string>>;
  /** The rows of the source, and a checksum of the columns that were used. */
  readonly rows: number;
  readonly checksum: string;
  readonly parts: number;
  /** Whether it is complete. */
  readonly done: boolean;
}

/** The rows of one part, in the form that the target needs. */
export interface PartRows {
  /** A query, if the engine of the source can compute them; otherwise they are computed here. */
  readonly select?: (() => string) | undefined;
  /** CSV for DuckDB, the header first. */
  readonly lines: () => AsyncIterable<ResultLines>;
  /** The same as columns of texts, for a server. */
  readonly batches: () => AsyncIterable<ResultBatch>;
}

/** A batch of a result, each column as texts. */
export interface ResultBatch {
  readonly rows: number;
  readonly columns: readonly (readonly (string | null)[])[];
}

/** Lines of CSV, and how many rows they hold. */
export interface ResultLines {
  readonly text: string;
  readonly rows: number;
}

/** A target that stores predictions by run; a run is either complete or as it was before. */
export interface RunTarget {
  /** Its name in messages. */
  readonly name: string;
  /** Whether a run is written in parts, which are kept when it is interrupted. */
  readonly inParts: boolean;
  /**
   * Creates the target if it is missing, otherwise checks its columns, and locks the run for this job.
   *
   * @param waiting called once if another job holds the run, with its description
   */
  readonly open: (
    run: string,
    columns: readonly ResultColumn[],
    waiting: (holder: string) => void,
  ) => Promise<RunJob>;
}

/** The name of a run in messages. */
export function runName(run: string, target: string): string {
  return `run ${quoted(run)} of ${quoted(target)}`;
}

/** A run that this job may write. */
export interface RunJob {
  /** What earlier jobs recorded. */
  readonly record: RunRecord | undefined;
  /** The number of its rows in the target. */
  readonly rows: number;
  /** Queries the source, in the same snapshot as the rows if the engine has snapshots. */
  readonly query: Query;
  /** Starts or resumes the run; returns the number of rows in each part. */
  readonly begin: (record: RunRecord) => Promise<ReadonlyMap<number, number>>;
  /** Replaces a part and returns its number of rows. */
  readonly write: (part: number, rows: PartRows) => Promise<number>;
  /** Replaces the run's rows in the target by the parts, atomically. */
  readonly publish: (record: RunRecord) => Promise<void>;
  /** Unlocks the run. */
  readonly close: () => Promise<void>;
}
