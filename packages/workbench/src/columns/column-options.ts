import type { NumberStyle } from "conformant/texts";

/** What a column can be said to be. */
export type AskedKind = "numeric" | "binary" | "categorical";

/** What a person says about columns. */
export interface ColumnOptions {
  /** Those to use, where not all. */
  readonly columns: readonly string[] | undefined;
  readonly exclude: readonly string[];
  readonly types: ReadonlyMap<string, AskedKind>;
  /** The mark before the fraction of numbers in texts, where it is said. */
  readonly decimal?: NumberStyle["decimal"] | undefined;
}
