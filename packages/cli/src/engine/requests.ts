/** A column of a table as a caller sends it: each different value once, and for each row which of them it is, −1 for none. */
export interface SentColumn {
  readonly name: string;
  readonly storage: "number" | "boolean" | "text" | "time" | "other";
  /** The caller's name of the type, for messages. */
  readonly type: string;
  /** The values as texts, or numbers as little-endian doubles in base64. */
  readonly texts?: readonly string[];
  readonly numbers?: string;
  /** Little-endian 32-bit integers in base64. */
  readonly codes: string;
}

/** A table, the columns of which follow on lines of their own: one line could be longer than a string may be. */
export interface SentTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
}

/** What a caller can ask. A model is sent once, and is called by its id from then on. */
export type Request =
  | {
      readonly op: "fit";
      /** Options as on the command line of `fit`. */
      readonly words: readonly string[];
      /** The file of an existing classifier in base64. */
      readonly classifier?: string;
      readonly table: SentTable;
    }
  | { readonly op: "model"; readonly id: string; readonly model: string; readonly calibration?: string }
  | { readonly op: "predict" | "explain" | "ask"; readonly id: string; readonly body: unknown }
  | {
      readonly op: "evaluate";
      readonly id: string;
      readonly options: EvaluateRequest;
      readonly table: SentTable;
    }
  | {
      readonly op: "calibrate";
      readonly id: string;
      readonly options: LabelRequest;
      readonly table: SentTable;
    };

/** The label of a table, and which of its rows are read at most. */
export interface LabelRequest {
  readonly label: string;
  readonly rows: number;
  readonly seed: number;
  /** Texts that stand for a missing value, besides the usual ones. */
  readonly missingTexts: readonly string[];
}

export interface EvaluateRequest extends LabelRequest {
  readonly missing: readonly number[];
  readonly repeats: number;
  readonly against: readonly string[];
  readonly mechanism: "mcar" | "mar" | "mnar";
}

/** A line of an answer: the last one has a result or an error. */
export interface Answer {
  /** The first line of all: the version of Node.js. */
  readonly ready?: string;
  readonly warning?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string | undefined };
}
