import type { NumberStyle } from "conformant/texts";
import type { StoredReading } from "conformant-workbench";
import type { FileFormat } from "./address.ts";

/** How to read a source, from the command line. */
export interface SourceOptions {
  /** A query whose result is read instead of a table; files are called `data` in it. */
  readonly sql?: string | undefined;
  /** A query in an SQLite database, whose result is copied and then called `data`. */
  readonly copying?: string | undefined;
  /** A condition on the rows, in SQL. */
  readonly where?: string | undefined;
  /** The least value of a column in the rows. */
  readonly since?: { readonly column: string; readonly value: string } | undefined;
  /** Names of one-hot groups: the source has a 0/1 column per value. */
  readonly oneHot?: readonly string[] | undefined;
  /** Whether results will be written into the same database. */
  readonly writable?: boolean | undefined;
  /** Texts that mean missing, besides the empty text. */
  readonly gaps: readonly string[];
  /** The file format (default: by the name, then by the first bytes). */
  readonly format?: FileFormat | undefined;
  /** The encoding of a CSV or JSON file, if it is not UTF-8. */
  readonly encoding?: string | undefined;
  /** Whether the first line of a CSV file is a header (default: detected). */
  readonly header?: boolean | undefined;
  /** The sheet of an Excel workbook (default: the first). */
  readonly sheet?: string | undefined;
  /** The decimal mark of numbers in texts; the other mark groups thousands (default: detected). */
  readonly decimal?: NumberStyle["decimal"] | undefined;
  /** How the model's data was read, if rows are read for a model. */
  readonly stored?: StoredReading | undefined;
  /** Takes sentences about how the rows were read. */
  readonly note?: ((text: string) => void) | undefined;
  /** Called once if the rows are locked, with the session that holds the lock. */
  readonly waiting?: ((holder: string) => void) | undefined;
  /** Whether a JSON file without rows, which has no column names, gets the expected columns. */
  readonly mayBeEmpty?: boolean | undefined;
  /** Column names from the command line or a model, by which a header is recognized. */
  readonly expected?: readonly string[] | undefined;
}
