import type { Model } from "conformant";
import { isIndicatorColumn } from "../source/positions.ts";
import { classifierJson, featuresOf } from "./classifier-json.ts";

/**
 * Whether missing values can be replaced by constants: with two classes and one component of atoms the effect of a missing value is one
 * number.
 */
export function hasFillValues({ components, gaussianColumns, response }: Model): boolean {
  return !gaussianColumns && response.outputs.length === 2 && components.length === 1;
}

/**
 * For two classes and one component, the value per feature with which the classifier itself answers as the model does (section 2 of
 * docs/mathematics.md). A missing value adds c = log Z_1 − log Z_0 to the log-odds. A number or 0/1 column with weight w is filled with c /
 * w, the bits of a categorical column with shares f_v that sum to 1 and have Σ_v w_v f_v = c.
 */
export function fillValues(model: Model): Map<string, number> {
  const { atoms, components, schema } = model;
  const [weights] = classifierJson(model).coef;
  const [{ logQ, logZ }] = components;
  const fill = new Map<string, number>();
  let slot = 0;
  featuresOf(model).forEach((features, i) => {
    const own = weights.slice(slot, slot + features.length);
    slot += features.length;
    const worth = logZ[i * 2 + 1] - logZ[i * 2];
    const column = schema.columns[i];
    if (isIndicatorColumn(column)) return; // never missing
    const logs = [...logQ.subarray(atoms.offsets[i], atoms.offsets[i + 1])];
    if (column.kind === "numeric" || column.kind === "binary") {
      const values = atoms.columns[i].values ?? [0, 1];
      fill.set(features[0], own[0] === 0 ? mean(logs, values) : worth / own[0]);
    } else for (const [v, share] of sharesFor(logs, own, worth).entries()) fill.set(features[v], share);
  });
  return fill;
}

/** Any value works where the weight is 0; the mean looks natural. */
function mean(logs: readonly number[], values: ArrayLike<number>): number {
  return logs.reduce((sum, log, j) => sum + Math.exp(log) * values[j], 0);
}

/**
 * Shares ∝ q_v e^{t·w_v} whose mean weight is `worth`. The mean increases with t, so bisection finds t; a final mixture with one value
 * makes the mean exact.
 */
function sharesFor(logs: readonly number[], weights: readonly number[], worth: number): number[] {
  const tilted = (t: number): number[] => {
    const exponents = logs.map((log, v) => log + t * weights[v]);
    const largest = Math.max(...exponents);
    const powers = exponents.map((x) => Math.exp(x - largest));
    const total = powers.reduce((sum, x) => sum + x, 0);
    return powers.map((x) => x / total);
  };
  const meanOf = (shares: readonly number[]): number => shares.reduce((sum, s, v) => sum + s * weights[v], 0);
  let [low, high] = [-1, 2];
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (meanOf(tilted(middle)) < worth) low = middle;
    else high = middle;
  }
  return tilted((low + high) / 2);
}
