import {
  type AnyModel,
  type Model,
  predictColumns,
  type Question,
  type RegressionModel,
  type Row,
  sample,
} from "conformant";
import { decide } from "conformant/internal";
import { isField } from "../frame/is-field.ts";

/** Completed rows that are drawn, and groups of them by the value of a number. */
const [ROWS, GROUPS] = [2000, 8];

/**
 * The questions of `askNext`, best first, estimated from completed rows all at once: the mean answer in groups of rows with about the
 * same value of a column is the answer once that value is known. For models whose questions take too long one by one.
 */
export function sampledQuestions(model: Model, row: Row): Question[] {
  const rows = sample(model, row, { count: ROWS });
  const { classes, probabilities } = predictColumns(model, rows);
  const K = classes.length;
  const now = meanAnswer(probabilities, K, Array.from(rows.keys()));
  const decision = decide(now).class;
  return missingColumns(model, row)
    .map((name): Question => {
      let [informationGain, changesDecision] = [0, 0];
      for (const group of groupsOf(rows.map((own) => own[name]))) {
        const then = meanAnswer(probabilities, K, group);
        const share = group.length / ROWS;
        if (decide(then).class !== decision) changesDecision += share;
        for (let k = 0; k < K; k++)
          if (then[k] > 0) informationGain += share * then[k] * Math.log(then[k] / now[k]);
      }
      return { column: name, informationGain, changesDecision, cost: 1, gainPerCost: informationGain };
    })
    .sort((a, b) => b.gainPerCost - a.gainPerCost);
}

/** By how much the variance of a number is expected to fall once a column is known, and what it is now. */
export interface VarianceReduction {
  readonly column: string;
  readonly reduction: number;
  readonly variance: number;
}

/** The same for a number: the variance of the mean answers of the groups, the largest first. */
export function sampledReductions(model: RegressionModel, row: Row): VarianceReduction[] {
  const rows = sample(model, row, { count: ROWS });
  const { values } = predictColumns(model, rows);
  const meanOf = (group: readonly number[]): number =>
    group.reduce((sum, r) => sum + values[r], 0) / group.length;
  const mean = meanOf(Array.from(rows.keys()));
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / ROWS;
  return missingColumns(model, row)
    .map((column) => {
      const groups = groupsOf(rows.map((own) => own[column]));
      const between = groups.reduce((sum, own) => sum + own.length * (meanOf(own) - mean) ** 2, 0) / ROWS;
      // Groups of draws differ by chance alone, too.
      const reduction = Math.max(0, between - (variance * (groups.length - 1)) / ROWS);
      return { column, reduction, variance };
    })
    .sort((a, b) => b.reduction - a.reduction);
}

function missingColumns({ schema }: AnyModel, row: Row): string[] {
  return schema.columns
    .filter((column) => !Object.hasOwn(row, column.name) && isField(column))
    .map(({ name }) => name);
}

/** Positions of rows with the same category, or with numbers of the same eighth. */
function groupsOf(values: readonly unknown[]): number[][] {
  const places = Array.from(values.keys());
  if (values.every((value) => typeof value === "number")) {
    places.sort((a, b) => (values[a] as number) - (values[b] as number));
    const size = Math.ceil(places.length / GROUPS);
    return Array.from({ length: GROUPS }, (_, g) => places.slice(g * size, (g + 1) * size));
  }
  const groups = new Map<unknown, number[]>();
  for (const r of places) {
    const group = groups.get(values[r]);
    if (group) group.push(r);
    else groups.set(values[r], [r]);
  }
  return [...groups.values()];
}

function meanAnswer(probabilities: Float64Array, K: number, rows: readonly number[]): Float64Array {
  const mean = new Float64Array(K);
  for (const r of rows) for (let k = 0; k < K; k++) mean[k] += probabilities[r * K + k] / rows.length;
  return mean;
}
