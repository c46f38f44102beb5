import { logSumExp } from "../math/log-sum-exp.ts";
import { atomOf } from "../model/atoms.ts";
import { type Component, logAtomGivenClass, type Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";
import { type BlockTerms, blockTermsOf } from "./block-terms.ts";

/** log P(y, k) of row `row` of a table: K numbers. */
export function logJointOfRow(model: Model, table: Table, row: number): Float64Array {
  const M = model.components.length;
  const block = blockTermsOf(model, table, row);
  const terms = model.components.map((component, m) => {
    const joint = logJointOfComponent(model, component, table, row);
    if (block) addBlockTerms(block, m, joint);
    return joint;
  });
  return terms[0].map((_, k) => logSumExp(Float64Array.from({ length: M }, (_, m) => terms[m][k])));
}

/** Adds log P_m(y_o | k) of the block. */
function addBlockTerms({ density, terms }: BlockTerms, m: number, joint: Float64Array): void {
  for (let k = 0; k < joint.length; k++) joint[k] += density[m] + terms[m * joint.length + k];
}

/** log π + log P_m(k) + Σ_{i observed} log P_m(y_i | k), K numbers. */
function logJointOfComponent(model: Model, component: Component, table: Table, row: number): Float64Array {
  const { atoms } = model;
  const K = component.logPrior.length;
  const joint = component.logPrior.map((p) => p + component.logWeight);
  table.columns.forEach((cells, i) => {
    const atom = atomOf(atoms, i, cells, row);
    if (atom < 0) return;
    for (let k = 0; k < K; k++) joint[k] += logAtomGivenClass(atoms, component, i, atom, k);
  });
  return joint;
}
