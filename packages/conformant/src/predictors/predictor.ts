import type { Distribution } from "../distribution/distribution.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import type { Column, Schema } from "../schema/column.ts";
import type { Table } from "../schema/data.ts";
import type { Expectation } from "./expectation.ts";

/** What a predictor answers. All arrays of answers are in the order of `outputs`. */
export type Response = ClassResponse | NumberResponse;

/** Class probabilities that sum to 1. */
export interface ClassResponse {
  readonly kind: "classes";
  /** The K names of the classes, two or more. */
  readonly outputs: readonly string[];
}

/** One number. */
export interface NumberResponse {
  readonly kind: "number";
  /** The name of the number; K = 1. */
  readonly outputs: readonly [name: string];
}

/** Something that answers complete rows. Plain data: it survives structuredClone and a message to another thread. */
export interface Predictor {
  /** Which entry of the list of kinds knows it. */
  readonly kind: string;
  readonly schema: Schema;
  /** The column it was trained to predict, where that is known. */
  readonly label?: string;
}

/** What the library knows of a kind of predictor: one object per kind, one line in model/kinds.ts. */
export interface PredictorKind<P extends Predictor = Predictor> {
  readonly kind: P["kind"];
  /** What an error calls it: "an additive classifier", "trees". */
  readonly description: string;
  /** Whether expected answers may be sampled. */
  readonly sampled: boolean;
  response(predictor: P): Response;
  /** Positions of the columns that the answer depends on, ascending. */
  columnsUsed(predictor: P): readonly number[];
  /** Answers to rows, rows × K, in which the columns used are all present. */
  evaluate(predictor: P, rows: Table): Float64Array;
  /** The class scores that a conforming distribution has to carry: zeros for every predictor but additive classifiers. */
  tilt(predictor: P): ClassTilt;
  /** How its expectation is computed under a distribution on the same columns. */
  expectation(predictor: P, distribution: Distribution): Expectation;
  /** Its parts of a model file, beside the scores that the distribution carries. */
  write(predictor: P): object;
  /** The same predictor on more columns, which it does not use. */
  addColumns(predictor: P, columns: readonly Column[]): P;
}
