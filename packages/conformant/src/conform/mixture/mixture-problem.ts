import type { Classifier } from "../../classifier/classifier.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import type { TiltedAtoms } from "../naive/tilts.ts";
import type { FactorColumns, FactorFrames } from "./factors-in-fit.ts";
import type { MixtureSettings } from "./mixture-settings.ts";

/** Rows to fit a mixture to, and how. */
export interface FitTask {
  readonly classifier: Classifier;
  readonly data: WeightedRows;
  readonly settings: MixtureSettings;
}

/** What describes the columns of a mixture. */
export interface Description extends FactorColumns {
  /** Atoms of a number at most; as many as the settings say where nothing is said. */
  readonly bins?: number;
}

/** The size of a mixture, and what describes its columns. */
export interface Shape extends Description {
  readonly components: number;
}

/** What is to be fitted. The rows themselves stay with whoever answers the expectation steps. */
export interface MixtureProblem extends FactorFrames, TiltedAtoms {
  readonly classifier: Classifier;
  /** The weight of all rows. */
  readonly totalWeight: number;
  /** Shares of the atoms in their column, over all rows: what components are shrunk towards. */
  readonly overall: Float64Array;
  /** M, as asked for. */
  readonly components: number;
  readonly settings: MixtureSettings;
  /** Whether it is only to be compared with others: then it ends without exact M-steps. */
  readonly rough?: boolean;
  /** Called between the steps of an M-step: it may end the work by throwing. */
  readonly check?: (() => void) | undefined;
  /** What steps before these gained, where they go on from an earlier fit: the measure of a small gain. Default 0. */
  readonly gainedBefore?: number;
}

/** Atoms × K² beyond which a step of Newton's method costs more than the rows that it saves a pass over. */
const COSTLY = 250_000;

/** What a step of Newton's method costs: atoms × K². */
export function stepCost({ atoms, classifier }: Pick<MixtureProblem, "atoms" | "classifier">): number {
  return atoms.offsets[atoms.columns.length] * classifier.classes.length ** 2;
}

/** Whether the M-step takes most of the time: hundreds of columns of numbers and several classes. */
export function isCostly(cost: number): boolean {
  return cost > COSTLY;
}
