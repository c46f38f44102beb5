import { classIndex } from "../additive/classifier.ts";
import { ConformantError, requireInteger, requireMade, show } from "../errors.ts";
import { expectationOf } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { requireNames } from "../options.ts";
import { decide, TIE } from "../predictors/decision.ts";
import { type Estimate, exactly, quantileRanks, sampleShare } from "../predictors/estimate.ts";
import type { Bounds, CompletedAnswers, Expectation, OutputDistribution } from "../predictors/expectation.ts";
import { Watch, type WatchOptions } from "../progress.ts";
import type { Row } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import { type QueryOptions, readCells } from "./row-input.ts";

/** What the prediction would be if everything were known. */
export interface Certainty {
  readonly prediction: string;
  /** The class that `probability` and `interval` are about: the prediction, unless another was asked for. */
  readonly class: string;
  /** P(class | the known columns). */
  readonly probability: number;
  /** The probability that the decision with everything known is the one made now. */
  readonly sameDecision: Estimate;
  readonly coverage: number;
  /** P(class) with everything known lies between these with probability `coverage`: its (1 ∓ coverage)/2 quantiles. */
  readonly interval: readonly [low: Estimate, high: Estimate];
}

/**
 * How sure a prediction is given what is missing: the distribution of the predictor's answer F(x) for the completed row
 * under P(missing | known), as an interval, and the probability that the decision stays the same. Few completions are enumerated;
 * otherwise the distribution is computed in closed form or on a grid with proved bounds where the predictor allows it, else
 * completions are drawn, with standard errors.
 *
 *     howSure(model, { age: 40 }).sameDecision.value; // 0.93
 */
export function howSure(model: Model, row: Row, options: HowSureOptions = {}): Certainty {
  requireMade("model", model);
  requireNames(options, [
    "strict",
    "extra",
    "onProgress",
    "signal",
    "coverage",
    "threshold",
    "class",
    "enumerate",
    "samples",
    "seed",
  ]);
  const { outputs: classes } = model.response;
  const { enumerate = 16384, samples = 10_000, seed = 0 } = options;
  const limits = {
    enumerate: requireInteger("options.enumerate", enumerate, 0),
    samples: requireInteger("options.samples", samples, 1),
    seed: requireInteger("options.seed", seed, 0),
  };
  const watch = new Watch(options, "drawing");
  const cells = readCells(model, row, options);
  const expectation = expectationOf(model);
  const { values } = expectation.expect(cells);
  const request = readHowSureOptions(model, values, options);
  watch.step(0);
  const answer =
    fromLaw(expectation, cells, request, limits.enumerate) ??
    fromCompletions(expectation.completions(cells, limits), expectation.K, request);
  return {
    prediction: classes[decide(values).class],
    class: classes[request.k],
    probability: values[request.k],
    coverage: request.coverage,
    ...answer,
  };
}

type Answer = Pick<Certainty, "sameDecision" | "interval">;

/** From the distribution of an output, where the predictor has it. */
function fromLaw(
  expectation: Expectation,
  cells: Cells,
  { k, coverage, decision }: HowSureRequest,
  enumerate: number,
): Answer | undefined {
  const law = expectation.outputDistribution?.(cells, decision.class, enumerate);
  const own = k === decision.class ? law : expectation.outputDistribution?.(cells, k, enumerate);
  if (!law || !own) return undefined;
  const { lower, upper } = law.atLeast(decision.threshold);
  const same = decision.reached ? { lower, upper } : { lower: 1 - upper, upper: 1 - lower };
  const end = (p: number): Estimate => estimate(own.quantile(p), own.method);
  return {
    sameDecision: estimate(same, law.method),
    interval: [end((1 - coverage) / 2), end((1 + coverage) / 2)],
  };
}

function estimate({ lower, upper }: Bounds, method: OutputDistribution["method"]): Estimate {
  return method === "exact" ? exactly(lower) : { value: (lower + upper) / 2, lower, upper, method };
}

/** From the answers to all completions, or to draws. */
function fromCompletions(
  { values, weights, exact }: CompletedAnswers,
  K: number,
  { k, coverage, same }: HowSureRequest,
): Answer {
  let [share, other] = [0, 0];
  const answers = Array.from(weights, (weight, p) => {
    if (same(values.subarray(p * K, (p + 1) * K))) share += weight;
    else other += weight;
    return { p: values[p * K + k], weight };
  });
  share /= share + other; // 1 where every completion leads to the same decision
  answers.sort((a, b) => a.p - b.p);
  const ends = [(1 - coverage) / 2, (1 + coverage) / 2];
  const [low, high] = exact
    ? ends.map((p) => exactly(quantile(answers, p)))
    : ends.map((p) => sampledQuantile(answers, p));
  return { sameDecision: exact ? exactly(share) : sampleShare(share, weights.length), interval: [low, high] };
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

/** Which decision, which interval, and how its distribution is computed. */
export interface HowSureOptions extends QueryOptions, WatchOptions {
  /** The share of the completions that the interval holds. Default 0.9. */
  readonly coverage?: number;
  /** The decision is whether P(class) reaches this, instead of which class is most likely. */
  readonly threshold?: number;
  /** The class whose probability is looked at. Default the most likely one; with a threshold the last. */
  readonly class?: string;
  /** Up to this many completions are enumerated. Default 16384. */
  readonly enumerate?: number;
  /** How many are drawn where there are more of them and more than two classes. Default 10000. */
  readonly samples?: number;
  /** Default 0. */
  readonly seed?: number;
}

/** What was asked for, checked. */
interface HowSureRequest {
  readonly k: number;
  readonly coverage: number;
  /** Whether an answer leads to the decision that is made now. */
  readonly same: (answer: Float64Array) => boolean;
  readonly decision: { readonly threshold: number; readonly class: number; readonly reached: boolean };
}

/** Checks the options against the model and the prediction that is made now. */
function readHowSureOptions(
  model: Model,
  probabilities: Float64Array,
  options: HowSureOptions,
): HowSureRequest {
  const { outputs: classes } = model.response;
  const { threshold, coverage = 0.9 } = options;
  for (const [name, p] of Object.entries({ threshold, coverage })) {
    if (p === undefined || (p > 0 && p < 1)) continue;
    const message = `options.${name} must be a probability between 0 and 1, got ${show(p)}`;
    throw new ConformantError("invalid-argument", message, { argument: `options.${name}`, value: p });
  }
  const now = decide(probabilities).class;
  const asked = options.class === undefined ? undefined : classIndex(classes, options.class);
  if (threshold === undefined) {
    const decision = { threshold: 0.5, class: 1, reached: now === 1 };
    return { k: asked ?? now, coverage, same: (answer) => decide(answer).class === now, decision };
  }
  const k = asked ?? classes.length - 1;
  const reached = probabilities[k] >= threshold - TIE;
  const same = (answer: Float64Array): boolean => answer[k] >= threshold - TIE === reached;
  return { k, coverage, same, decision: { threshold, class: k, reached } };
}
