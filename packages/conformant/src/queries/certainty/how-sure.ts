import { requireInteger } from "../../errors.ts";
import { logistic, logit } from "../../math/exponential/logistic.ts";
import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import type { Model } from "../../model/model.ts";
import type { Row } from "../../schema/data.ts";
import { Watch } from "../../watch.ts";
import { classGrid } from "../completion/class-grid.ts";
import { addCompletion, type CompletedScores, completedScores } from "../completion/completed-scores.ts";
import { type CompletionSpace, completionSpace } from "../completion/completion-space.ts";
import { logOddsNormals, normalParts } from "../completion/normals/log-odds-normals.ts";
import { mixtureQuantile } from "../completion/normals/mixture-quantile.ts";
import { mixtureAbove } from "../completion/normals/normal-mixture.ts";
import { drawCompletions, enumerateCompletions } from "../completion/visit-completions.ts";
import { decide, TIE } from "../terms/decision.ts";
import { type Estimate, exactly, quantileRanks, sampleShare } from "../terms/estimate.ts";
import { encodeRow } from "../terms/query-input.ts";
import { type HowSureOptions, type HowSureRequest, readHowSureOptions } from "./how-sure-options.ts";

/** What the prediction would be if everything were known. */
export interface Certainty {
  readonly prediction: string;
  /** The class that `probability` and `interval` are about: the prediction, unless another was asked for. */
  readonly class: string;
  /** P(class | the known columns). */
  readonly probability: number;
  /** The probability that the decision with everything known is the one made now. */
  readonly sameDecision: Estimate;
  readonly level: number;
  /** P(class) with everything known lies between these with probability `level`: its (1 ∓ level)/2 quantiles. */
  readonly interval: readonly [low: Estimate, high: Estimate];
}

/**
 * How sure a prediction is given what is missing: the distribution of the classifier's answer F(x) for the completed row
 * under P(missing | known), as an interval, and the same-decision probability. Few completions are enumerated; for two
 * classes the distribution is computed in closed form where only normal numbers are missing besides a few other
 * columns, else on a grid with proved bounds; otherwise completions are drawn, with standard errors.
 */
export function howSure(model: Model, row: Row, options: HowSureOptions = {}): Certainty {
  const { classes } = model.classifier;
  const { enumerate = 16384, samples = 10_000, seed = 0 } = options;
  requireInteger("options.samples", samples, 1);
  const watch = new Watch(options, "drawing");
  const space = completionSpace(model, encodeRow(model, row, options), 0);
  const probabilities = new Float64Array(space.K);
  for (let a = 0; a < space.posterior.length; a++) probabilities[a % space.K] += space.posterior[a];
  const request = readHowSureOptions(model, probabilities, options);
  const scores = completedScores(model.classifier, space, row);
  const small = space.size <= requireInteger("options.enumerate", enumerate, 0);
  const answer =
    small || space.K > 2
      ? fromCompletions(space, scores, request, small ? undefined : { samples, seed }, watch)
      : normalParts(space) <= Math.min(enumerate, MOST_PARTS)
        ? fromNormals(space, scores, request)
        : fromGrid(space, scores, request);
  return {
    prediction: classes[decide(probabilities).class],
    class: classes[request.k],
    probability: probabilities[request.k],
    level: request.level,
    ...answer,
  };
}

/** Normal distributions that are added up; each is evaluated a hundred times. */
const MOST_PARTS = 1 << 14;

export type Answer = Pick<Certainty, "sameDecision" | "interval">;

/** Two classes: bounds from the distribution of the log-odds. */
function fromGrid(
  space: CompletionSpace,
  scores: CompletedScores,
  { k, level, decision }: HowSureRequest,
): Answer {
  const grid = classGrid(space, scores, decision.class);
  const { lower, upper } = grid.atLeast(logit(decision.threshold));
  const same = decision.reached ? between(lower, upper) : between(1 - upper, 1 - lower);
  const own = k === decision.class ? grid : classGrid(space, scores, k);
  const end = (p: number): Estimate => {
    const bounds = own.quantile(p);
    return between(logistic(bounds.lower), logistic(bounds.upper));
  };
  return { sameDecision: same, interval: [end((1 - level) / 2), end((1 + level) / 2)] };
}

/** Two classes and normal numbers missing: given component, class and atoms the log-odds are normal. Closed form. */
function fromNormals(
  space: CompletionSpace,
  scores: CompletedScores,
  { k, level, decision }: HowSureRequest,
): Answer {
  const above = mixtureAbove(logOddsNormals(space, scores, decision.class), logit(decision.threshold));
  const own = logOddsNormals(space, scores, k);
  const end = (p: number): Estimate => exactly(logistic(mixtureQuantile(own, p)));
  return {
    sameDecision: exactly(decision.reached ? above : 1 - above),
    interval: [end((1 - level) / 2), end((1 + level) / 2)],
  };
}

function between(lower: number, upper: number): Estimate {
  return { value: (lower + upper) / 2, lower, upper, method: "grid" };
}

/** Any number of classes: the answers for all completions, or for some drawn at random. */
function fromCompletions(
  space: CompletionSpace,
  scores: CompletedScores,
  { k, level, same }: HowSureRequest,
  draws: { samples: number; seed: number } | undefined,
  watch: Watch,
): Answer {
  const answers: { p: number; weight: number }[] = [];
  const out = new Float64Array(space.K);
  let share = 0;
  const visit = (atoms: Int32Array, weight: number, numbers: Float64Array): void => {
    addCompletion(scores, atoms, numbers, out);
    if (same(out)) share += weight;
    softmaxInPlace(out);
    answers.push({ p: out[k], weight });
  };
  if (draws) drawCompletions(space, draws.samples, draws.seed, visit, watch);
  else enumerateCompletions(space, visit, watch);
  return certaintyFrom(answers, share, level, draws?.samples);
}

/**
 * The interval and the share of same decisions from the answers to completions.
 *
 * @param draws how many they are, where they were drawn; undefined where they are all
 */
export function certaintyFrom(
  answers: { p: number; weight: number }[],
  share: number,
  level: number,
  draws: number | undefined,
): Answer {
  answers.sort((a, b) => a.p - b.p);
  const ends = [(1 - level) / 2, (1 + level) / 2];
  if (draws !== undefined) {
    const [low, high] = ends.map((p) => sampledQuantile(answers, p));
    return { sameDecision: sampleShare(Math.min(1, share), draws), interval: [low, high] };
  }
  const [low, high] = ends.map((p) => exactly(quantile(answers, p)));
  return { sameDecision: exactly(Math.min(1, share)), interval: [low, high] };
}

/** The least answer such that it and the lower ones have probability p or more; sorted answers. */
function quantile(answers: readonly { p: number; weight: number }[], p: number): number {
  let sum = 0;
  for (const answer of answers) {
    sum += answer.weight;
    if (sum >= p - TIE) return answer.p;
  }
  return answers[answers.length - 1].p;
}

function sampledQuantile(answers: readonly { p: number }[], p: number): Estimate {
  const { rank, lower, upper } = quantileRanks(p, answers.length);
  return {
    value: answers[rank].p,
    lower: answers[lower].p,
    upper: answers[upper].p,
    method: "sampling",
  };
}
