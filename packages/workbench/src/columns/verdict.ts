import type { ChosenColumn } from "./chosen-column.ts";

/** What became of a column of the source: columns of the model, or left out and why. */
export interface Verdict {
  readonly name: string;
  readonly chosen: readonly ChosenColumn[];
  readonly leftOut?: string;
  /** What a person may not expect. */
  readonly note?: string | undefined;
}
