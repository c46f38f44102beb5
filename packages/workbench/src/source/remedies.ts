import type { NumberStyle } from "conformant/texts";

/** What a person can do where a table is not as expected, in the words of where they are: options of a command, or clicks. */
export interface Remedies {
  /** Keeps a column that would be left out. */
  readonly keepColumn: (name: string) => string;
  /** Keeps a column of very many texts. */
  readonly keepCategories: (name: string) => string;
  /** A text among numbers. */
  readonly strangeText: (name: string, text: string) => string;
  /** Texts that a person would take for numbers, and the mark before the fraction with which they are some. */
  readonly nearlyNumbers: (decimal: NumberStyle["decimal"] | undefined) => string;
  /** A number that can be read in two ways: as a fraction with the mark, or as thousands with the other one. */
  readonly ambiguousNumber: (mark: NumberStyle["decimal"], fraction: string, thousands: string) => string;
  /** A text that a column cannot hold. */
  readonly wrongValue: (text: string) => string;
  /** A date, of which the month may matter, or a time of the day, of which the hour may. */
  readonly date: (name: string, part: "month" | "hour") => string;
  readonly tooManyValues: string;
  readonly tooManyClasses: string;
  readonly missingLabels: (label: string) => string;
  /** Values that a classifier, which was brought along, spells otherwise. */
  readonly strangeCategories: string;
}
