/** A column of texts before its values are counted. */
export interface TextScreen {
  readonly name: string;
  readonly known: number;
  /** How many different ones there are, about. */
  readonly distinct: number;
  readonly shortest: number;
  readonly longest: number;
  /** How many are numbers. */
  readonly numbers: number;
  /** The first in the engine's order. */
  readonly example: string;
}
