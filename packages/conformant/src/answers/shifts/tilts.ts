import { ConformantError, show } from "../../errors.ts";
import type { Tilt } from "../../factors/factor.ts";
import type { Model } from "../../model/model.ts";
import { rejectColumn } from "../../queries/explanation/features.ts";
import { type Imputation, impute } from "../../queries/filling/impute.ts";
import { type Column, valueLabels } from "../../schema/column.ts";

/**
 * By how much missing values differ from known ones, as the logarithm of a factor e^tilt: of a number or bins, how many times as likely a value is to be
 * missing as one that is a standard deviation lower; of a 0/1 column, a 1 as a 0. Of a category it is given by value: how many times
 * as likely that value is to be missing as one that is not named.
 */
export type Shift = number | Readonly<Record<string, number>>;

/** Tilts beyond this are no assumption about gaps any more. */
const LARGEST_TILT = 100;

/** What a tilt of 1 multiplies by e: t(x) = (x − centre) / scale, of a number or of the position of a value. */
export interface Yardstick {
  readonly centre: number;
  readonly scale: number;
}

/** The measure of each column, by its position. */
export type Yardsticks = (i: number) => Yardstick;

/** Mean and standard deviation of columns under the model, nothing known; a bit is its own measure. */
export function yardsticksOf(model: Model): Yardsticks {
  const { columns } = model.classifier.schema;
  const usual = impute(model, {});
  return (i) => (columns[i].kind === "binary" ? { centre: 0, scale: 1 } : measure(usual[columns[i].name]));
}

function measure(usual: Imputation): Yardstick {
  if (usual.kind === "numeric") return { centre: usual.mean, scale: usual.standardDeviation || 1 };
  const shares = Object.values(usual.probabilities);
  const centre = shares.reduce((sum, p, v) => sum + p * v, 0);
  const variance = shares.reduce((sum, p, v) => sum + p * (v - centre) ** 2, 0);
  return { centre, scale: Math.sqrt(variance) || 1 };
}

/** What the values of a column are multiplied by. */
export function tiltOf(model: Model, yardsticks: Yardsticks, i: number, shift: Shift): Tilt {
  if (typeof shift !== "number") {
    const labels = labelsOf(model.classifier.schema.columns[i]);
    return { of: (v) => (Object.hasOwn(shift, labels[v]) ? shift[labels[v]] : 0), slope: 0 };
  }
  const { centre, scale } = yardsticks(i);
  return { of: (x) => (shift * (x - centre)) / scale, slope: shift / scale };
}

/** The same of each atom of a column. */
export function logFactors(model: Model, yardsticks: Yardsticks, i: number, shift: Shift): Float64Array {
  const { count, values } = model.atoms.columns[i];
  const { of } = tiltOf(model, yardsticks, i, shift);
  return Float64Array.from({ length: count }, (_, v) => of(values?.[v] ?? v));
}

function labelsOf(column: Column): readonly string[] {
  return column.kind === "numeric" ? [] : valueLabels(column);
}

/** The columns that are shifted, by their positions, after a check of all that was given. */
export function readShifts(model: Model, shifts: Readonly<Record<string, Shift>>): Map<number, Shift> {
  if (typeof shifts !== "object" || shifts === null || Array.isArray(shifts))
    throw wrong("shifts", "an object of column names and tilts", shifts);
  const { columns } = model.classifier.schema;
  return new Map(
    Object.entries(shifts).map(([name, shift]) => {
      const i = columns.findIndex((column) => column.name === name);
      if (i < 0) rejectColumn(name, "shifts");
      checkShift(columns[i], shift);
      return [i, shift];
    }),
  );
}

function checkShift(column: Column, shift: Shift): void {
  const where = `shifts: the tilt of ${show(column.name)}`;
  if (typeof shift === "number" && column.kind === "categorical")
    throw wrong(where, `given for a value, as in { ${show(column.values[0])}: ${shift} }`, shift);
  if (typeof shift !== "object" || shift === null) checkTilt(where, shift);
  else if (column.kind === "numeric") throw wrong(where, "a number", shift);
  for (const [value, tilt] of Object.entries(shift)) {
    const labels = labelsOf(column);
    if (!labels.includes(value)) throw wrong(where, `given for one of ${labels.map(show).join(", ")}`, value);
    checkTilt(`${where} = ${show(value)}`, tilt);
  }
}

function checkTilt(where: string, tilt: unknown): void {
  if (!(typeof tilt === "number" && Math.abs(tilt) <= LARGEST_TILT))
    throw wrong(where, `a number from −${LARGEST_TILT} to ${LARGEST_TILT}`, tilt);
}

function wrong(where: string, need: string, value: unknown): ConformantError {
  const message = `${where} must be ${need}, got ${show(value)}`;
  return new ConformantError("invalid-argument", message, { argument: "shifts", value });
}
