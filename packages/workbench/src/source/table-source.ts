import type { CategoricalColumn, Classifier, ClassTilt, Schema } from "conformant";
import type { Answer, LossSums, RemoteTraining } from "conformant/remote";
import type { NumberStyle } from "conformant/texts";
import type { ColumnCounts, TextScreen } from "../columns/column-counts.ts";
import type { NumberEvidence } from "../columns/number-evidence.ts";
import type { Remedies } from "./remedies.ts";

/** What a column of a source holds, whatever the engine calls it. */
export type Storage = "number" | "boolean" | "text" | "time" | "other";

/** A column of a table as it was found. */
export interface TableColumn {
  readonly name: string;
  readonly storage: Storage;
  /** Whether a file has no name for it, though it has names for others: what programs number rows with. */
  readonly unnamed?: boolean;
  /** The engine's own name of the type, for messages. */
  readonly type: string;
}

/** How cells are read, where the source alone does not tell. */
export interface CellRules {
  /** Texts that stand for a gap, besides the empty one. */
  readonly gaps: readonly string[];
  /** Columns of texts that are read as numbers, and how their numbers are written. */
  readonly numbers?: ReadonlyMap<string, NumberStyle> | undefined;
  /** Columns that are read as texts, whatever they hold. */
  readonly texts?: readonly string[] | undefined;
  /** Whether every text of the columns of numbers is known to be a number or a gap. */
  readonly verified?: boolean;
  /** Categories that a column is known to have; none of them is a gap in it. */
  readonly categories?: ReadonlyMap<string, readonly string[]> | undefined;
}

/** A column as its cells are read. */
export interface CellField {
  readonly name: string;
  readonly storage: "number" | "boolean" | "text";
  /** Texts that stand for a gap in it. */
  readonly gaps: readonly string[];
  /** How its numbers are written, where they are texts in the source. */
  readonly style?: NumberStyle | undefined;
}

/** Columns of a source as their cells are read, by name; a source knows more of them. */
export interface CellReading {
  readonly fields: ReadonlyMap<string, CellField>;
}

/** Some rows in the codes of a schema. */
export interface CodedRows {
  readonly rows: number;
  /** How many rows came before. */
  readonly start: number;
  readonly columns: readonly ArrayLike<number | string | null>[];
  /** The text of a cell as it stands in the source, by its column in the schema; null where there is none. */
  readonly text: (column: number, row: number) => string | null;
}

/** Which cell is looked for: a gap, a text that is no number, or one that matches a pattern as a whole. */
export type SoughtCell = "gap" | "no-number" | { readonly pattern: string };

/** Labeled rows of a source, of which the complete ones are trained on. */
export interface LabeledCells<Cells extends CellReading> {
  readonly fields: Cells;
  readonly label: CategoricalColumn;
  /** The columns of the classifier that have missing values. */
  readonly withGaps: readonly string[];
}

/** Sums over all rows that an engine computes where the rows are. */
export interface RowSums<Cells extends CellReading> {
  /** About the given share of the rows, in the codes of a schema: the same rows for the same seed. */
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

/** Why all passes over a source saw the same rows. */
export type SteadySource =
  | { readonly by: "snapshot" }
  | { readonly by: "checksum"; readonly rows: number; readonly checksum: string };

/** Compares the rows of a source before the first pass over it and after the last. */
export interface SourceWatch {
  /** What was seen before the first pass, by name; empty where the rows cannot change. */
  readonly state: () => Readonly<Record<string, string>>;
  /** Throws where the rows have changed since; undefined for a source of this machine, which is not compared. */
  readonly finish: () => Promise<SteadySource | undefined>;
  /** Throws where changed rows may be the cause of an unexpected failure. */
  readonly afterFailure: (thrown: unknown) => Promise<void>;
}

/**
 * A table that can be asked about its columns: files and databases that an engine counts, or rows in memory. The rules for kinds
 * of columns and all training ask nothing else, so that they come to the same model wherever the rows are.
 */
export interface TableSource<Cells extends CellReading = CellReading> {
  /** The file or table as the person called it. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Whether rows come in any order, as a server has them. */
  readonly remote: boolean;
  /** Whether numbers in its texts may have decimal commas. */
  readonly mayHaveCommas: boolean;
  readonly remedies: Remedies;
  /** Fixes which columns are read; to be called once, before the first question. */
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
  /** Of the text columns with a style, those whose first values are all numbers: a guess that saves work and decides nothing. */
  readonly guessNumbers: (
    cells: Cells,
    styles: ReadonlyMap<string, NumberStyle>,
  ) => Promise<Map<string, NumberStyle>>;
  /** The text columns with more than `most` different values at their beginning, which should not all be counted. */
  readonly findManyValued: (cells: Cells, most: number) => Promise<string[]>;
  /** Looks at all values of one column without counting each. */
  readonly screen: (cells: Cells, name: string, style: NumberStyle) => Promise<TextScreen>;
  /** The first such cell of a column: its row, counted from 1, and its text. */
  readonly find: (
    cells: Cells,
    name: string,
    sought: SoughtCell,
  ) => Promise<{ readonly row: number; readonly text: string }>;
  /** All rows in the codes of a schema, in order, and the texts behind them where asked for; a cell that its column cannot hold is an error. */
  readonly rows: (cells: Cells, schema: Schema, withTexts?: boolean) => AsyncIterable<CodedRows>;
  /** More different values of a column than this are not counted. */
  readonly mostCounted: number;
  /** Bytes of coded rows that may be held in memory; of more a sample is read, and the rest is read in passes or summed by the engine. */
  readonly memoryBudget: number;
  /** Sums that an engine computes where the rows are; used where they are remote, so that they need not be sent. */
  readonly sums?: RowSums<Cells> | undefined;
  /** Present where a fit has to make sure that all passes see the same rows. */
  readonly watch?: SourceWatch | undefined;
}
