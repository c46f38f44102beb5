import type { AtomColumns, ClassWeights, FitKernels } from "../../kernels/fit-kernels.ts";
import type { ConformProblem } from "./problem.ts";

/** A problem whose numbers stand where the kernels find them. */
export interface HeldProblem extends ConformProblem {
  readonly kernels: FitKernels;
  readonly columns: AtomColumns;
  /** e^{s_k(v)}, atoms × lanes. */
  readonly factors: Float64Array;
  /** ω_ki; the shares are those of the prior that was last looked at. */
  readonly weights: ClassWeights;
}

/** Lays out a problem for kernels. */
export function holdProblem(problem: ConformProblem, kernels: FitKernels): HeldProblem {
  const { atoms, tilts, intercept, target, smoothing } = problem;
  const { lanes, factors } = tilts;
  const offsets = kernels.integers(atoms.offsets.length);
  offsets.set(atoms.offsets);
  return {
    ...problem,
    kernels,
    columns: { offsets, lanes },
    factors: kernels.hold(factors),
    weights: {
      shares: kernels.numbers(lanes).fill(0),
      ones: kernels.numbers(lanes).fill(0).fill(1, 0, intercept.length),
      smoothing: kernels.hold(smoothing),
    },
    target: kernels.hold(target),
  };
}

/** Numbers that {@link holdProblem} needs. */
export function roomToHold({ target, smoothing, tilts: { lanes, factors } }: ConformProblem): number {
  return factors.length + target.length + 2 * smoothing.length + 2 * lanes + ALIGNMENTS;
}

/** What arrays may lose between each other, all of them together. */
const ALIGNMENTS = 64;
