import type { Table, WatchOptions } from "conformant";

/** Something that answers rows with gaps, by its name in results. */
export interface Method {
  readonly name: string;
  /** rows × K. */
  readonly predict: (table: Table, watch?: WatchOptions) => Float64Array;
}
