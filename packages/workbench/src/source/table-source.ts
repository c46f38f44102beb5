import type { CategoricalColumn, Classifier, ClassTilt, Schema } from "conformant";
import type { Answer, LossSums, RemoteTraining } from "conformant/remote";
import { type NumberStyle, PLAIN_NUMBERS } from "conformant/texts";
import type { ColumnCounts, TextScreen } from "../columns/column-counts.ts";
import type { NumberEvidence } from "../columns/number-evidence.ts";
import type { Remedies } from "./remedies.ts";

/** The kind of value in a source column, independent of the engine's type names. */
export type Storage = "number" | "boolean" | "text" | "time" | "other";

/** A column of a table as the source describes it. */
export interface TableColumn {
  readonly name: string;
  readonly storage: Storage;
  /** Whether a file has a name for every column but this one, as with row numbers. */
  readonly unnamed?: boolean;
  /** The engine's own name of the type, for messages. */
  readonly type: string;
}

/** How cells are read, beyond what the source determines. */
export interface CellRules {
  /** Texts that mean missing, besides the empty one. */
  readonly gaps: readonly string[];
  /** More of them in single columns. */
  readonly gapsIn?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Columns of texts that are read as numbers, and how their numbers are written. */
  readonly numbers?: ReadonlyMap<string, NumberStyle> | undefined;
  /** Columns that are read as texts, whatever they hold. */
  readonly texts?: readonly string[] | undefined;
  /** Whether every text of the numeric columns is known to be a number or missing. */
  readonly verified?: boolean;
  /** Known categories of columns; none of them means missing there. */
  readonly categories?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** Texts that stand for a gap in a column. */
export function gapsOf(name: string, { gaps, gapsIn }: CellRules): readonly string[] {
  return [...gaps, ...(gapsIn?.get(name) ?? [])];
}

/** How the texts of a column of dates or times are read as numbers; undefined for what is neither, such as a span of time. */
export function timeStyle({ storage, type }: TableColumn): NumberStyle | undefined {
  if (storage !== "time" || /interval/i.test(type)) return undefined;
  return { ...PLAIN_NUMBERS, date: /^time(?!stamp)/i.test(type) ? "time" : "year-month-day" };
}

/** A column as its cells are read. */
export interface CellField {
  readonly name: string;
  readonly storage: "number" | "boolean" | "text";
  /** Texts that mean missing in it. */
  readonly gaps: readonly string[];
  /** How its numbers are written, where they are texts in the source. */
  readonly style?: NumberStyle | undefined;
}

/** Some columns of a source and how their cells are read, by name. */
export interface CellReading {
  readonly fields: ReadonlyMap<string, CellField>;
}

/** Some rows in the codes of a schema. */
export interface CodedRows {
  readonly rows: number;
  /** The number of rows before these. */
  readonly start: number;
  readonly columns: readonly ArrayLike<number | string | null>[];
  /** The original text of a cell, by its column in the schema; null where there is none. */
  readonly text: (column: number, row: number) => string | null;
}

/** The cell to find: a missing one, a text that is not a number, or one that matches a pattern completely. */
export type SoughtCell = "gap" | "no-number" | { readonly pattern: string };

/** Labeled rows of a source; the complete ones are trained on. */
export interface LabeledCells<Cells extends CellReading> {
  readonly fields: Cells;
  readonly label: CategoricalColumn;
  /** The columns of the classifier that have missing values, and the label where rows lack it. */
  readonly withGaps: readonly string[];
}

/** Sums over all rows that an engine computes where the rows are. */
export interface RowSums<Cells extends CellReading> {
  /** About this share of the rows, in the codes of a schema; the same rows for the same seed. */
  readonly sample: (cells: Cells, schema: Schema, share: number, seed: number) => AsyncIterable<CodedRows>;
  /** Answers the expectation steps of a mixture. */
  readonly expectation: (cells: Cells, tilt: ClassTilt, hasGaps: boolean) => Answer;
  /** The number of complete rows and, for each column, Σ (x − origin) and Σ (x − origin)² over them. */
  readonly moments: (
    rows: LabeledCells<Cells>,
    columns: readonly { readonly name: string; readonly origin: number }[],
  ) => Promise<number[]>;
  /** The loss of a classifier over the complete rows and its gradient. */
  readonly loss: (
    rows: LabeledCells<Cells>,
    classifier: Classifier,
    scaling: RemoteTraining["scaling"],
  ) => Promise<LossSums>;
}

/** How all passes are known to have seen the same rows. */
export type SteadySource =
  | { readonly by: "snapshot" }
  | { readonly by: "checksum"; readonly rows: number; readonly checksum: string };

/** Compares the rows of a source before the first pass over it and after the last. */
export interface SourceWatch {
  /** The state before the first pass, by name; empty where the rows cannot change. */
  readonly state: () => Readonly<Record<string, string>>;
  /** Throws where the rows have changed since; undefined for local sources, which are not compared. */
  readonly finish: () => Promise<SteadySource | undefined>;
  /** Throws where changed rows may explain an unexpected failure. */
  readonly afterFailure: (thrown: unknown) => Promise<void>;
}

/**
 * A table that can be queried about its columns: files and databases, counted by an engine, or rows in memory. The rules for kinds of
 * columns and all training use only this interface, so that they give the same model wherever the rows are.
 */
export interface TableSource<Cells extends CellReading = CellReading> {
  /** The file or table as the user named it. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Whether rows come in no particular order, as from a server. */
  readonly remote: boolean;
  /** Whether numbers in its texts may have decimal commas. */
  readonly mayHaveCommas: boolean;
  readonly remedies: Remedies;
  /** Sets the columns to read; called once, before the first query. */
  readonly prepare: (names: readonly string[]) => Promise<void>;
  /** The named columns, those that the source has and that are no dates or nested values, read by rules. */
  readonly cells: (names: readonly string[], rules: CellRules) => Cells;
  /** How often each value of the named columns occurs. */
  readonly count: (
    cells: Cells,
    names: readonly string[],
    bins: number,
    progress?: (done: number) => void,
  ) => Promise<ColumnCounts>;
  /** How the numbers of text columns are written. */
  readonly evidence: (cells: Cells, names: readonly string[]) => Promise<NumberEvidence[]>;
  /** The texts of the first rows of each named column; null where a row has none. */
  readonly beginning: (
    cells: Cells,
    names: readonly string[],
    rows: number,
  ) => Promise<readonly (readonly (string | null)[])[]>;
  /** The text columns with more than `most` different values at their beginning, which should not all be counted. */
  readonly findManyValued: (cells: Cells, most: number) => Promise<string[]>;
  /** Scans all values of one column without counting each. */
  readonly screen: (cells: Cells, name: string, style: NumberStyle) => Promise<TextScreen>;
  /** The texts in columns of numbers that are not numbers, and the rows that have each; columns without any are absent. */
  readonly strays: (
    cells: Cells,
    names: readonly string[],
  ) => Promise<ReadonlyMap<string, ReadonlyMap<string, number>>>;
  /** The first such cell of a column: its row, from 1, and its text. */
  readonly find: (
    cells: Cells,
    name: string,
    sought: SoughtCell,
  ) => Promise<{ readonly row: number; readonly text: string }>;
  /** All rows in the codes of a schema, in order, optionally with their texts; a cell that its column cannot hold is an error. */
  readonly rows: (cells: Cells, schema: Schema, withTexts?: boolean) => AsyncIterable<CodedRows>;
  /** The most distinct values of a column that are counted. */
  readonly mostCounted: number;
  /** The most bytes of coded rows in memory. Larger tables are sampled, read in passes, or summed by the engine. */
  readonly memoryBudget: number;
  /** Sums that an engine computes where the rows are; used for remote sources, so that rows need not be sent. */
  readonly sums?: RowSums<Cells> | undefined;
  /** Present where a fit has to check that all passes see the same rows. */
  readonly watch?: SourceWatch | undefined;
}
