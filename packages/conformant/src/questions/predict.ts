import { requireMade } from "../errors.ts";
import { expectationOf } from "../model/kinds.ts";
import { type AnyModel, isRegression, type Model, type RegressionModel } from "../model/model.ts";
import { number, type OptionsOf, readOptions } from "../options.ts";
import { type Expectation, MANY_ROWS } from "../predictors/expectation.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { byName, type Data, type Row, type Table, type UnseenValues } from "../schema/data.ts";
import { checkNumbers, type LaidOut } from "../schema/encode.ts";
import { cellsOfRow } from "../schema/read-row.ts";
import {
  checkThreads,
  isShared,
  type PartedWork,
  type ThreadOptions,
  type Threads,
  thisThread,
  threadOptions,
} from "../threads/threads.ts";
import {
  DEFAULT_READING,
  encodeRow,
  layOutFor,
  type QueryOptions,
  queryOptions,
  readRowFor,
} from "./row-input.ts";

/** What the predictor is expected to answer for many rows. */
export interface Predictions {
  readonly classes: readonly string[];
  /** rows × K, `probabilities[row * K + k]`. */
  readonly probabilities: Float64Array;
  /** Where answers may be sampled: the largest standard error of each row, 0 for an exact one. */
  readonly standardErrors?: Float64Array;
  /** Categories the model does not know, which were treated as missing. */
  readonly unseen: readonly UnseenValues[];
}

/** The numbers that a predictor is expected to answer for many rows. */
export interface NumberPredictions {
  /** The name of the number. */
  readonly output: string;
  /** One per row. */
  readonly values: Float64Array;
  /** Where answers may be sampled: the standard error of each row, 0 for an exact one. */
  readonly standardErrors?: Float64Array;
  /** Categories the model does not know, which were treated as missing. */
  readonly unseen: readonly UnseenValues[];
}

/** The number that a predictor is expected to answer for one row. */
export interface NumberPrediction {
  readonly value: number;
  /** Where the answer was sampled. */
  readonly standardError?: number;
  /** Categories the model does not know, which were treated as missing. */
  readonly unseen: readonly UnseenValues[];
}

/** What the predictor is expected to answer for one row. */
export interface Prediction {
  /** Class name to probability. */
  readonly probabilities: Readonly<Record<string, number>>;
  /** Where the answer was sampled: its largest standard error. */
  readonly standardError?: number;
  /** Categories the model does not know, which were treated as missing. */
  readonly unseen: readonly UnseenValues[];
}

/** How names are read, who is told and shares the work, and how exact answers are. */
interface PredictColumnsOptions extends QueryOptions, WatchOptions, ThreadOptions {
  /**
   * Where answers are sampled: the standard error that is small enough, of a number in standard deviations of all answers. Default 0.01.
   */
  readonly tolerance?: number | undefined;
}

const columnsOptions = {
  ...queryOptions,
  ...watchOptions,
  ...threadOptions,
  tolerance: number(MANY_ROWS.tolerance),
} satisfies OptionsOf<PredictColumnsOptions>;

/**
 * The expected prediction (Definition 1 of the paper): the predictor's answer averaged over the missing columns, given the
 * known ones. With nothing missing it is the predictor's own answer.
 *
 *     predict(model, { age: 40 }); // { no: 0.8, yes: 0.2 }; of a regressor a number
 *
 * @returns class name to probability, or the number
 */
export function predict(model: Model, row: Row, options?: QueryOptions): Record<string, number>;
export function predict(model: RegressionModel, row: Row, options?: QueryOptions): number;
export function predict(model: AnyModel, row: Row, options?: QueryOptions): Record<string, number> | number;
export function predict(model: AnyModel, row: Row, options?: QueryOptions): Record<string, number> | number {
  requireMade("model", model);
  const reading = options === undefined ? DEFAULT_READING : readOptions(options, queryOptions);
  const { values } = expectationOf(model).expect(readRowFor(model, row, reading));
  return isRegression(model) ? values[0] : byName(model.response.outputs, values);
}

/**
 * {@link predict} with what is known about the answer: its standard error where it was sampled, and the values that the model does
 * not know.
 *
 *     predictRow(model, { color: "mauve" }).unseen; // [{ column: "color", values: ["mauve"], … }]
 */
export function predictRow(model: Model, row: Row, options?: QueryOptions): Prediction;
export function predictRow(model: RegressionModel, row: Row, options?: QueryOptions): NumberPrediction;
export function predictRow(
  model: AnyModel,
  row: Row,
  options: QueryOptions = {},
): Prediction | NumberPrediction {
  requireMade("model", model);
  const table = encodeRow(model, row, readOptions(options, queryOptions));
  const expectation = expectationOf(model);
  const { values, standardError } = expectation.expect(cellsOfRow(table, 0));
  const rest = { ...(expectation.sampled && { standardError }), unseen: table.unseen };
  return isRegression(model)
    ? { value: values[0], ...rest }
    : { probabilities: byName(model.response.outputs, values), ...rest };
}

