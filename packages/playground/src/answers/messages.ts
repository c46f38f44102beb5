import type { Row } from "conformant";
import type { Certainty, Reasons } from "./answer.ts";

/** What the page says to its worker: the model once, then rows, each with a larger number. */
export type Asked =
  | { readonly modelText: string }
  | { readonly id: number; readonly row: Row; readonly wantsCertainty: boolean };

/** What the worker says: the answer to a row, in two parts. */
export interface Told {
  readonly id: number;
  readonly reasons?: Reasons;
  readonly certainty?: Certainty;
  /** Why there is no answer. */
  readonly failure?: string;
}
