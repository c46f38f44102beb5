import type {
  AskedKind,
  ColumnEffect,
  Evaluation,
  NumberEvaluation,
  ScoredAnswers,
  Task,
} from "conformant-workbench";
import type { ModelVerdict } from "conformant-workbench/describe";
import type { MissingPattern } from "./missing-patterns.ts";
import type { ColumnSummary } from "./summarize-column.ts";

/** A file that was dropped, chosen, pasted, or is an example. */
export interface StudyFile {
  readonly name: string;
  readonly content: Blob;
}

/** What a person says about a table. */
export interface TableChoices {
  /** Whether the first line has the names, where it is said. */
  readonly header?: boolean | undefined;
  /** The encoding of a text file; UTF-8 where it is not said. */
  readonly encoding?: string | undefined;
  /** The sheet of an Excel workbook; the first where it is not said. */
  readonly sheet?: string | undefined;
  /** What columns are, where it is said. */
  readonly kinds: Readonly<Record<string, AskedKind>>;
  /** Columns that are not to be used. */
  readonly exclude: readonly string[];
  /** Texts that stand for a gap besides the usual ones. */
  readonly gaps: readonly string[];
  /** The mark before the fraction of numbers, where it is said. */
  readonly decimal?: "point" | "comma" | undefined;
}

/** Names that the file of a classifier lacks, in its order: of its columns, its classes, and the values of columns, begun by `column=`. */
export interface ImportedNames {
  readonly columns: readonly string[];
  readonly classes: readonly string[];
  readonly categories: readonly string[];
}

/** What is to be made of a table. */
export interface FitChoices extends TableChoices {
  /** The label column; an imported classifier needs none. */
  readonly label?: string | undefined;
  /** The classifier to train, or "imported" for one from a file. */
  readonly model: "auto" | "logistic" | "trees" | "imported";
  readonly names: ImportedNames;
  /** Whether the label is a class or a number, where it is said; else its values decide. */
  readonly task?: Task | undefined;
  readonly seed: number;
}

/** What the page asks of the worker that has the table. */
export type TableMessage =
  | { readonly open: StudyFile; readonly choices: TableChoices }
  | { readonly survey: TableChoices }
  | { readonly classifier: StudyFile; readonly choices: FitChoices }
  | { readonly rows: readonly [from: number, to: number] };

/** What a table is, at a glance. */
export interface TableSummary {
  readonly rows: number;
  readonly columns: readonly ColumnSummary[];
  /** The most frequent sets of columns that are missing in the same rows. */
  readonly patterns: readonly MissingPattern[];
}

/** An imported classifier applied to the table. */
export interface ImportedSummary {
  readonly kind: "logistic" | "trees";
  readonly classes: readonly string[];
  /** The columns that it uses. */
  readonly columns: readonly string[];
  /** The column that it predicts, where its file says so and the table has it. */
  readonly label: string | undefined;
  readonly notes: readonly string[];
}

/** What that worker says. */
export type TableReply =
  | { readonly reading: number }
  | { readonly sheets: readonly string[] }
  | { readonly imported: ImportedSummary | Failure }
  | { readonly summary: TableSummary }
  | { readonly cells: readonly (readonly (string | null)[])[]; readonly from: number }
  | { readonly failure: Failure };

/** What went wrong, in words, and what may help. */
export interface Failure {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What a model was made of, in the report. */
export interface FitReport {
  readonly rows: number;
  readonly columns: readonly string[];
  /** The least and the largest number of each column of numbers. */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>;
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  /** The number that is predicted: its name and its least and largest value. */
  readonly number?: { readonly name: string; readonly range: readonly [number, number] } | undefined;
  /** The classes, with their rows where the table has the answers; none where a number is predicted. */
  readonly classes: readonly { readonly name: string; readonly rows?: number }[];
  /** On rows that were not trained on. */
  /** How good the model is on new rows. */
  readonly verdict?: ModelVerdict | undefined;
  readonly warnings: readonly string[];
  /** Sizes that the time did not suffice for. */
  readonly untried: readonly number[];
  readonly seconds: number;
}

/** The scores of a model on masked rows. */
export type StudyEvaluation = ClassEvaluation | { readonly numbers: NumberEvaluation };

/** The scores of predicted classes. */
export interface ClassEvaluation {
  readonly evaluation: Evaluation;
  /** The share of cells masked for `scored` and `columns`. */
  readonly masked: number;
  readonly scored: ScoredAnswers;
  readonly columns: readonly ColumnEffect[];
  readonly classes: readonly string[];
}

/** How far a fit has come. */
export interface FitProgress {
  readonly what: string;
  /** From 0 to 1, where it is known. */
  readonly share?: number | undefined;
}

/** What the worker of a fit says; it is asked once, for a file and choices. */
export type FitReply =
  | { readonly progress: FitProgress }
  | { readonly tried: readonly { readonly components: number; readonly logLikelihood: number }[] }
  | { readonly model: string; readonly report: FitReport }
  /** Undefined where no row has an answer to compare with. */
  | { readonly results: StudyEvaluation | undefined }
  | { readonly failure: Failure };

export interface FitMessage {
  readonly file: StudyFile;
  readonly choices: FitChoices;
  /** The file of the imported classifier, if that was chosen. */
  readonly imported?: StudyFile | undefined;
}
