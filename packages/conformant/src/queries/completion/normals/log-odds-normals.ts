import { hiddenSum } from "../../../factors/hidden-normals.ts";
import { differences } from "../class-grid.ts";
import type { CompletedScores } from "../completed-scores.ts";
import { type CompletionSpace, sizeOf } from "../completion-space.ts";
import { enumerateJoint } from "../visit-completions.ts";
import type { NormalMixture } from "./normal-mixture.ts";

/** How many normal distributions the log-odds are a mixture of. */
export function normalParts({ missing, posterior }: CompletionSpace): number {
  return sizeOf(missing) * posterior.length;
}

/**
 * The distribution of the log-odds of class k of two where normal numbers are missing: normal given component, class and
 * the atoms of the other missing columns.
 */
export function logOddsNormals(space: CompletionSpace, scores: CompletedScores, k: number): NormalMixture {
  const { start, columns, numbers } = scores;
  const [weights, means, standardDeviations]: [number[], number[], number[]] = [[], [], []];
  const normal = hiddenSum(space.normals, differences(numbers, k));
  enumerateJoint(space, (atoms, joint) => {
    let value = start[k] - start[1 - k];
    for (let j = 0; j < atoms.length; j++)
      value += columns[j][2 * atoms[j] + k] - columns[j][2 * atoms[j] + 1 - k];
    for (let a = 0; a < joint.length; a++) {
      if (joint[a] === 0) continue;
      weights.push(joint[a]);
      means.push(value + normal.means[a]);
      standardDeviations.push(normal.deviations[Math.floor(a / 2)]);
    }
  });
  return {
    weights: Float64Array.from(weights),
    means: Float64Array.from(means),
    standardDeviations: Float64Array.from(standardDeviations),
  };
}
