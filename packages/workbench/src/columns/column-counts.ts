import type { NumericMarginal } from "conformant";

/** How often each value of a column of texts or truth values occurs. */
export interface TextCounts {
  readonly kind: "text";
  /** Rows that have a value. */
  readonly known: number;
  readonly counts: ReadonlyMap<string, number>;
  /** Whether there are more values than the engine counts; the counts then mean nothing. */
  readonly tooMany: boolean;
}

/** A column of numbers: its atoms, its range, and whether it is only ever 0 or 1. */
export interface NumberCounts {
  readonly kind: "number";
  readonly known: number;
  readonly least: number;
  readonly most: number;
  readonly bits: boolean;
  /** How many different ones there are, and whether all of them are whole. */
  readonly different: number;
  readonly whole: boolean;
  /** Texts that are no numbers, with how often they occur; not all where there are very many. */
  readonly others: ReadonlyMap<string, number>;
  readonly marginal: NumericMarginal;
}

export type Counted = TextCounts | NumberCounts;

export interface ColumnCounts {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Counted>;
}
