import { tiltOf, yardsticksOf } from "../distribution/shift-missing.ts";
import { LARGEST, requireMade } from "../errors.ts";
import { bisect } from "../math/search.ts";
import { expectationOf } from "../model/kinds.ts";
import { type AnyModel, isRegression, type Model, type RegressionModel } from "../model/model.ts";
import { number, type OptionsOf, readOptions } from "../options.ts";
import { decide, isAnother } from "../predictors/decision.ts";
import { missingFeatures } from "../predictors/features.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { Column } from "../schema/column.ts";
import type { Row } from "../schema/data.ts";
import { type QueryOptions, queryOptions, readCells } from "./row-input.ts";

/** How far to look, and how strictly names are read. */
export interface SensitivityOptions extends QueryOptions, WatchOptions {
  /** The largest tilt that is tried. Default 3: a value 20 times as likely to be missing as one a standard deviation lower. */
  readonly limit?: number | undefined;
  /** Of a number: the decision is whether it reaches this. */
  readonly threshold?: number | undefined;
}

const sensitivityOptions = {
  ...queryOptions,
  ...watchOptions,
  limit: number(3),
} satisfies OptionsOf<Omit<SensitivityOptions, "threshold">>;

const numberOptions = {
  ...sensitivityOptions,
  threshold: number(undefined, { least: -LARGEST }),
} satisfies OptionsOf<SensitivityOptions>;

/** What it takes of one missing column to change the decision. */
export interface DecidingTilt {
  readonly column: string;
  /** Of a category or a bit: the value whose share among the gaps is tilted. */
  readonly value?: string;
  /** The smallest tilt, of either sign, that changes the decision; null where none up to the limit does. */
  readonly tilt: number | null;
  /** The decision there. */
  readonly prediction: string | null;
}

/** How far gaps may be from random before the decision is another. */
export interface Sensitivity {
  readonly prediction: string;
  readonly probability: number;
  /** One for each missing column, of a category for each value; the smallest tilt first. */
  readonly tilts: readonly DecidingTilt[];
  readonly limit: number;
}

/** What the tilt of one missing column does to a number. */
export interface NumberTilt extends Pick<DecidingTilt, "column" | "value"> {
  /** The expected number at the two limits: where high values are missing least and most often. */
  readonly range: readonly [atMinusLimit: number, atLimit: number];
  /** With a threshold: the smallest tilt, of either sign, at which the number is on its other side; null where none up to the limit is. */
  readonly tilt?: number | null;
}

/** How far gaps that are not at random may move a number. */
export interface NumberSensitivity {
  readonly prediction: number;
  /** One for each missing column, of a category for each value; the widest range first. */
  readonly tilts: readonly NumberTilt[];
  readonly limit: number;
  readonly threshold?: number;
}

/** Steps to the limit between which the decision is taken to change no more than once, and bisections to the exact tilt then. */
const [STEPS, BISECTIONS] = [96, 40];
/** The same where each answer may be sampled. */
const [SAMPLED_STEPS, SAMPLED_BISECTIONS] = [12, 8];

/**
 * What if values are not missing at random? For each missing column the smallest tilt, as {@link shiftMissing} applies it, that
 * changes the decision: exact for closed forms, to about a hundredth where answers are sampled.
 *
 * Of a number the range that tilts up to the limit move it through, and the smallest that takes it across a threshold.
 *
 *     sensitivity(model, { age: 40 }).tilts[0]; // { column: "income", tilt: 0.8, prediction: "yes" }
 */
export function sensitivity(model: Model, row: Row, options?: SensitivityOptions): Sensitivity;
export function sensitivity(
  model: RegressionModel,
  row: Row,
  options?: SensitivityOptions,
): NumberSensitivity;
export function sensitivity(
  model: AnyModel,
  row: Row,
  options: SensitivityOptions = {},
): Sensitivity | NumberSensitivity {
  requireMade("model", model);
  if (isRegression(model)) return sensitivityOfNumber(model, row, options);
  const read = readOptions(options, sensitivityOptions);
  const { limit } = read;
  const watch = new Watch(read, "searching");
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const cells = readCells(model, row, read);
  const expectation = expectationOf(model);
  const { values: answer } = expectation.expect(cells);
  const ahead = expectation.lookAhead(cells);
  const now = decide(ahead.now).class;
  const [steps, bisections] = expectation.sampled ? [SAMPLED_STEPS, SAMPLED_BISECTIONS] : [STEPS, BISECTIONS];
  const scales = yardsticksOf(model);
  const shifts = missingFeatures(schema, cells).flatMap(({ columns: [i] }) => shiftsOf(schema.columns[i], i));
  const tilts = shifts.map(({ index, value }, j): DecidingTilt => {
    watch.step(j / shifts.length);
    const column = ahead.column(index);
    const tilted = (tilt: number): Float64Array => {
      const shift = value === undefined ? tilt : { [value]: tilt };
      return column.tilted(tiltOf(model, scales, index, shift));
    };
    const changes = (tilt: number): boolean => isAnother(tilted(tilt), now);
    const found = [1, -1].flatMap((sign) => smallestChange(changes, sign * limit, steps, bisections) ?? []);
    const tilt = found.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? null;
    return {
      column: schema.columns[index].name,
      ...(value !== undefined && { value }),
      tilt,
      prediction: tilt === null ? null : classes[decide(tilted(tilt)).class],
    };
  });
  tilts.sort(
    (a, b) => Math.abs(a.tilt ?? Number.POSITIVE_INFINITY) - Math.abs(b.tilt ?? Number.POSITIVE_INFINITY),
  );
  const { class: c } = decide(answer);
  return { prediction: classes[c], probability: answer[c], tilts, limit };
}

