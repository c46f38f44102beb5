import type { Row } from "conformant";
import type { Alternatives, AnyReasons, Certainty, Outlook } from "./answer.ts";
import type { Answer } from "./answer-to.ts";

/** What the page says to its worker: the model once, calibration rows where there are some, then rows, each with a larger number. */
export type AnswerRequest = { readonly modelText: string } | { readonly calibrationText: string } | Question;

/** What is asked about a row. */
export interface Question {
  readonly id: number;
  readonly row: Row;
  /** The answer itself, where the page has it. */
  readonly first: Answer | undefined;
  /** How often a set of classes must hold the true one. */
  readonly coverage: number;
}

/** What the worker says: the answer to a row, in parts. */
export interface AnswerReply {
  readonly id: number;
  readonly answer?: Answer;
  readonly reasons?: AnyReasons;
  readonly outlook?: Outlook;
  readonly certainty?: Certainty;
  readonly alternatives?: Alternatives;
  /** Why there is no answer. */
  readonly failure?: string;
}
