import type { Classifier } from "../../classifier/classifier.ts";
import { requireInteger } from "../../errors.ts";
import type { ChoiceOfMixture } from "../../model/certificate.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { hasFactors, namesIn } from "../mixture/factors-in-fit.ts";
import { type FittedRows, fitRows } from "../mixture/fit-rows.ts";
import type { Answering } from "./answering.ts";
import { type Choice, chooseComponents, defaultChoice } from "./choose-components.ts";
import { createJudge, type Judge, type JudgeTask, type JudgeTrials, judgeTrial } from "./judge.ts";
import { checkChoice, checkSettings, type MixtureOptions } from "./mixture-options.ts";
import { checkNumeric, columnsToTry } from "./numeric-blocks.ts";

/** A mixture fitted to rows, and how its size and kind were chosen where they were. */
export interface FittedChoice extends FittedRows {
  readonly choice?: ChoiceOfMixture;
}

/** With fewer rows than this there is nothing to choose by: one component, of the first kind that is allowed. */
const FEW_ROWS = 20;

/** What choosing is of the whole work, roughly: the sizes that were tried, beside the last fit of one of them. */
const CHOICE_SHARE = 0.7;

/** A mixture of the size and kind that the options ask for or, where they leave that open, that held-out rows favour. */
export function fitChosen(
  classifier: Classifier,
  data: WeightedRows,
  options: MixtureOptions,
  answering?: Answering,
): FittedChoice {
  const watch = new Watch(options, "fitting");
  const settings = checkSettings(options);
  const search = checkChoice(options);
  const kind = checkNumeric(options.numeric ?? "auto", classifier.schema);
  const asked = search ? undefined : requireInteger("options.components", options.components, 1);
  // A component begins with a row, so that more of them than rows are none.
  const size = asked && Math.min(asked, data.rows.length);
  const kinds = columnsToTry(kind, classifier, data, settings.bins, search === undefined);
  const open = (search !== undefined || kinds.length > 1) && data.rows.length >= FEW_ROWS;
  if (!open) return fitRows({ classifier, data, settings }, { components: size ?? 1, ...kinds[0] }, options);
  const trees = answering?.trees;
  const task: JudgeTask = {
    classifier,
    ...(trees && { trees }),
    data,
    settings,
    anyBlock: kinds.some(hasFactors),
  };
  const judge = createJudge(task, answering);
  const rungs = chooseComponents(judge, search ?? defaultChoice, kinds, size);
  const { judging = judgeHere(judge) } = options;
  const choice = climb(task, rungs, judging, watch.part(0, CHOICE_SHARE));
  const { chosen, fitted } = choice;
  const from = fitted && { ...fitted, rows: judge.folds[0].train };
  const rest = { ...watch.part(CHOICE_SHARE, 1, choice.curve), threads: options.threads };
  return {
    ...fitRows(task, chosen, rest, from),
    choice: certify(judge, choice),
  };
}

/** Judges one trial after the other. */
function judgeHere(judge: Judge): JudgeTrials {
  return (_, { trials }, step) =>
    trials.map((trial, at) => {
      step(at);
      return judgeTrial(judge, trial, { onProgress: ({ share }) => step(at + share) });
    });
}

function climb(
  task: JudgeTask,
  rungs: ReturnType<typeof chooseComponents>,
  judging: JudgeTrials,
  options: WatchOptions,
): Choice {
  const watch = new Watch(options, "choosing");
  let next = rungs.next();
  while (!next.done) {
    const { trials, from, to, tried } = next.value;
    const step = (done: number): void => watch.step(from + ((to - from) * done) / trials.length, [...tried]);
    next = rungs.next(judging(task, next.value, step));
  }
  return next.value;
}

/** What the certificate keeps of a choice. */
function certify(
  { classifier, folds, weights, masks }: Judge,
  { curve, position, untried }: Choice,
): ChoiceOfMixture {
  const judged = weights.length;
  return {
    curve,
    chosen: position,
    folds: folds.length,
    rows: judged > 0 ? judged : folds.reduce((sum, { held }) => sum + held.rows.length, 0),
    masks: judged > 0 ? masks : 0,
    untried: untried.map((shape) => ({ components: shape.components, ...namesIn(classifier, shape) })),
  };
}
