import type { ClassifierJson, RegressionTreesJson, RegressorJson, TreesJson } from "conformant";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { TableColumn } from "../source/table-source.ts";

/** An imported classifier or regressor, as every reader of this folder returns it. */
export interface ImportedClassifier {
  readonly json: ClassifierJson | RegressorJson | TreesJson | RegressionTreesJson;
  /** Notes for the user: properties of the file that a conformant model does not need. */
  readonly notes: readonly string[];
  /**
   * Features `column=value` that were guessed from names such as R's `sexmale`. The value must occur in the data; otherwise the guess, or
   * the kind of contrast, was wrong.
   */
  readonly guessed?: ReadonlyMap<string, string>;
  /** Numbers that are binned, with their edges; the features are the bins. */
  readonly edges?: ReadonlyMap<string, readonly number[]>;
  /** Features whose categories the file only numbers: 0, 1, … stand for names that it does not contain. */
  readonly counted?: readonly string[];
}

/** How messages name the ways to describe a classifier's file: options of the command, or fields of the page. */
export interface ClassifierWords {
  /** Names of features. */
  readonly columns: string;
  /** Names of classes. */
  readonly classes: string;
  /** Names of the values of columns. */
  readonly categories: string;
  /** How to declare a text as missing. */
  readonly gap: (text: string) => string;
}

/** Reads one format. */
export type ClassifierReader = (bytes: Uint8Array, context: ReadingContext) => ImportedClassifier;

/** What a reader may need besides the file. */
export interface ReadingContext {
  /** The name of the file, for messages. */
  readonly path: string;
  /** The columns of the data. */
  readonly columns: readonly TableColumn[];
  readonly words: ClassifierWords;
  /** Readers of large formats, loaded on demand; without one, such a file is rejected. */
  readonly readers: Readonly<Partial<Record<"onnx" | "pmml", ClassifierReader>>>;
  /** Names for features without one in the file, in order. */
  readonly names?: readonly string[] | undefined;
}

/** Whether an imported classifier or regressor is made of trees. */
export function isTrees(json: ImportedClassifier["json"]): json is TreesJson | RegressionTreesJson {
  return "trees" in json;
}

/** Whether it predicts a number. */
export function isNumber(json: ImportedClassifier["json"]): json is RegressorJson | RegressionTreesJson {
  return "output" in json;
}

/** The name of a number that its file does not name. */
export const UNNAMED_OUTPUT = "prediction";

/** The most characters of a reason; parsers quote whole documents. */
const LONGEST_REASON = 300;

/** The error for a file that cannot be used as a classifier; its message begins with the name of the file. */
export function refuseFile(path: string, why: string, hint?: string, cause?: unknown): TableError {
  const short = why.length > LONGEST_REASON ? `${why.slice(0, LONGEST_REASON)}…` : why;
  return new TableError("invalid-classifier", `${quoted(path)}: ${short}`, { hint, cause });
}

/** The largest file that is read: enough for a million weights. */
export const MOST_BYTES = 64 * 2 ** 20;
