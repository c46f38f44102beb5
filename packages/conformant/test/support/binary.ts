import type { Classifier, Marginals } from "../../src/index.ts";

/** Marginals of 0/1 columns from the number of ones in each. */
export function binaryMarginals({ schema }: Classifier, ones: readonly number[], rows: number): Marginals {
  return {
    schema,
    rows,
    columns: ones.map((m) => ({ kind: "discrete", counts: Float64Array.of(rows - m, m) })),
  };
}
