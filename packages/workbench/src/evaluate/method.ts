import type { Table, WatchOptions } from "conformant";

/** Something that answers rows with gaps, by its name in results. */
export interface Method {
  readonly name: string;
  /** rows × K. */
  readonly predict: (table: Table, watch?: WatchOptions) => Float64Array;
  /** Operations per row, where so many of them that only a sample of the rows can be scored. */
  readonly work?: number;
}
