import type { Provenance } from "./protocol/provenance.ts";

/** The file among the results that tells of the last run. */
export const RUN_FILE = "run.json";

/** How long a run took. What was in the cache takes no time. */
export interface RunRecord {
  readonly seconds: number;
  /** Seconds of each dataset and study. */
  readonly parts: Readonly<Record<string, number>>;
  /** Datasets at the same time. */
  readonly jobs: number;
  readonly provenance: Provenance;
}