/**
 * {@link predict} for many rows at once, without an object per row. Several threads share the work where they are given; columns
 * in shared memory are not copied.
 *
 *     predictColumns(model, { age: [40, null], sex: ["f", null] }).probabilities; // rows × classes
 */
export function predictColumns(model: Model, data: Data, options?: PredictColumnsOptions): Predictions;
export function predictColumns(
  model: RegressionModel,
  data: Data,
  options?: PredictColumnsOptions,
): NumberPredictions;
export function predictColumns(
  model: AnyModel,
  data: Data,
  options: PredictColumnsOptions = {},
): Predictions | NumberPredictions {
  requireMade("model", model);
  const read = readOptions(options, columnsOptions);
  const watch = new Watch(read, "predicting");
  const threads = checkThreads(read);
  const laidOut = layOutFor(model, data, read);
  const { values, errors } = answerInParts(model, laidOut, read.tolerance, threads, watch);
  const rest = { ...(errors && { standardErrors: errors }), unseen: laidOut.table.unseen };
  return isRegression(model)
    ? { output: model.response.outputs[0], values, ...rest }
    : { classes: model.response.outputs, probabilities: values, ...rest };
}

/** Multiply-adds that a part has at least: a few milliseconds, beside which handing it over is nothing. */
const WORK = 1 << 21;

/** The rows to answer. */
interface RowsGiven extends Pick<LaidOut, "unchecked"> {
  readonly rows: number;
  readonly columns: Table["columns"];
  /** Rows of a part; the last may have fewer. */
  readonly each: number;
  readonly tolerance: number;
}

/** Answers some rows: each × K values, then a standard error per row where answers may be sampled. */
export const predictPart: PartedWork<AnyModel, RowsGiven> = {
  name: "predict",
  doPart: (model, { rows, columns, each, unchecked, tolerance }, part, out) => {
    const table: Table = { schema: model.schema, rows, columns, unseen: [] };
    const [from, to] = [part * each, Math.min((part + 1) * each, rows)];
    answerSome(expectationOf(model), { table, unchecked }, tolerance, from, to, split(out, each, model));
  },
};

/** Values and standard errors of rows. */
interface Answers {
  readonly values: Float64Array;
  readonly errors: Float64Array | undefined;
}

function split(numbers: Float64Array, rows: number, { response: { outputs } }: AnyModel): Answers {
  const K = outputs.length;
  const sampled = numbers.length > rows * K;
  return {
    values: numbers.subarray(0, rows * K),
    errors: sampled ? numbers.subarray(rows * K, rows * (K + 1)) : undefined,
  };
}

/** Answers rows `from` to `to`, whose numbers are checked block by block just before. */
function answerSome(
  expectation: Expectation,
  { table, unchecked }: LaidOut,
  tolerance: number,
  from: number,
  to: number,
  { values, errors }: Answers,
  step?: (done: number) => void,
): void {
  const { K, rowsTogether: size } = expectation;
  const answer = expectation.answerRows(table, { ...MANY_ROWS, tolerance });
  for (let start = from; start < to; start += size) {
    const end = Math.min(start + size, to);
    step?.(start - from);
    checkNumbers(table, unchecked, start, end);
    const own = values.subarray((start - from) * K, (end - from) * K);
    answer(start, end, own, errors?.subarray(start - from, end - from));
  }
}

/** The answers to all rows by several threads, or by this one where the others would not make it faster. */
function answerInParts(
  model: AnyModel,
  laidOut: LaidOut,
  tolerance: number,
  threads: Threads,
  watch: Watch,
): Answers {
  const { table, unchecked } = laidOut;
  const expectation = expectationOf(model);
  const { K, cost, sampled, memoryBound, rowsTogether: size } = expectation;
  const { rows } = table;
  const each = size * Math.max(1, Math.floor(WORK / (size * cost)));
  const answers: Answers = {
    values: new Float64Array(rows * K),
    errors: sampled ? new Float64Array(rows) : undefined,
  };
  const pays = rows > each && (!memoryBound || table.columns.every(isShared));
  if (!pays || threads === thisThread) {
    answerSome(expectation, laidOut, tolerance, 0, rows, answers, (done) => watch.step(done / rows));
    return answers;
  }
  const given = { rows, columns: threads.share(table.columns), each, unchecked, tolerance };
  const count = Math.ceil(rows / each);
  const parts = { lasting: model, given, count, numbers: each * (K + Number(sampled)) };
  const numbers = threads.run(predictPart, parts, (share) => watch.step(share));
  if (!answers.errors) return { ...answers, values: numbers.subarray(0, rows * K) };
  for (let part = 0; part < count; part++) {
    const own = numbers.subarray(part * parts.numbers, (part + 1) * parts.numbers);
    const { values, errors } = split(own, each, model);
    const here = Math.min(each, rows - part * each);
    answers.values.set(values.subarray(0, here * K), part * each * K);
    if (errors) answers.errors.set(errors.subarray(0, here), part * each);
  }
  return answers;
}
