// Explains and looks ahead beside the page, so that typing never waits for it.

import { type AnyModel, type Calibration, isRegression, loadAnyModel, loadCalibration } from "conformant";
import { findAlternatives, findCertainty, findOutlook, findReasons } from "./answer.ts";
import type { AnswerReply, AnswerRequest, Question } from "./answer-messages.ts";
import { type AnswerScale, answerScale } from "./answer-scale.ts";
import { answerTo } from "./answer-to.ts";
import { findNumberCertainty, findNumberOutlook, findNumberReasons } from "./number-answer.ts";

let model: AnyModel | undefined;
/** Of a model of numbers. */
let scale: AnswerScale | undefined;
let calibration: Calibration | undefined;
let current = 0;

addEventListener("message", ({ data }: MessageEvent<AnswerRequest>) => {
  if ("modelText" in data) {
    model = loadAnyModel(data.modelText);
    scale = isRegression(model) ? answerScale(model) : undefined;
  } else if ("calibrationText" in data) calibration = loadCalibration(data.calibrationText);
  else {
    current = data.id;
    setTimeout(() => answer(data)); // first take in all that has been asked
  }
});

/** In parts, so that a newer question can come between them. */
function answer({ id, row, first, coverage }: Question): void {
  if (!model) return;
  const known = model;
  let exact = first;
  const prediction = (): string => (exact?.kind === "classes" ? exact.ranked[0][0] : "");
  const calibrated = calibration && { calibration, coverage };
  const parts: (() => Omit<AnswerReply, "id">)[] = isRegression(known)
    ? [
        () => ({ reasons: findNumberReasons(known, row) }),
        () => ({ outlook: findNumberOutlook(known, row) }),
        () => ({ certainty: findNumberCertainty(known, row, scale ?? answerScale(known)), alternatives: {} }),
      ]
    : [
        () => ({ reasons: findReasons(known, row) }),
        () => ({ outlook: findOutlook(known, row) }),
        () => ({ certainty: findCertainty(known, row, prediction(), calibrated) }),
        () => ({ alternatives: findAlternatives(known, row, prediction()) }),
      ];
  if (!exact)
    parts.unshift(() => {
      exact = answerTo(known, row);
      return { answer: exact };
    });
  const next = (): void => {
    const find = parts.shift();
    if (!find || id !== current) return;
    try {
      postMessage({ id, ...find() } satisfies AnswerReply);
      setTimeout(next);
    } catch (thrown) {
      const failure = thrown instanceof Error ? thrown.message : String(thrown);
      postMessage({ id, failure } satisfies AnswerReply);
    }
  };
  next();
}
