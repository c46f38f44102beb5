import type { NumberStyle } from "conformant/texts";
import type { ComponentResults, PerComponent } from "../per-component.ts";
import type { Softmax, Stage, Staged } from "../stages.ts";

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
  /** A number as a whole one of 64 bits. */
  readonly whole: (expression: string) => string;
  /**
   * A text as a double; for one that is no number of the style, the last expression: infinity unless it is given, so that it is
   * noticed.
   */
  readonly parseDouble: (expression: string, style?: NumberStyle, otherwise?: string) => string;
  /** A text without the blanks around it. */
  readonly trim: (expression: string) => string;
  /** A text without the zeros at its end. */
  readonly withoutZeros: (expression: string) => string;
  /** The NULLs and NaNs of a double as NaN. */
  readonly nanForNull: (expression: string) => string;
  /** The NaNs of a double as NULL. */
  readonly nullForNan: (expression: string) => string;
  /** The position of a text in a list, counted from 0; NULL where it is not in it. */
  readonly position: (expression: string, values: readonly string[]) => string;
  /** The first expression or, where it is NULL, the second, which takes long and is computed only there. */
  readonly otherwise: (first: string, second: string) => string;
  /** The number at a position, counted from 0, of a list; NULL for the position NULL. */
  readonly pick: (position: string, numbers: readonly number[]) => string;
  /** How many of the ascending edges are at most as large as a double that is neither NULL nor NaN. */
  readonly bin: (expression: string, edges: ArrayLike<number>) => string;
  /** e to a power of at most 0, without an error where it underflows. */
  readonly exp: (expression: string) => string;
  /** The natural logarithm. */
  readonly log: (expression: string) => string;
  /** The largest of several doubles that are not NULL. */
  readonly greatest: (expressions: readonly string[]) => string;
  /** The number of distinct values, exact or within a few per cent. */
  readonly distinct: (expression: string) => string;
  /** The query that computes stages and selects from them; `tail` is what comes after, e.g. GROUP BY. */
  readonly staged: (query: Staged, select: string, tail?: string) => string;
  /** The query that computes doubles in stages, beside expressions over the columns of the relation. */
  readonly computed: (query: Staged, numbers: Stage, copies: Stage) => string;
  /** e^{s_a} / Σ e^{s_a} of several names. */
  readonly softmax: (logs: readonly string[]) => Softmax;
  /** Nodes of trees, counted for every component and every sum they add to, that the engine plans in seconds. */
  readonly mostTreeTerms: number;
  /** What is computed for every component. */
  readonly perComponent: (computation: PerComponent) => ComponentResults;
}
