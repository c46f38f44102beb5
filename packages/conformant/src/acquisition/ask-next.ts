import { ConformantError, requireMade } from "../errors.ts";
import { expectationOf } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { readOptions } from "../options.ts";
import { missingFeatures } from "../predictors/features.ts";
import { Watch } from "../progress.ts";
import { readCells } from "../questions/row-input.ts";
import type { Row } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import { askGroups } from "./ask-groups.ts";
import { informationGains } from "./information-gains.ts";
import { type AskNextOptions, askNextOptions, type Question, readCosts } from "./question.ts";
import { lookAhead } from "./two-questions-ahead.ts";

/** The tolerance of integrals after a hypothetical answer. */
const IMAGINED = 1e-4;

/**
 * Which missing column to ask for next: for each one the expected information about the class and the probability that its
 * value changes the decision, by falling gain per cost. Both are sums over the column's values, or integrals for numbers of a
 * Gaussian, with their errors; with `lookAhead` questions are ranked by what they and the next question tell together,
 * where that is more; with `groups` of columns that are learned together, from draws, with the standard error.
 *
 *     askNext(model, { age: 40 })[0]; // { column: "income", informationGain: 0.12, changesDecision: 0.3, … }
 */
export function askNext(model: Model, row: Row, options: AskNextOptions = {}): Question[] {
  requireMade("model", model);
  const read = readOptions(options, askNextOptions);
  const { lookAhead: far, groups, costs, tolerance } = read;
  const watch = new Watch(read, "planning");
  const cells = readCells(model, row, read);
  if (groups !== undefined) {
    if (far) throw exclusive();
    return askGroups(model, cells, groups, costs, watch);
  }
  const costOf = readCosts(model.schema, costs);
  const questions = askColumns(model, cells, costOf, tolerance, (share) => watch.step(share));
  if (!far) return questions;
  const ask = (known: Cells): Question[] => askColumns(model, known, costOf, IMAGINED, watch.check);
  return lookAhead(model, cells, questions, ask, (share) => watch.step(share));
}

function exclusive(): ConformantError {
  const message = "options.groups and options.lookAhead cannot both be given";
  return new ConformantError("invalid-argument", message, { argument: "options.lookAhead" });
}

/** The questions for single columns, best first. */
export function askColumns(
  model: Model,
  cells: Cells,
  costOf: (column: string) => number,
  tolerance: number | undefined,
  before: (share: number) => void,
): Question[] {
  const { columns } = model.schema;
  const gains = informationGains(expectationOf(model), model.schema, cells, tolerance);
  const missing = missingFeatures(model.schema, cells);
  const questions = missing.map(({ columns: [i] }, j): Question => {
    before(j / missing.length);
    const column = columns[i].name;
    const cost = costOf(column);
    const gain = gains(i);
    return { column, ...gain, cost, gainPerCost: gain.informationGain / cost };
  });
  return questions.sort((a, b) => b.gainPerCost - a.gainPerCost);
}
