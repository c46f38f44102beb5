import { requireMade } from "../../errors.ts";
import { createGaussianFactor, type GaussianFactor } from "../../gaussian/gaussian-factor.ts";
import { dot } from "../../math/dot.ts";
import { logSumExp } from "../../math/exponential/log-sum-exp.ts";
import { GIVEN } from "../../model/certificate.ts";
import { type Component, createComponent, type Model } from "../../model/model.ts";
import { logFactors, readShifts, type Shift, yardstickOf } from "./tilts.ts";

/**
 * The model as it is if gaps are not at random: P'(x, k) ∝ P(x, k) Π_i e^{tilt_i · t_i(x_i)} over the columns that are shifted. Where such a column is known, all answers are those of
 * the model itself, since every component and class gets the same factor; where it is missing, values are weighed as if the chance of a value to be missing rose or
 * fell with it. It conforms with the same classifier, and every question can be asked of it.
 */
export function shiftMissing(model: Model, shifts: Readonly<Record<string, Shift>>): Model {
  requireMade("model", model);
  const wanted = readShifts(model, shifts);
  if (wanted.size === 0) return model;
  const { classifier, atoms, block } = model;
  /** The factors of all atoms, and of the numbers x of the block, d·x; both as logarithms. */
  const ofAtoms = new Float64Array(atoms.offsets[atoms.columns.length]);
  const ofBlock = new Float64Array(block?.columns.length ?? 0);
  for (const [i, shift] of wanted) {
    const at = block?.columns.indexOf(i) ?? -1;
    if (at >= 0) ofBlock[at] = (shift as number) / yardstickOf(model, i).scale;
    else ofAtoms.set(logFactors(model, i, shift), atoms.offsets[i]);
  }
  const components = model.components.map((own) => {
    const logQ = own.logQ.map((log, atom) => log + ofAtoms[atom]);
    const gaussian = own.gaussian && block && shiftedMean(own.gaussian, ofBlock);
    const tilted = createComponent(classifier, atoms, {
      logWeight: 0,
      logQ,
      ...(gaussian &&
        block && { gaussian: createGaussianFactor(block, gaussian.mean, own.gaussian.covariance) }),
    });
    // What the factors come to in this component: its weight is that of rows, not of rows with these gaps.
    let logFactor = gaussian?.logFactor ?? 0;
    for (const i of wanted.keys()) logFactor += logSumExp(logQ.slice(atoms.offsets[i], atoms.offsets[i + 1]));
    return { ...tilted, logWeight: own.logWeight - own.logNormaliser + tilted.logNormaliser + logFactor };
  });
  return { ...model, components: normalised(components), certificate: GIVEN };
}

/** N(x; μ, Σ) e^{d·x} = N(x; μ + Σ d, Σ) · e^{d·μ + ½ dᵀ Σ d}. */
function shiftedMean(
  { mean, covariance }: GaussianFactor,
  d: Float64Array,
): { mean: Float64Array; logFactor: number } {
  const n = mean.length;
  const moved = mean.map((_, i) => dot(covariance.subarray(i * n, (i + 1) * n), d));
  return { mean: mean.map((x, i) => x + moved[i]), logFactor: dot(d, mean) + dot(d, moved) / 2 };
}

function normalised(components: readonly Component[]): Component[] {
  const logSum = logSumExp(Float64Array.from(components, ({ logWeight }) => logWeight));
  return components.map((component) => ({ ...component, logWeight: component.logWeight - logSum }));
}