function sensitivityOfNumber(
  model: RegressionModel,
  row: Row,
  options: SensitivityOptions,
): NumberSensitivity {
  const read = readOptions(options, numberOptions);
  const { limit, threshold } = read;
  const watch = new Watch(read, "searching");
  const { schema } = model;
  const cells = readCells(model, row, read);
  const expectation = expectationOf(model);
  const ahead = expectation.lookAhead(cells);
  const [steps, bisections] = expectation.sampled ? [SAMPLED_STEPS, SAMPLED_BISECTIONS] : [STEPS, BISECTIONS];
  const scales = yardsticksOf(model);
  const isAbove = (x: number): boolean => threshold !== undefined && x >= threshold;
  const now = isAbove(ahead.now[0]);
  const shifts = missingFeatures(schema, cells).flatMap(({ columns: [i] }) => shiftsOf(schema.columns[i], i));
  const tilts = shifts.map(({ index, value }, j): NumberTilt => {
    watch.step(j / shifts.length);
    const column = ahead.column(index);
    const tilted = (tilt: number): number =>
      column.tilted(tiltOf(model, scales, index, value === undefined ? tilt : { [value]: tilt }))[0];
    const changes = (tilt: number): boolean => isAbove(tilted(tilt)) !== now;
    const found =
      threshold === undefined
        ? []
        : [1, -1].flatMap((sign) => smallestChange(changes, sign * limit, steps, bisections) ?? []);
    return {
      column: schema.columns[index].name,
      ...(value !== undefined && { value }),
      range: [tilted(-limit), tilted(limit)],
      ...(threshold !== undefined && { tilt: found.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? null }),
    };
  });
  const width = ({ range: [a, b] }: NumberTilt): number => Math.abs(b - a);
  tilts.sort((a, b) => width(b) - width(a));
  const prediction = expectation.expect(cells).values[0];
  return { prediction, tilts, limit, ...(threshold !== undefined && { threshold }) };
}

/** What is tilted of a column: each category, the 1 of a 0/1 column, or the whole of what has an order. */
function shiftsOf(column: Column, index: number): { index: number; value?: string }[] {
  if (column.kind === "categorical") return column.values.map((value) => ({ index, value }));
  return column.kind === "binary" ? [{ index, value: "1" }] : [{ index }];
}

/** The first tilt on the way to a limit at which the decision is another. */
function smallestChange(
  changes: (tilt: number) => boolean,
  limit: number,
  steps: number,
  bisections: number,
): number | undefined {
  for (let step = 1; step <= steps; step++) {
    if (!changes((limit * step) / steps)) continue;
    return bisect(changes, (limit * (step - 1)) / steps, (limit * step) / steps, bisections)[1];
  }
  return undefined;
}

/** Columns that are named where no tilt of theirs changes anything. */
const NAMED = 4;

/**
 * The answer of {@link sensitivity} as a person would give it.
 *
 *     sensitivityInWords(sensitivity(model, { age: 40 })); // a sentence
 */
export function sensitivityInWords(found: Sensitivity): string {
  requireMade("sensitivity", found);
  const { prediction, tilts, limit } = found;
  if (tilts.length === 0) return "Nothing is missing, so that it does not matter why.";
  const [first] = tilts;
  const unmoved = [...new Set(tilts.map(({ column }) => column))].filter((name) =>
    tilts.every(({ column, tilt }) => column !== name || tilt === null),
  );
  const rest = unmoved.length === 0 ? "" : ` No tilt up to ${limit} of ${listed(unmoved)} alone changes it.`;
  if (first.tilt === null)
    return `Predicted ${prediction}, whatever the reason for the missing values.${rest}`;
  return `Predicted ${prediction} if values are missing at random; ${first.prediction} if ${condition(first.column, first.value, first.tilt)}.${rest}`;
}

/** What must be true of the gaps. */
function condition(column: string, value: string | undefined, tilt: number): string {
  const sign = tilt > 0 ? "+" : "−";
  const size = `(tilt ${sign}${Math.abs(tilt).toFixed(2)})`;
  if (value !== undefined)
    return `${column} = ${value} is ${times(tilt)} as likely to be missing as other values ${size}`;
  const other = tilt > 0 ? "lower" : "higher";
  return `a value of ${column} is ${times(Math.abs(tilt))} as likely to be missing as one a standard deviation ${other} ${size}`;
}

function times(tilt: number): string {
  return `${Number(Math.exp(tilt).toPrecision(2))} times`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(", ");
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}
