import type { Explanation, Row } from "conformant";
import type { Certainty, Reasons } from "./answer.ts";

/** What the page says to its worker: the model once, calibration rows where there are some, then rows, each with a larger number. */
export type AnswerRequest = { readonly modelText: string } | { readonly calibrationText: string } | Question;

/** What is asked about a row. */
export interface Question {
  readonly id: number;
  readonly row: Row;
  /** Only the explanation, or everything. */
  readonly wants: "explanation" | "all";
  /** How often a set of classes must hold the true one. */
  readonly coverage: number;
}

/** What the worker says: the answer to a row, in parts. */
export interface AnswerReply {
  readonly id: number;
  readonly explanation?: Explanation;
  readonly reasons?: Reasons;
  readonly certainty?: Certainty;
  /** Why there is no answer. */
  readonly failure?: string;
}
