import type { NumberStyle } from "conformant/texts";
import type { ComponentResults, PerComponent } from "../per-component.ts";
import type { Softmax, Stage, Staged } from "../stages.ts";

/** How an engine writes the SQL that this folder needs. Expressions are passed and returned as text. */
export interface Dialect {
  readonly name: string;
  readonly identifier: (name: string) => string;
  readonly literal: (text: string) => string;
  /** A double as a literal that reads back to the same double. */
  readonly number: (x: number) => string;
  /** Any value as text. */
  readonly text: (expression: string) => string;
  /** A number or boolean as a double. */
  readonly double: (expression: string) => string;
  /** A number as a 64-bit integer. */
  readonly whole: (expression: string) => string;
  /**
   * A text as a double; a text that is not a number of the style becomes the last expression (default: infinity, which is detected later).
   */
  readonly parseDouble: (expression: string, style?: NumberStyle, otherwise?: string) => string;
  /** A text without surrounding blanks. */
  readonly trim: (expression: string) => string;
  /** A text without trailing zeros. */
  /** A text in small letters of ASCII and with single blanks, see `foldText`. */
  readonly fold: (expression: string) => string;
  readonly withoutZeros: (expression: string) => string;
  /** A double with NaN in place of NULL. */
  readonly nanForNull: (expression: string) => string;
  /** A double with NULL in place of NaN. */
  readonly nullForNan: (expression: string) => string;
  /** The position of a text in a list, from 0; NULL where it is absent. */
  readonly position: (expression: string, values: readonly string[]) => string;
  /** The first expression or, where it is NULL, the second, which is expensive and computed only there. */
  readonly otherwise: (first: string, second: string) => string;
  /** The number at a position, from 0, of a list; NULL for the position NULL. */
  readonly pick: (position: string, numbers: readonly number[]) => string;
  /** The number of ascending edges that are at most a double, which is neither NULL nor NaN. */
  readonly bin: (expression: string, edges: ArrayLike<number>) => string;
  /** e to a power of at most 0, without an error where it underflows. */
  readonly exp: (expression: string) => string;
  /** The natural logarithm. */
  readonly log: (expression: string) => string;
  /** The largest of several doubles that are not NULL. */
  readonly greatest: (expressions: readonly string[]) => string;
  /** The number of distinct values, exact or within a few percent. */
  readonly distinct: (expression: string) => string;
  /** A query that computes stages and selects from them; `tail` follows, for example GROUP BY. */
  readonly staged: (query: Staged, select: string, tail?: string) => string;
  /** A query that computes doubles in stages, beside expressions over the columns of the relation. */
  readonly computed: (query: Staged, numbers: Stage, copies: Stage) => string;
  /** e^{s_a} / Σ e^{s_a} of several names. */
  readonly softmax: (logs: readonly string[]) => Softmax;
  /** The most nodes of trees, counted per component and sum, that the engine plans in seconds. */
  readonly mostTreeTerms: number;
  /** A computation repeated for every component. */
  readonly perComponent: (computation: PerComponent) => ComponentResults;
}
