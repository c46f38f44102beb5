import type { Imputation } from "../../queries/filling/impute.ts";
import type { Column } from "../../schema/column.ts";
import type { Value } from "../../schema/data.ts";

/** A value that a missing column may turn out to have. */
export interface LikelyValue {
  readonly value: Value;
  readonly probability: number;
}

/** Up to so many values of a column, the likeliest of a category and groups of equal share of a number. */
export function likelyValues(column: Column, imputed: Imputation, most: number): LikelyValue[] {
  if (imputed.kind === "numeric") return groupsOf(imputed.values, imputed.probabilities, most);
  return Object.values(imputed.probabilities)
    .map((probability, code) => ({ value: valueOfCode(column, code), probability }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, most);
}

/** A value that is encoded to this code. */
function valueOfCode(column: Column, code: number): Value {
  if (column.kind === "categorical") return column.values[code];
  if (column.kind !== "binned") return code;
  return code === 0 ? column.edges[0] - 1 : column.edges[code - 1];
}

/** Ascending values in groups of about equal probability, each by the value in its middle. */
function groupsOf(values: Float64Array, probabilities: Float64Array, most: number): LikelyValue[] {
  const groups: LikelyValue[] = [];
  let [from, sum, before] = [0, 0, 0];
  for (let v = 0; v < values.length; v++) {
    sum += probabilities[v];
    const last = v === values.length - 1;
    if (!last && sum < (groups.length + 1) / most) continue;
    let [middle, passed] = [from, before];
    while (middle < v && passed + probabilities[middle] < (before + sum) / 2)
      passed += probabilities[middle++];
    if (sum > before) groups.push({ value: values[middle], probability: sum - before });
    [from, before] = [v + 1, sum];
  }
  return groups;
}
