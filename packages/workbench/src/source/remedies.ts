import type { NumberStyle } from "conformant/texts";

/** Hints for problems with a table, in the terms of the program: options of the command, or clicks on the page. */
export interface Remedies {
  /** Keeps a column that would be dropped. */
  readonly keepColumn: (name: string) => string;
  /** Keeps a column with very many texts. */
  readonly keepCategories: (name: string) => string;
  /** A text among numbers. */
  readonly strangeText: (name: string, text: string) => string;
  /** Texts that look like numbers, and the decimal mark with which they are numbers. */
  readonly nearlyNumbers: (decimal: NumberStyle["decimal"] | undefined) => string;
  /** A number with two readings: a fraction with this mark, or thousands with the other one. */
  readonly ambiguousNumber: (mark: NumberStyle["decimal"], fraction: string, thousands: string) => string;
  /** Leaves a column out. */
  readonly exclude: (name: string) => string;
  /** Keeps rows with the same value of a column together where rows are held out. */
  readonly group: (name: string) => string | undefined;
  /** Texts that may mean that a value is missing. */
  readonly readAsMissing: (texts: readonly string[]) => string;
  /** A text that a column cannot hold. */
  readonly wrongValue: (text: string) => string;
  /** A date, whose month may matter, or a time of day, whose hour may. */
  readonly date: (name: string, part: "month" | "hour") => string;
  readonly tooManyValues: string;
  readonly tooManyClasses: string;
  /** Predicts classes where a number is predicted. */
  readonly predictClasses: string;
  /** Values that an imported classifier spells differently. */
  readonly strangeCategories: string;
}
