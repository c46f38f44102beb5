import { expectationOf } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { learn } from "../predictors/features.ts";
import { type ColumnLaw, columnLaws } from "../questions/impute.ts";
import type { Column } from "../schema/column.ts";
import type { Cells } from "../schema/read-row.ts";
import type { Question } from "./question.ts";

/** The number of hypothetical answers to a question. */
const MOST_ANSWERS = 8;
/** Limits on all hypothetical rows: their number and multiply-adds; fewer where predictions are sampled. */
const [MOST_ROWS, MOST_WORK, MOST_SAMPLED_ROWS] = [512, 1 << 26, 96];
/** Two questions together must have this much more gain per cost than the best single one. */
const MORE = 1e-9;

/**
 * Looks one question ahead: for each question, the best that can follow each of its likely answers. A question without information of its
 * own may be worth asking because of the next one, as with two bits whose parity counts. Where two questions have a higher gain per cost
 * than the best single one, the first has `ahead` and is ranked by it.
 *
 * @param ask the questions of a row, best first
 */
export function lookAhead(
  model: Model,
  cells: Cells,
  questions: readonly Question[],
  ask: (cells: Cells) => readonly Question[],
  step: (share: number) => void,
): Question[] {
  const { schema } = model;
  const laws = columnLaws(model, cells);
  const best = questions.length > 0 ? questions[0].gainPerCost : 0;
  const most = mostRows(model);
  let rows = 0;
  const looked = questions.map((question, q): Question => {
    step(q / questions.length);
    const i = schema.columns.findIndex(({ name }) => name === question.column);
    const law = laws.get(i);
    if (!law || questions.length < 2 || rows >= most) return question;
    const answers = likelyCells(schema.columns[i], law, MOST_ANSWERS);
    rows += answers.length;
    const mass = answers.reduce((sum, { probability }) => sum + probability, 0);
    const told = new Map<string, number>();
    let [gain, cost] = [question.informationGain, question.cost];
    for (const { cell, probability } of answers) {
      const known = cells.slice();
      learn(schema, known, i, cell);
      const [next] = ask(known);
      const share = probability / mass;
      gain += share * next.informationGain;
      cost += share * next.cost;
      told.set(next.column, (told.get(next.column) ?? 0) + share * next.informationGain);
    }
    if (gain / cost <= best + MORE) return question;
    const [[then]] = [...told].sort(([, a], [, b]) => b - a);
    return { ...question, ahead: { column: then, informationGain: gain, gainPerCost: gain / cost } };
  });
  return looked.sort((a, b) => gainOf(b) - gainOf(a));
}

/** A question after the first costs about a pass over all values, components and classes. */
function mostRows(model: Model): number {
  const { sampled, K } = expectationOf(model);
  if (sampled) return MOST_SAMPLED_ROWS;
  const { atoms, components } = model;
  const work = atoms.offsets[atoms.columns.length] * components.length * K;
  return Math.min(MOST_ROWS, Math.ceil(MOST_WORK / work));
}

/** The gain of a question per cost, alone or with the next one. */
function gainOf({ gainPerCost, ahead }: Question): number {
  return Math.max(gainPerCost, ahead?.gainPerCost ?? 0);
}

/** A possible value of a missing column. */
export interface LikelyCell {
  /** A number, or the code of a value. */
  readonly cell: number;
  readonly probability: number;
}

/** Representative values of a column: the likeliest of a category, groups of equal probability for a number. */
export function likelyCells(column: Column, { cells, probabilities }: ColumnLaw, most: number): LikelyCell[] {
  if (column.kind === "numeric") return groupsOf(cells, probabilities, most);
  return Array.from(probabilities, (probability, cell) => ({ cell, probability }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, most);
}

/** Ascending values in groups of about equal probability, each represented by its middle value. */
function groupsOf(values: Float64Array, probabilities: Float64Array, most: number): LikelyCell[] {
  const groups: LikelyCell[] = [];
  let [from, sum, before] = [0, 0, 0];
  for (let v = 0; v < values.length; v++) {
    sum += probabilities[v];
    const last = v === values.length - 1;
    if (!last && sum < (groups.length + 1) / most) continue;
    let [middle, passed] = [from, before];
    while (middle < v && passed + probabilities[middle] < (before + sum) / 2)
      passed += probabilities[middle++];
    if (sum > before) groups.push({ cell: values[middle], probability: sum - before });
    [from, before] = [v + 1, sum];
  }
  return groups;
}
