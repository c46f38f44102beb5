import { factorsOf } from "../factors/factors-of.ts";
import { logSumExp } from "../math/exponential/log-sum-exp.ts";
import type { Model } from "../model/model.ts";
import type { Table } from "../schema/data.ts";

/** log P(m, k), M × K: what is known of component and class before any column is. */
export function logPriors({ components }: Model): Float64Array {
  return Float64Array.from(
    components.flatMap(({ logWeight, logPrior }) => Array.from(logPrior, (log) => logWeight + log)),
  );
}

/** log P(y, k) of row `row` of a table, K numbers: log Σ_m P(m, k) Π_f P_mf(y_o | k) over the factors f. */
export function logJointOfRow(model: Model, table: Table, row: number): Float64Array {
  const [M, K] = [model.components.length, model.classifier.classes.length];
  const joint = logPriors(model);
  for (const factor of factorsOf(model)) factor.addLogGivenClass(table, row, joint);
  return Float64Array.from({ length: K }, (_, k) =>
    logSumExp(Float64Array.from({ length: M }, (_, m) => joint[m * K + k])),
  );
}
