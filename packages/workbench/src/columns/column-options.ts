import type { NumberStyle } from "conformant/texts";

/** What a column can be said to be. */
export type AskedKind = "numeric" | "binary" | "categorical";

/** What a person says about columns. */
export interface ColumnOptions {
  /** Those to use, where not all. */
  readonly columns: readonly string[] | undefined;
  readonly exclude: readonly string[];
  /** Columns that only help to tell what is missing: their names, or all that are not used otherwise. */
  readonly also?: readonly string[] | "all" | undefined;
  readonly types: ReadonlyMap<string, AskedKind>;
  /** The mark before the fraction of numbers in texts, where it is said. */
  readonly decimal?: NumberStyle["decimal"] | undefined;
}
