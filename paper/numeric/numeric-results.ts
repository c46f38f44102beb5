/** One method on one table. */
export interface NumericScore {
  readonly method: string;
  /** Cross entropy to the full-data prediction ×100, one per rate. */
  readonly crossEntropy: readonly number[];
  readonly seconds: { readonly fit: number; readonly predict: number };
  /** Of a mixture: its components and the columns that a Gaussian describes. */
  readonly components?: number;
  readonly gaussian?: readonly string[];
}

/** All methods on one table. */
export interface NumericTableResults {
  readonly title: string;
  readonly rows: { readonly training: number; readonly test: number };
  readonly columns: { readonly numeric: number; readonly other: number };
  /** Columns hidden in every row, one per rate. */
  readonly hidden: readonly number[];
  readonly complete: number;
  readonly scores: readonly NumericScore[];
  /** The candidates that "auto" chose from, each with the size that held-out rows prefer for it, and which one it took. */
  readonly candidates: readonly (NumericScore & { readonly chosen: boolean })[];
}

/** What `npm run paper -- numeric` measures. */
export interface NumericResults {
  readonly rates: readonly number[];
  readonly tables: readonly NumericTableResults[];
}
