import type { Table } from "conformant";
import type { Protocol } from "../protocol/protocol.ts";
import type { AdditiveScores } from "../protocol/scores/additive-scores.ts";
import type { Setup } from "../protocol/setup.ts";

/** Rows with gaps to class probabilities, rows × K. The seed decides whatever is drawn. */
export type Predictor = (rows: Table, seed: number) => Float64Array;

/** What every method of the comparison says of itself. */
interface MethodHead {
  /** As it is called on the command line and in results. */
  readonly name: string;
  /** As it is called in tables and figures. */
  readonly label: string;
  /** Whether it is run with so many columns missing; where not there is no number. Default: always. */
  readonly applies?: (protocol: Protocol, missing: number) => boolean;
}

/** A method whose class scores add up over columns; it is evaluated at all numbers of missing columns in one pass. */
export interface AdditiveMethod extends MethodHead {
  readonly scores: (setup: Setup) => AdditiveScores;
}

/** Any other method. It is run in the first {@link COSTLY_REPEATS} repeats only. */
export interface RowMethod extends MethodHead {
  readonly fit: (setup: Setup) => Predictor;
}

/** A method of the comparison: one file each, entered in `methods.ts`. */
export type Method = AdditiveMethod | RowMethod;

export const COSTLY_REPEATS = 5;

export function isAdditive(method: Method): method is AdditiveMethod {
  return "scores" in method;
}

/** On images, whose columns are many, only where few pixels are missing: for what solves or searches per row. */
export function whereCheap({ columns, onePercent }: Protocol, missing: number): boolean {
  return isTable(columns) ? true : missing <= onePercent;
}

/** On images at every fourth number of missing pixels. */
export function everyFourth({ columns, onePercent }: Protocol, missing: number): boolean {
  return isTable(columns) || missing <= onePercent || missing % 80 === 0;
}

/** At complete rows, one per cent and the tables' rates: for what takes seconds for every number. */
export function atRates(protocol: Protocol, missing: number): boolean {
  const { rates, onePercent } = protocol;
  return whereCheap(protocol, missing) && (missing <= onePercent || rates.includes(missing));
}

function isTable(columns: number): boolean {
  return columns < 100;
}
