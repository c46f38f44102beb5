import type { NumberStyle } from "conformant/texts";
import type { Staged } from "../stages.ts";
import type { Dialect } from "./dialect.ts";

/** A column whose values are to be counted. */
export interface CountedColumn {
  /** SQL: what the rows may be grouped by; the value depends on nothing else. */
  readonly key: string;
  /** SQL: the value to count. A value may come in several rows of the result, where keys differ that mean the same. */
  readonly expression: string;
  readonly isNumber: boolean;
}

/** Where a row adds something: to the sums of a slot, times a factor where there is one. */
export interface Contribution {
  /** SQL: a whole number. */
  readonly slot: string;
  /** SQL: a double. */
  readonly factor?: string | undefined;
}

/** A column as a digest takes it. */
export interface DigestedColumn {
  readonly sql: string;
  /** The engine's name of its type. */
  readonly type: string;
}

/** A dialect whose engine has the data: how it counts, adds up and samples rows where they lie. */
export interface EngineDialect extends Dialect {
  /** Components of a mixture up to which a server computes predictions faster than it sends its rows. */
  readonly mostComponents: number;
  /** Columns up to which cells are encoded in the query; one with more expressions takes minutes to be planned. */
  readonly mostEncoded: number;
  /** A column as the text that the engine writes to a file. */
  readonly copied: (column: string, type: string) => string;
  /** A text without the point in it. */
  readonly withoutPoint: (text: string) => string;
  /** A value that is compared with a column, which says what type it is of. */
  readonly constant: (text: string) => string;
  /** Texts one after the other; NULL where one of them is. */
  readonly concat: (texts: readonly string[]) => string;
  /** Whether a text is one of a list, which may be long; NULL where it is NULL. */
  readonly isOneOf: (expression: string, values: readonly string[]) => string;
  /** Whether the whole of a text matches a regular expression. */
  readonly matches: (expression: string, pattern: string) => string;
  /** A text that is known to be a number of the style, or a gap, as a double; NULL or NaN for a gap. */
  readonly castDouble: (expression: string, style: NumberStyle) => string;
  /**
   * The different values of a column up to which all are counted and handed over. Of a column of numbers with more the engine
   * cuts bins itself.
   */
  readonly mostCounted: number;
  /**
   * How often each value of each column occurs: rows of the column's position (−1 and no value for the number of all rows),
   * the value as a double or as a text, and the count; the names are place_, number_, text_ and n_.
   */
  readonly countEach: (from: string, columns: readonly CountedColumn[]) => string;
  /** Σ factor · weight over all rows by slot: slot_ and, for each weight, w0_, w1_, …; a NULL slot counts nowhere. */
  readonly sumPerSlot: (
    query: Staged,
    contributions: readonly Contribution[],
    weights: readonly string[],
  ) => string;
  /** A column as it can be hashed, perhaps as several values; as it is without this. */
  readonly hashed?: (column: string, type: string) => string;
  /** A whole number from 0 to 2³¹ − 1 that depends on values that can be hashed and on the seed, about evenly spread. */
  readonly hash: (values: readonly string[], seed: number) => string;
  /**
   * A whole number of 64 bits that all values of a row are mixed into, by their order: one that is another, or in another column,
   * gives another number, however it is written.
   */
  readonly digest: (columns: readonly DigestedColumn[]) => string;
  /** Quantiles of a double within a per cent or so of the rank, as a text of numbers in brackets; NULLs do not count. */
  readonly quantiles: (expression: string, levels: readonly number[], hash: string) => string;
}
