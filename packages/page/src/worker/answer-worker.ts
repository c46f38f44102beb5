// Explains and looks ahead beside the page, so that typing never waits for it.

import {
  type AnyModel,
  askTree,
  type Calibration,
  isRegression,
  loadAnyModel,
  loadCalibration,
  type Model,
} from "conformant";
import { findAlternatives, findCertainty, findOutlook, findReasons } from "./answer.ts";
import type { AnswerReply, AnswerRequest, Question } from "./answer-messages.ts";
import { type AnswerScale, answerScale } from "./answer-scale.ts";
import { findNumberCertainty, findNumberOutlook, findNumberReasons } from "./number-answer.ts";
import { within } from "./within.ts";

let model: AnyModel | undefined;
/** Of a model of numbers. */
let scale: AnswerScale | undefined;
let calibration: Calibration | undefined;
let current = 0;
/** Milliseconds for a questionnaire. */
const COMPILE_MS = 20_000;

addEventListener("message", ({ data }: MessageEvent<AnswerRequest>) => {
  if ("modelText" in data) {
    model = loadAnyModel(data.modelText);
    scale = isRegression(model) ? answerScale(model) : undefined;
  } else if ("calibrationText" in data) calibration = loadCalibration(data.calibrationText);
  else if ("questionnaire" in data) {
    const own = model as Model; // it leads to classes
    reply(data.id, () => ({ questionnaire: within(COMPILE_MS, (watch) => askTree(own, {}, watch)) }));
  } else {
    current = data.id;
    setTimeout(() => answer(data)); // first take in all that has been asked
  }
});

/** In parts, so that a newer question can come between them. */
function answer({ id, row, prediction, coverage }: Question): void {
  if (!model) return;
  const known = model;
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
        () => ({ certainty: findCertainty(known, row, prediction, calibrated) }),
        () => ({ alternatives: findAlternatives(known, row, prediction) }),
      ];
  const next = (): void => {
    const find = parts.shift();
    if (find && id === current && reply(id, find)) setTimeout(next);
  };
  next();
}

/** Sends what is found, or why it was not; whether it was. */
function reply(id: number, find: () => Omit<AnswerReply, "id">): boolean {
  try {
    postMessage({ id, ...find() } satisfies AnswerReply);
    return true;
  } catch (thrown) {
    const failure = thrown instanceof Error ? thrown.message : String(thrown);
    postMessage({ id, failure } satisfies AnswerReply);
    return false;
  }
}
