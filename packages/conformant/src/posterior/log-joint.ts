import { factorsOf } from "../factors/factors-of.ts";
import { madeOnce } from "../made-once.ts";
import { logSumExp } from "../math/exponential/log-sum-exp.ts";
import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";

const priors = new WeakMap<Model, Float64Array>();

/** log P(m, k), M × K: what is known of component and class before any column is. The array is the caller's own. */
export function logPriors(model: Model): Float64Array {
  return madeOnce(priors, model, ({ components }) =>
    Float64Array.from(
      components.flatMap(({ logWeight, logPrior }) => Array.from(logPrior, (log) => logWeight + log)),
    ),
  ).slice();
}

/** log P(y, k) of row `row` of a table, K numbers: log Σ_m P(m, k) Π_f P_mf(y_o | k) over the factors f. */
export function logJointOfRow(model: Model, table: Table, row: number): Float64Array {
  const [M, K] = [model.components.length, model.classifier.classes.length];
  const joint = logPriors(model);
  for (const factor of factorsOf(model)) factor.addLogGivenClass(table, row, joint);
  const [ofClass, sums] = [new Float64Array(M), new Float64Array(K)];
  for (let k = 0; k < K; k++) {
    for (let m = 0; m < M; m++) ofClass[m] = joint[m * K + k];
    sums[k] = logSumExp(ofClass);
  }
  return sums;
}
