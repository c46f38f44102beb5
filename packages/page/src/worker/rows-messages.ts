import type { Row } from "conformant";

/** What the page asks of the worker that has the table: once the model, then tables, pages of them, and the results. */
export type RowsRequest =
  | { readonly modelText: string }
  | { readonly table: string | Blob; readonly id: number }
  | { readonly lines: number; readonly sorting: Sorting }
  | { readonly results: true };

/** By what the rows are sorted that are shown: their number, prediction or probability, or the cells of a column. */
export interface Sorting {
  readonly by: "row" | "prediction" | "probability" | number;
  readonly falling: boolean;
}

/** A row of the table as it is shown. */
export interface PredictedLine {
  /** Its place in the table, counted from 1. */
  readonly number: number;
  readonly cells: readonly string[];
  /** What of it the model knows. */
  readonly row: Row;
  readonly prediction: string;
  readonly probability: number;
}

/** A table that was predicted, and its first rows. */
export interface PredictedRows {
  readonly header: readonly string[];
  readonly count: number;
  readonly notes: readonly string[];
  readonly lines: readonly PredictedLine[];
  readonly sorting: Sorting;
}

export type RowsReply =
  | { readonly predicted: PredictedRows; readonly id: number }
  | { readonly failure: string; readonly id: number }
  | { readonly lines: readonly PredictedLine[]; readonly sorting: Sorting }
  | { readonly results: Blob };
