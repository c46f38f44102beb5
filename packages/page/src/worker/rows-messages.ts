import type { Row } from "conformant";
import type { Limits } from "../frame/numbers.ts";

/** What the page asks of the worker that has the table: once the model, then tables, pages of them, and the results. */
export type RowsRequest =
  | { readonly modelText: string; readonly limits: Readonly<Record<string, Limits>> }
  | { readonly table: string | Blob; readonly id: number }
  | { readonly lines: number; readonly view: View }
  | { readonly results: View };

/** By what the rows are sorted that are shown: their number, prediction or probability, that of a class, or the cells of a column. */
export interface Sorting {
  readonly by: "row" | "prediction" | "probability" | `class ${number}` | number;
  readonly falling: boolean;
}

/** Which rows are shown, in which order. */
export interface View {
  readonly sorting: Sorting;
  /** Only rows in which the probability of a class reaches a threshold. */
  readonly filter?: { readonly class: number; readonly threshold: number } | undefined;
}

/** What a threshold finds and misses. */
export interface Found {
  /** Rows at or above it. */
  readonly shown: number;
  /** Where the table has the true classes: how many rows of the class are at or above it, and how many there are. */
  readonly right?: number;
  readonly all?: number;
}

/** A row of the table as it is shown. */
export interface PredictedLine {
  /** Its place in the table, counted from 1. */
  readonly number: number;
  readonly cells: readonly string[];
  /** What of it the model knows. */
  readonly row: Row;
  /** A class, or a number. */
  readonly prediction: string | number;
  /** Of the predicted class. */
  readonly probability: number | undefined;
  /** Of every class. */
  readonly probabilities: readonly number[];
}

/** A table that was predicted, and its first rows. */
export interface PredictedRows {
  readonly header: readonly string[];
  readonly count: number;
  readonly notes: readonly string[];
  /** Empty where numbers are predicted. */
  readonly classes: readonly string[];
  readonly lines: readonly PredictedLine[];
  readonly view: View;
  readonly found: Found;
  /** Rows that the model was fitted on, where the table has the true classes. */
  readonly trained?: number | undefined;
}

export type RowsReply =
  | { readonly predicted: PredictedRows; readonly id: number }
  | { readonly failure: string; readonly id: number }
  | Pick<PredictedRows, "lines" | "view" | "found">
  | { readonly results: Blob };
