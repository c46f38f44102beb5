import type { Classifier } from "../../classifier/classifier.ts";
import type { Atoms } from "../../model/atoms.ts";
import type { BlockFrame } from "../block/block-frame.ts";
import type { MixtureSettings } from "./mixture-settings.ts";

/** What is to be fitted. The rows themselves stay with whoever answers the expectation steps. */
export interface MixtureProblem {
  readonly classifier: Classifier;
  readonly atoms: Atoms;
  /** The weight of all rows. */
  readonly totalWeight: number;
  /** Shares of the atoms in their column, over all rows: what components are shrunk towards. */
  readonly overall: Float64Array;
  /** The block and its overall moments, where numeric columns are described by a Gaussian. */
  readonly frame?: BlockFrame;
  /** M, as asked for. */
  readonly components: number;
  readonly settings: MixtureSettings;
  /** Called between the steps of an M-step: it may end the work by throwing. */
  readonly check?: (() => void) | undefined;
  /** What steps before these gained, where they go on from an earlier fit: the measure of a small gain. Default 0. */
  readonly gainedBefore?: number;
}
