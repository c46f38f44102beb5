import { type AskOptions, type Question, readCosts } from "../../queries/asking/ask-next.ts";
import { decide, TIE } from "../../queries/terms/decision.ts";
import { encodeRow } from "../../queries/terms/query-input.ts";
import { isDiscrete } from "../../schema/column.ts";
import { isGapCell, type Row } from "../../schema/data.ts";
import { Watch } from "../../watch.ts";
import { type CompletedAnswers, expectationOf } from "./expectation/expected-answer.ts";
import type { TreeModel } from "./tree-model.ts";

/** Completions that are drawn, and the parts of them whose differences tell the error. */
const [DRAWS, PARTS] = [8192, 8];
/** Groups of equally many draws that the values of a number are told apart by. */
const GROUPS = 32;

/**
 * {@link askNext} for trees: completions of the row are drawn, and those in which a column has the same value are what the trees
 * are expected to answer once it is known.
 */
export function askTrees(model: TreeModel, row: Row, options: AskOptions = {}): Question[] {
  const watch = new Watch(options, "planning");
  const { schema, classes } = model.trees;
  const costOf = readCosts(model, options.costs);
  const table = encodeRow(model, row, options);
  const drawn = expectationOf(model).completions(table, 0, { enumerate: 0, samples: DRAWS, seed: 0 });
  const questions = schema.columns.flatMap((column, i): Question[] => {
    if (!isGapCell(table.columns[i], 0)) return [];
    watch.step(i / schema.columns.length);
    const cost = costOf(column.name);
    // All that the trees look at is known.
    if (drawn.exact)
      return [
        { column: column.name, informationGain: 0, changesDecision: 0, cost, gainPerCost: 0, error: 0 },
      ];
    const groups = isDiscrete(column) ? Int32Array.from(drawn.values[i]) : groupsOf(drawn.values[i]);
    const whole = worthOf(drawn, groups, classes.length, 0, DRAWS);
    const parts = Array.from({ length: PARTS }, (_, part) => {
      const [from, to] = [part, part + 1].map((at) => (at * DRAWS) / PARTS);
      return worthOf(drawn, groups, classes.length, from, to).informationGain;
    });
    const mean = parts.reduce((sum, gain) => sum + gain / PARTS, 0);
    const squares = parts.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
    return [
      {
        column: column.name,
        ...whole,
        cost,
        gainPerCost: whole.informationGain / cost,
        error: Math.sqrt(squares / (PARTS * (PARTS - 1))),
      },
    ];
  });
  return questions.sort((a, b) => b.gainPerCost - a.gainPerCost);
}

/** Numbers in groups of equally many, equal ones in the same. */
function groupsOf(values: Float64Array): Int32Array {
  const order = Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  const groups = new Int32Array(values.length);
  order.forEach((p, rank) => {
    const tied = rank > 0 && values[order[rank - 1]] === values[p];
    groups[p] = tied ? groups[order[rank - 1]] : Math.floor((rank * GROUPS) / order.length);
  });
  return groups;
}

/** Information and changes of the decision over draws `from` to `to`: I = Σ_gk P(g, k) log( P(g, k) / (P(g) P(k)) ). */
function worthOf(
  { answers }: CompletedAnswers,
  groups: Int32Array,
  K: number,
  from: number,
  to: number,
): Pick<Question, "informationGain" | "changesDecision"> {
  const joint = new Map<number, Float64Array>();
  const prior = new Float64Array(K);
  for (let p = from; p < to; p++) {
    const own = joint.get(groups[p]) ?? new Float64Array(K);
    joint.set(groups[p], own);
    for (let k = 0; k < K; k++) {
      own[k] += answers[p * K + k] / (to - from);
      prior[k] += answers[p * K + k] / (to - from);
    }
  }
  const now = decide(prior).class;
  let [informationGain, changesDecision] = [0, 0];
  for (const own of joint.values()) {
    const mass = own.reduce((sum, p) => sum + p, 0);
    for (let k = 0; k < K; k++)
      if (own[k] > 0) informationGain += own[k] * Math.log(own[k] / (mass * prior[k]));
    if (own[decide(own).class] > own[now] + TIE * mass) changesDecision += mass;
  }
  return { informationGain: Math.max(0, informationGain), changesDecision: Math.min(1, changesDecision) };
}
