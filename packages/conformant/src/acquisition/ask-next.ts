import { ConformantError, requireMade } from "../errors.ts";
import { expectationOf } from "../model/kinds.ts";
import { type AnyModel, isRegression, type Model, type RegressionModel } from "../model/model.ts";
import { type OptionsOf, readOptions } from "../options.ts";
import { missingFeatures } from "../predictors/features.ts";
import { varianceOf } from "../predictors/spread.ts";
import { Watch } from "../progress.ts";
import { readCells } from "../questions/row-input.ts";
import type { Row } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import { askGroups } from "./ask-groups.ts";
import { informationGains } from "./information-gains.ts";
import {
  type AskNextOptions,
  type AskOptions,
  askNextOptions,
  askOptions,
  type NumberQuestion,
  type Question,
  readCosts,
} from "./question.ts";
import { lookAhead } from "./two-questions-ahead.ts";

/** The tolerance of integrals after a hypothetical answer. */
const IMAGINED = 1e-4;

/**
 * Which missing column to ask for next: for each one the expected information about the class and the probability that its
 * value changes the decision, by falling gain per cost. Both are sums over the column's values, or integrals for numbers of a
 * Gaussian, with their errors; with `lookAhead` questions are ranked by what they and the next question tell together,
 * where that is more; with `groups` of columns that are learned together, from draws, with the standard error.
 *
 * Where the answer is a number, what counts is by how much its variance is expected to fall.
 *
 *     askNext(model, { age: 40 })[0]; // { column: "income", informationGain: 0.12, changesDecision: 0.3, … }
 */
export function askNext(model: Model, row: Row, options?: AskNextOptions): Question[];
export function askNext(model: RegressionModel, row: Row, options?: AskOptions): NumberQuestion[];
export function askNext(
  model: AnyModel,
  row: Row,
  options: AskNextOptions = {},
): Question[] | NumberQuestion[] {
  requireMade("model", model);
  if (isRegression(model)) return askForNumber(model, row, options);
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

const numberOptions = { ...askOptions } satisfies OptionsOf<AskOptions>;

/**
 * Var(f | y) − E[ Var(f | y, x_i) ] = Var( E[f | y, x_i] ): by how much the variance of the number is expected to fall once column i is
 * known.
 */
function askForNumber(model: RegressionModel, row: Row, options: AskOptions): NumberQuestion[] {
  const read = readOptions(options, numberOptions);
  const { schema } = model;
  const watch = new Watch(read, "planning");
  const cells = readCells(model, row, read);
  const costOf = readCosts(schema, read.costs);
  const expectation = expectationOf(model);
  const ahead = expectation.lookAhead(cells);
  const variance = varianceOf(expectation, cells);
  const missing = missingFeatures(schema, cells);
  const questions = missing.map(({ columns: [i] }, j): NumberQuestion => {
    watch.step(j / missing.length);
    const column = schema.columns[i].name;
    const { value, error } = ahead.column(i).mean((then, now) => (then[0] - now[0]) ** 2);
    const cost = costOf(column);
    return {
      column,
      varianceReduction: value,
      standardDeviation: Math.sqrt(Math.max(0, variance - value)),
      cost,
      gainPerCost: value / cost,
      ...(error !== undefined && { error }),
    };
  });
  return questions.sort((a, b) => b.gainPerCost - a.gainPerCost);
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
