import type { Component, Model } from "conformant";

/**
 * What a gap adds to the score of each class when nothing else is known, relative to the mean over the classes: zero where
 * it says nothing. It is log P(k) less what that were without the missing part's log Z_mk,
 *
 *     log Σ_m π_m P_m(k) − log Σ_m π_m P_m(k) / Z_mk
 *
 * With one component this is log Z_k, whatever else is known; in a mixture other knowledge changes the components' weights and with
 * them what the gap is worth.
 *
 * @param logZ log Z_mk: what the missing part, a column or the whole Gaussian, is worth to a class in a component
 */
export function missingEffect(
  { components, response }: Model,
  logZ: (component: Component, k: number) => number,
): number[] {
  const worth = response.outputs.map((_, k) => {
    const joint = components.map(({ logWeight, logPrior }) => logWeight + logPrior[k]);
    return logSum(joint) - logSum(components.map((component, m) => joint[m] - logZ(component, k)));
  });
  const mean = worth.reduce((sum, score) => sum + score, 0) / worth.length;
  return worth.map((score) => score - mean);
}

/** log Σ e^x. */
function logSum(terms: readonly number[]): number {
  const largest = Math.max(...terms);
  return largest + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - largest), 0));
}
