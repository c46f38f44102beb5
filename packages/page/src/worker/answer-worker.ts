// Explains and looks ahead beside the page, so that typing never waits for it.

import { type Calibration, explain, loadCalibration, loadModel, type Model, predict } from "conformant";
import { EXPLAIN_SECONDS, findCertainty, findReasons } from "./answer.ts";
import type { AnswerReply, AnswerRequest, Question } from "./answer-messages.ts";

let model: Model | undefined;
let calibration: Calibration | undefined;
let current = 0;

addEventListener("message", ({ data }: MessageEvent<AnswerRequest>) => {
  if ("modelText" in data) model = loadModel(data.modelText);
  else if ("calibrationText" in data) calibration = loadCalibration(data.calibrationText);
  else {
    current = data.id;
    setTimeout(() => answer(data)); // first take in all that has been asked
  }
});

/** In parts, so that a newer question can come between them. */
function answer({ id, row, wants, coverage }: Question): void {
  if (!model) return;
  const known = model;
  if (wants === "explanation") {
    tell(id, () => ({ explanation: explain(known, row, { timeLimit: EXPLAIN_SECONDS }) }));
    return;
  }
  tell(id, () => ({ reasons: findReasons(known, row) }));
  const calibrated = calibration && { calibration, coverage };
  setTimeout(() =>
    tell(id, () => ({ certainty: findCertainty(known, row, predict(known, row), calibrated) })),
  );
}

/** Finds a part of the answer and says it, unless the question is an old one by now. */
function tell(id: number, find: () => Omit<AnswerReply, "id">): void {
  if (id !== current) return;
  try {
    postMessage({ id, ...find() } satisfies AnswerReply);
  } catch (thrown) {
    const failure = thrown instanceof Error ? thrown.message : String(thrown);
    postMessage({ id, failure } satisfies AnswerReply);
  }
}
