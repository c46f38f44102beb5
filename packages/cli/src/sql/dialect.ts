/** How one engine writes what the SQL of this folder needs. Expressions go in and out as text. */
export interface Dialect {
  readonly name: string;
  readonly identifier: (name: string) => string;
  readonly literal: (text: string) => string;
  /** A double as a literal that reads back to the same double. */
  readonly number: (x: number) => string;
  /** Any value as text. */
  readonly text: (expression: string) => string;
  /** A number or a truth value as a double. */
  readonly double: (expression: string) => string;
  /** A text as a double; infinity for a text that is no number, so that it is noticed. */
  readonly parseDouble: (expression: string) => string;
  /** The NULLs and NaNs of a double as NaN. */
  readonly nanForNull: (expression: string) => string;
  /** The NaNs of a double as NULL. */
  readonly nullForNan: (expression: string) => string;
  /** The position of a text in a list, counted from 0; NULL where it is not in it. */
  readonly position: (expression: string, values: readonly string[]) => string;
  /** The number at a position, counted from 0, of a list; NULL for the position NULL. */
  readonly pick: (position: string, numbers: readonly number[]) => string;
  /** e to a power of at most 0, without an error where it underflows. */
  readonly exp: (expression: string) => string;
  /** The largest of several doubles that are not NULL. */
  readonly greatest: (expressions: readonly string[]) => string;
  /** The number of distinct values, exact or within a few per cent. */
  readonly distinct: (expression: string) => string;
}
