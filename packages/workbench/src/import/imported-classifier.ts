import type { ClassifierJson, TreesJson } from "conformant";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { TableColumn } from "../source/table-source.ts";

/** A classifier that was trained elsewhere, as every reader of this folder hands it over. */
export interface ImportedClassifier {
  readonly json: ClassifierJson | TreesJson;
  /** What a person should know: what the file has that a conformant model does without. */
  readonly notes: readonly string[];
  /**
   * Features `column=value` that were guessed from names such as R's `sexmale`: the value must occur in the data, for
   * otherwise the guess, or the kind of contrast, was another one.
   */
  readonly guessed?: ReadonlyMap<string, string>;
  /** Numbers that count by their bins, with the edges between them; the features are the bins. */
  readonly edges?: ReadonlyMap<string, readonly number[]>;
  /** Features whose categories the file only counts: 0, 1, … stand for names that are not in it. */
  readonly counted?: readonly string[];
}

/** What can be said about a classifier's file, by the names that this has where a person is: options of a command, or fields of a page. */
export interface ClassifierWords {
  /** Names of features. */
  readonly columns: string;
  /** Names of classes. */
  readonly classes: string;
  /** Names of the values of columns. */
  readonly categories: string;
  /** How one says that a text means a gap. */
  readonly gap: (text: string) => string;
}

/** Reads one format. */
export type ClassifierReader = (bytes: Uint8Array, context: ReadingContext) => ImportedClassifier;

/** What a reader may need to know besides the file. */
export interface ReadingContext {
  /** The name of the file, for messages. */
  readonly path: string;
  /** The columns of the data. */
  readonly columns: readonly TableColumn[];
  readonly words: ClassifierWords;
  /** Readers of formats that take much to read; without one, such a file is refused. */
  readonly readers: Readonly<Partial<Record<"onnx" | "pmml", ClassifierReader>>>;
  /** Names for features that the file leaves without one, in order. */
  readonly names?: readonly string[] | undefined;
}

/** Whether a classifier that was read is made of trees. */
export function isTrees(json: ImportedClassifier["json"]): json is TreesJson {
  return "trees" in json;
}

/** Characters of a reason; parsers quote whole documents where they stumble. */
const LONGEST_REASON = 300;

/** A file that cannot be used as a classifier; the message begins with its name. */
export function refuseFile(path: string, why: string, hint?: string, cause?: unknown): TableError {
  const short = why.length > LONGEST_REASON ? `${why.slice(0, LONGEST_REASON)}…` : why;
  return new TableError("invalid-classifier", `${quoted(path)}: ${short}`, { hint, cause });
}

/** Largest file that is read: what a classifier of a million weights takes, with room to spare. */
export const MOST_BYTES = 64 * 2 ** 20;
