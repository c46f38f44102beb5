import type { NumberStyle } from "conformant/texts";
import type { StoredReading } from "conformant-workbench";
import type { FileFormat } from "./address.ts";

/** How a source is to be read, as the command line says. */
export interface SourceOptions {
  /** A query whose result is read instead of a table; files are called `data` in it. */
  readonly sql?: string | undefined;
  /** A condition in SQL that the rows meet. */
  readonly where?: string | undefined;
  /** The least value of a column that the rows have. */
  readonly since?: { readonly column: string; readonly value: string } | undefined;
  /** Names of columns that the source has as one-hot groups, a column of 0 and 1 for each value. */
  readonly oneHot?: readonly string[] | undefined;
  /** Whether results are going to be written next to the data. */
  readonly writable?: boolean | undefined;
  /** Texts that stand for a gap, besides the empty one. */
  readonly gaps: readonly string[];
  /** How files are read; by their names, then by their first bytes, where it is not given. */
  readonly format?: FileFormat | undefined;
  /** The encoding of a file of CSV or JSON, where it is not UTF-8. */
  readonly encoding?: string | undefined;
  /** Whether the first line of a CSV file names the columns; found out where it is not said. */
  readonly header?: boolean | undefined;
  /** The mark before the fraction of numbers in texts; the other one groups thousands. Found out where it is not said. */
  readonly decimal?: NumberStyle["decimal"] | undefined;
  /** How the data of the model was read, where rows are read for one. */
  readonly stored?: StoredReading | undefined;
  /** Called once where the rows have to be waited for, with who has locked them. */
  readonly waiting?: ((holder: string) => void) | undefined;
  /** Whether a JSON file without rows, which names no columns, has the expected ones. */
  readonly mayBeEmpty?: boolean | undefined;
  /** Names of columns that the person or a model gave: they tell whether the first line of a CSV file is a header. */
  readonly expected?: readonly string[] | undefined;
}
