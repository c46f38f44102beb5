import { ConformantError, requireMade, show } from "../errors.ts";
import { missingNumber } from "../gaussian/condition.ts";
import { mixtureMoments } from "../math/normal-mixture.ts";
import { logSumExp } from "../math/softmax.ts";
import { type Column, rejectColumn, valueLabels } from "../schema/column.ts";
import { missingCell, tableOfRow } from "../schema/read-row.ts";
import { GIVEN } from "./certificate.ts";
import { completionSpace, factorsOf } from "./completion-space.ts";
import { type Component, createComponent, type Distribution, joinParts } from "./distribution.ts";
import type { Tilt } from "./factor.ts";

/**
 * The model as it is if gaps are not at random: P'(x, k) ∝ P(x, k) Π_i e^{tilt_i · t_i(x_i)} over the columns that are shifted. Where such a column is known, all answers are those of
 * the model itself, since every component and class gets the same factor; where it is missing, values are weighed as if the chance of a value to be missing rose or
 * fell with it. It conforms with the same classifier, and every question can be asked of it.
 *
 *     predict(shiftMissing(model, { income: 0.5 }), { age: 40 }); // high incomes are missing more often
 */
export function shiftMissing<D extends Distribution>(model: D, shifts: Readonly<Record<string, Shift>>): D {
  requireMade("model", model);
  const wanted = readShifts(model, shifts);
  if (wanted.size === 0) return model;
  const yardsticks = yardsticksOf(model);
  return tiltColumns(
    model,
    new Map(Array.from(wanted, ([i, shift]) => [i, tiltOf(model, yardsticks, i, shift)])),
  );
}

/** P'(x, k) ∝ P(x, k) Π_i e^{tilt_i(x_i)}, by position of the column. */
export function tiltColumns<D extends Distribution>(model: D, tilts: ReadonlyMap<number, Tilt>): D {
  const { tilt, atoms } = model;
  const components = model.components.map(({ logQ, logWeight, logNormaliser }, m) => {
    const factors = factorsOf(model).map((factor) => factor.tilted(m, tilts));
    const parts = joinParts(factors.map((factor) => factor.parts));
    const tilted = createComponent(tilt, atoms, { logWeight: 0, logQ, ...parts });
    // What the factors come to in this component: its weight is that of rows, not of rows with these gaps.
    const logFactor = factors.reduce((sum, factor) => sum + factor.logFactor, 0);
    return { ...tilted, logWeight: logWeight - logNormaliser + tilted.logNormaliser + logFactor };
  });
  return { ...model, components: normalised(components), certificate: GIVEN };
}

function normalised(components: readonly Component[]): Component[] {
  const logSum = logSumExp(Float64Array.from(components, ({ logWeight }) => logWeight));
  return components.map((component) => ({ ...component, logWeight: component.logWeight - logSum }));
}

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

/** Mean and standard deviation of columns with nothing known; a 0/1 column is measured by itself. */
export function yardsticksOf(distribution: Distribution): Yardsticks {
  const { columns } = distribution.schema;
  const cells = Float64Array.from(columns, missingCell);
  const empty = tableOfRow(distribution.schema, cells);
  const { missing, normals, posterior } = completionSpace(distribution, empty, 0);
  const scales = new Map<number, Yardstick>();
  for (const { index, count, cellOf, conditional } of missing) {
    const share = (v: number): number =>
      posterior.reduce((sum, p, a) => sum + p * conditional[v * posterior.length + a], 0);
    const shares = Float64Array.from({ length: count }, (_, v) => share(v));
    const centre = shares.reduce((sum, p, v) => sum + p * cellOf(v), 0);
    const variance = shares.reduce((sum, p, v) => sum + p * (cellOf(v) - centre) ** 2, 0);
    scales.set(index, { centre, scale: Math.sqrt(variance) || 1 });
  }
  normals.columns.forEach((index, a) => {
    const { means, deviations } = missingNumber(normals, a);
    const standardDeviations = means.map((_, outcome) => deviations[Math.floor(outcome / normals.K)]);
    const { mean, standardDeviation } = mixtureMoments({ weights: posterior, means, standardDeviations });
    scales.set(index, { centre: mean, scale: standardDeviation || 1 });
  });
  return (i) => (columns[i].kind === "binary" ? { centre: 0, scale: 1 } : (scales.get(i) as Yardstick));
}

/** What the values of a column are multiplied by. */
export function tiltOf(model: Distribution, yardsticks: Yardsticks, i: number, shift: Shift): Tilt {
  if (typeof shift !== "number") {
    const labels = labelsOf(model.schema.columns[i]);
    return { of: (v) => (Object.hasOwn(shift, labels[v]) ? shift[labels[v]] : 0), slope: 0 };
  }
  const { centre, scale } = yardsticks(i);
  return { of: (x) => (shift * (x - centre)) / scale, slope: shift / scale };
}

/** The same of each atom of a column. */
export function logFactors(
  model: Distribution,
  yardsticks: Yardsticks,
  i: number,
  shift: Shift,
): Float64Array {
  const { count, values } = model.atoms.columns[i];
  const { of } = tiltOf(model, yardsticks, i, shift);
  return Float64Array.from({ length: count }, (_, v) => of(values?.[v] ?? v));
}

function labelsOf(column: Column): readonly string[] {
  return column.kind === "numeric" ? [] : valueLabels(column);
}

/** The columns that are shifted, by their positions, after a check of all that was given. */
export function readShifts(model: Distribution, shifts: Readonly<Record<string, Shift>>): Map<number, Shift> {
  if (typeof shifts !== "object" || shifts === null || Array.isArray(shifts))
    throw wrong("shifts", "an object of column names and tilts", shifts);
  const { columns } = model.schema;
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
