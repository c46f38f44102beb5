import type { Model } from "../../model/model.ts";
import type { Question } from "../../queries/asking/ask-next.ts";
import { impute } from "../../queries/filling/impute.ts";
import type { QueryOptions } from "../../queries/terms/query-input.ts";
import type { Row } from "../../schema/data.ts";
import { likelyValues } from "./likely-values.ts";

/** Answers to a question that are imagined. */
const MOST_ANSWERS = 8;
/** Rows that are imagined in all: so many, or what this many numbers to add up allow; of trees, whose answers are drawn, fewer. */
const [MOST_ROWS, MOST_WORK, MOST_TREE_ROWS] = [512, 1 << 26, 96];
/** Two questions must be worth this much more together, per cost, than the best one is alone. */
const MORE = 1e-9;

/**
 * Looks one question further: for each of the questions, the best that can be asked after each of its likely answers. A question that says
 * nothing by itself may be worth asking because of the next one, as with two bits of which only the parity counts. Where two are worth
 * more per cost than the best of all is alone, the first has `ahead`, and it is ranked by that.
 *
 * @param ask the questions of a row, best first, one at a time
 */
export function lookAhead(
  model: Model,
  row: Row,
  questions: readonly Question[],
  ask: (row: Row) => readonly Question[],
  reading: QueryOptions,
  step: (share: number) => void,
): Question[] {
  const { columns } = model.classifier.schema;
  const imputed = impute(model, row, reading);
  const best = questions.length > 0 ? questions[0].gainPerCost : 0;
  const most = mostRows(model);
  let rows = 0;
  const looked = questions.map((question, q): Question => {
    step(q / questions.length);
    const column = columns.find(({ name }) => name === question.column);
    if (!column || questions.length < 2 || rows >= most) return question;
    const answers = likelyValues(column, imputed[column.name], MOST_ANSWERS);
    rows += answers.length;
    const mass = answers.reduce((sum, { probability }) => sum + probability, 0);
    const worth = new Map<string, number>();
    let [gain, cost] = [question.informationGain, question.cost];
    for (const { value, probability } of answers) {
      const [next] = ask({ ...row, [column.name]: value });
      const share = probability / mass;
      gain += share * next.informationGain;
      cost += share * next.cost;
      worth.set(next.column, (worth.get(next.column) ?? 0) + share * next.informationGain);
    }
    if (gain / cost <= best + MORE) return question;
    const [[then]] = [...worth].sort(([, a], [, b]) => b - a);
    return { ...question, ahead: { column: then, informationGain: gain, gainPerCost: gain / cost } };
  });
  return looked.sort((a, b) => worthOf(b) - worthOf(a));
}

/** A question after the first costs about a pass over all atoms, components and classes. */
function mostRows({ atoms, components, classifier, trees }: Model): number {
  if (trees) return MOST_TREE_ROWS;
  const work = atoms.offsets[atoms.columns.length] * components.length * classifier.classes.length;
  return Math.min(MOST_ROWS, Math.ceil(MOST_WORK / work));
}

/** What a question is worth per cost, by itself or with the next one. */
function worthOf({ gainPerCost, ahead }: Question): number {
  return Math.max(gainPerCost, ahead?.gainPerCost ?? 0);
}
