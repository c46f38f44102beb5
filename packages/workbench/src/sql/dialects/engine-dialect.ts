import type { NumberStyle } from "conformant/texts";
import type { Staged } from "../stages.ts";
import type { Dialect } from "./dialect.ts";

/** A column whose values are counted. */
export interface CountedColumn {
  /** SQL: the key to group by, which determines the value. */
  readonly key: string;
  /** SQL: the value to count. It may occur in several result rows, where different keys mean the same value. */
  readonly expression: string;
  readonly isNumber: boolean;
}

/** What a row adds to: the sums of a slot, times an optional factor. */
export interface Contribution {
  /** SQL: a whole number. */
  readonly slot: string;
  /** SQL: a double. */
  readonly factor?: string | undefined;
}

/** A column as input of a digest. */
export interface DigestedColumn {
  readonly sql: string;
  /** The engine's name of its type. */
  readonly type: string;
}

/** A dialect of an engine that has the data: counting, summing and sampling rows in place. */
export interface EngineDialect extends Dialect {
  /** Up to this many components a server computes predictions faster than it sends its rows. */
  readonly mostComponents: number;
  /** Up to this many columns are encoded in the query; planning more takes minutes. */
  readonly mostEncoded: number;
  /** A column as the text that the engine writes to files. */
  readonly copied: (column: string, type: string) => string;
  /** A text without the point in it. */
  readonly withoutPoint: (text: string) => string;
  /** A literal to compare with a column, with its type. */
  readonly constant: (text: string) => string;
  /** Concatenated texts; NULL where one of them is NULL. */
  readonly concat: (texts: readonly string[]) => string;
  /** Whether a text is in a list, which may be long; NULL for NULL. */
  readonly isOneOf: (expression: string, values: readonly string[]) => string;
  /** Whether a regular expression matches a whole text. */
  readonly matches: (expression: string, pattern: string) => string;
  /** A group of a regular expression that matches the whole of a text, counted from 1; what a text gives that does not match is open. */
  readonly capture: (expression: string, pattern: string, group: number) => string;
  /** A text of digits as a double; NULL for an empty one. */
  readonly digits: (expression: string) => string;
  /** A text without the characters that match a regular expression. */
  readonly strip: (expression: string, pattern: string) => string;
  /** A text with all occurrences of another one replaced. */
  readonly replaceAll: (expression: string, text: string, by: string) => string;
  /** A text that is known to be a number of the style, or a gap, as a double; NULL or NaN for a gap. */
  readonly castDouble: (expression: string, style: NumberStyle) => string;
  /** Up to this many distinct values of a column are counted and returned. For numeric columns with more, the engine computes bins. */
  readonly mostCounted: number;
  /**
   * The count of each value of each column: rows with the column's position (−1 without a value for the number of all rows), the value as a
   * double or text, and the count, named place_, number_, text_ and n_.
   */
  readonly countEach: (from: string, columns: readonly CountedColumn[]) => string;
  /** Σ factor · weight over all rows by slot: slot_ and, for each weight, w0_, w1_, …; a NULL slot is not counted. */
  readonly sumPerSlot: (
    query: Staged,
    contributions: readonly Contribution[],
    weights: readonly string[],
  ) => string;
  /** A column as hashable values (default: the column itself). */
  readonly hashed?: (column: string, type: string) => string;
  /** An integer from 0 to 2³¹ − 1, approximately uniform, from hashable values and the seed. */
  readonly hash: (values: readonly string[], seed: number) => string;
  /** A 64-bit digest of all values of a row in order. A changed or moved value changes the digest, however values are written. */
  readonly digest: (columns: readonly DigestedColumn[]) => string;
  /** Quantiles of a double within about 1% of the rank, as a text of numbers in brackets; NULLs are ignored. */
  readonly quantiles: (expression: string, levels: readonly number[], hash: string) => string;
}
