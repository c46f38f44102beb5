import {
  type AnyModel,
  type Calibration,
  explain,
  explainInWords,
  howSure,
  isRegression,
  type Model,
  type NumberCalibration,
  predictionInterval,
  predictionSet,
  type RegressionModel,
  type Row,
  random,
  surprise,
} from "conformant";
import { counted } from "../source/count.ts";
import { writeList } from "../source/write-list.ts";

/** What a row is asked besides its prediction. */
export interface AddedRequest {
  /** The level of the interval; undefined where none was asked for. */
  readonly interval: number | undefined;
  readonly explain: boolean;
  readonly surprise: boolean;
  /** What sets of classes or intervals of numbers are made of; undefined where none were asked for. */
  readonly sets: SetRequest | OutcomeRequest | undefined;
  readonly seed: number;
}

/** Sets of classes that hold the true one with a probability. */
export interface SetRequest {
  readonly coverage: number;
  readonly calibration: Calibration;
  readonly randomized: boolean;
}

/** Intervals that hold the true number with a probability. */
export interface OutcomeRequest {
  readonly coverage: number;
  readonly calibration: NumberCalibration;
}

/** A number, a text, or a list of names. */
export type AddedValue = number | string | readonly string[];

/** A value as a text, a list as options of the command take it. */
export function addedText(value: AddedValue): string {
  return typeof value === "object" ? writeList(value) : String(value);
}

/** Columns that stand after the probabilities: their names, and their values in a row. */
export interface AddedColumns {
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly valuesOf: (row: Row) => readonly AddedValue[];
  /** What is to be said when all rows are done. */
  readonly notes?: () => readonly string[];
}

/**
 * The columns that were asked for:
 *
 *     interval   interval_low, interval_high, same_decision: the probability of the prediction with everything known
 *                lies between the first two with the given level; the decision is then the same with the third; of a number the first two alone
 *     explain    sufficient, opposing (names of columns), explanation (in words)
 *     surprise   log_evidence, typicality: log P(known values), and the share of rows no more likely than this one
 *     sets       set: the classes that the row may well have, the likeliest first; of a number outcome_low and outcome_high
 */
export function addedColumns(model: AnyModel, { interval, seed, ...wanted }: AddedRequest): AddedColumns {
  const parts: AddedColumns[] = [];
  if (interval !== undefined) parts.push(intervalColumns(model, interval, seed));
  if (wanted.explain && !isRegression(model)) parts.push(explanationColumns(model));
  if (wanted.surprise) parts.push(surpriseColumns(model, seed));
  const { sets } = wanted;
  if (sets && !("randomized" in sets) && isRegression(model)) parts.push(outcomeColumns(model, sets));
  if (sets && "randomized" in sets && !isRegression(model)) parts.push(setColumns(model, sets, seed));
  return {
    columns: parts.flatMap(({ columns }) => columns),
    valuesOf: (row) => parts.flatMap(({ valuesOf }) => valuesOf(row)),
    notes: () => parts.flatMap(({ notes }) => notes?.() ?? []),
  };
}

function intervalColumns(model: AnyModel, coverage: number, seed: number): AddedColumns {
  if (isRegression(model))
    return {
      columns: numbers("interval_low", "interval_high"),
      valuesOf: (row) => howSure(model, row, { coverage, seed }).interval.map(({ value }) => value),
    };
  return {
    columns: numbers("interval_low", "interval_high", "same_decision"),
    valuesOf: (row) => {
      const { interval, sameDecision } = howSure(model, row, { coverage, seed });
      return [interval[0].value, interval[1].value, sameDecision.value];
    },
  };
}

function explanationColumns(model: Model): AddedColumns {
  return {
    columns: ["sufficient", "opposing", "explanation"].map((name) => ({ name, isNumber: false })),
    valuesOf: (row) => {
      const explanation = explain(model, row);
      return [explanation.sufficient, explanation.opposing, explainInWords(explanation)];
    },
  };
}

function surpriseColumns(model: AnyModel, seed: number): AddedColumns {
  return {
    columns: numbers("log_evidence", "typicality"),
    valuesOf: (row) => {
      const { logEvidence, share } = surprise(model, row, { seed });
      return [logEvidence, share.value];
    },
  };
}

function setColumns(
  model: Model,
  { coverage, calibration, randomized }: SetRequest,
  seed: number,
): AddedColumns {
  const draws = randomized ? { randomized: random(seed) } : {};
  let tooFew = 0;
  return {
    columns: [{ name: "set", isNumber: false }],
    valuesOf: (row) => {
      const { classes, enough } = predictionSet(model, calibration, row, { coverage, ...draws });
      if (!enough) tooFew++;
      return [classes];
    },
    notes: () => fewRowsNote(tooFew, coverage, "their sets hold every class"),
  };
}

function outcomeColumns(model: RegressionModel, { coverage, calibration }: OutcomeRequest): AddedColumns {
  let tooFew = 0;
  return {
    columns: numbers("outcome_low", "outcome_high"),
    valuesOf: (row) => {
      const { lower, upper, enough } = predictionInterval(model, calibration, row, { coverage });
      if (!enough) tooFew++;
      return [lower, upper];
    },
    notes: () => fewRowsNote(tooFew, coverage, "their intervals have no bounds"),
  };
}

function fewRowsNote(rows: number, coverage: number, consequence: string): string[] {
  if (rows === 0) return [];
  const few = `fewer calibration rows know the same columns than ${coverage} needs`;
  return [`${counted(rows, "row")}: ${few}, so that ${consequence}`];
}

function numbers(...names: string[]): AddedColumns["columns"] {
  return names.map((name) => ({ name, isNumber: true }));
}
