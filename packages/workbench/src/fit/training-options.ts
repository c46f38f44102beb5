import type { MissingOption, NumericKind } from "conformant";
import type { Host } from "../source/host.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { type SampleBounds, USUAL_BOUNDS } from "./sample-bounds.ts";
import type { TimeLimit } from "./time-limit.ts";

/** Settings of training and of the distribution. */
export interface TrainingOptions {
  readonly pseudocount: number;
  readonly bins: number;
  /** What is trained: "auto" for the one that predicts held-out rows better. */
  readonly model: "auto" | "logistic" | "trees";
  /** The penalty, or "auto" for the best of several by cross-validation. */
  readonly l2: number | "auto";
  /** The size of the mixture, or "auto" for the best on held-out rows with masked cells. */
  readonly components: number | "auto";
  /** What describes numeric columns; "auto" chooses on held-out rows with masked cells. */
  readonly numeric: NumericKind;
  /** The rows to train on: all, imputing missing values by sampling, or the complete ones only. */
  readonly trainOn: "all" | "complete";
  /** Whether missing values are taken as evidence: "informative" for all columns, "auto" where held-out rows are predicted better. */
  readonly gaps: MissingOption;
  /** Whether new rows are scored by cross-validation, for the verdict. */
  readonly crossValidation: boolean;
  readonly seed: number;
  /** Seconds that a fit may take, after which it ends with the best it has. The model then depends on the speed of the machine. */
  readonly timeLimit: number;
  /** Rows that are read into memory at most. */
  readonly sample?: number | undefined;
  readonly bounds: SampleBounds;
}

/** What every step of a fit works with. */
export interface FitContext<Cells extends CellReading> {
  readonly source: TableSource<Cells>;
  readonly training: TrainingOptions;
  readonly host: Host;
  readonly limit: TimeLimit;
}

/** What is done where nothing is said. */
export const USUAL_TRAINING: TrainingOptions = {
  pseudocount: 1,
  bins: 32,
  model: "auto",
  l2: "auto",
  components: "auto",
  numeric: "auto",
  trainOn: "all",
  gaps: "auto",
  crossValidation: true,
  seed: 0,
  timeLimit: Number.POSITIVE_INFINITY,
  bounds: USUAL_BOUNDS,
};
