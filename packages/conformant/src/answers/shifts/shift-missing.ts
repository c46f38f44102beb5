import { requireMade } from "../../errors.ts";
import { factorsOf } from "../../factors/factors-of.ts";
import { logSumExp } from "../../math/exponential/log-sum-exp.ts";
import { GIVEN } from "../../model/certificate.ts";
import { joinParts } from "../../model/factor-parts.ts";
import { type Component, createComponent, type Model } from "../../model/model.ts";
import { readShifts, type Shift, tiltOf, yardsticksOf } from "./tilts.ts";

/**
 * The model as it is if gaps are not at random: P'(x, k) ∝ P(x, k) Π_i e^{tilt_i · t_i(x_i)} over the columns that are shifted. Where such a column is known, all answers are those of
 * the model itself, since every component and class gets the same factor; where it is missing, values are weighed as if the chance of a value to be missing rose or
 * fell with it. It conforms with the same classifier, and every question can be asked of it.
 */
export function shiftMissing(model: Model, shifts: Readonly<Record<string, Shift>>): Model {
  requireMade("model", model);
  const wanted = readShifts(model, shifts);
  if (wanted.size === 0) return model;
  const { classifier, atoms } = model;
  const yardsticks = yardsticksOf(model);
  const tilts = new Map(Array.from(wanted, ([i, shift]) => [i, tiltOf(model, yardsticks, i, shift)]));
  const components = model.components.map(({ logQ, logWeight, logNormaliser }, m) => {
    const factors = factorsOf(model).map((factor) => factor.tilted(m, tilts));
    const parts = joinParts(factors.map((factor) => factor.parts));
    const tilted = createComponent(classifier, atoms, { logWeight: 0, logQ, ...parts });
    // What the factors come to in this component: its weight is that of rows, not of rows with these gaps.
    const logFactor = factors.reduce((sum, factor) => sum + factor.logFactor, 0);
    return { ...tilted, logWeight: logWeight - logNormaliser + tilted.logNormaliser + logFactor };
  });
  return { ...model, components: normalised(components), certificate: GIVEN };
}

function normalised(components: readonly Component[]): Component[] {
  const logSum = logSumExp(Float64Array.from(components, ({ logWeight }) => logWeight));
  return components.map((component) => ({ ...component, logWeight: component.logWeight - logSum }));
}
