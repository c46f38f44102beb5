import { classIndex } from "../additive/classifier.ts";
import { LARGEST, requireMade } from "../errors.ts";
import { expectationOf } from "../model/kinds.ts";
import { type AnyModel, isRegression, type Model, type RegressionModel } from "../model/model.ts";
import {
  integer,
  number,
  type OptionsOf,
  probability,
  type ReadOptions,
  readOptions,
  text,
} from "../options.ts";
import { decide, TIE } from "../predictors/decision.ts";
import { type Estimate, exactly, quantileRanks, sampleMean, sampleShare } from "../predictors/estimate.ts";
import type { Bounds, CompletedAnswers, Expectation, OutputDistribution } from "../predictors/expectation.ts";
import { momentsOf } from "../predictors/spread.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { Row } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import { type QueryOptions, queryOptions, readCells } from "./row-input.ts";

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
export function howSure(model: Model, row: Row, options?: HowSureOptions): Certainty;
export function howSure(model: RegressionModel, row: Row, options?: HowSureOptions): NumberCertainty;
export function howSure(
  model: AnyModel,
  row: Row,
  options: HowSureOptions = {},
): Certainty | NumberCertainty {
  requireMade("model", model);
  if (isRegression(model)) return sureOfNumber(model, row, options);
  const read = readOptions(options, howSureOptions);
  const { outputs: classes } = model.response;
  const watch = new Watch(read, "drawing");
  const cells = readCells(model, row, read);
  const expectation = expectationOf(model);
  const { values } = expectation.expect(cells);
  const request = requestOf(classes, values, read);
  watch.step(0);
  const answer =
    fromLaw(expectation, cells, request, read.enumerate) ??
    fromCompletions(expectation.completions(cells, read), expectation.K, request);
  return {
    prediction: classes[decide(values).class],
    class: classes[request.k],
    probability: values[request.k],
    coverage: request.coverage,
    ...answer,
  };
}

/** What a predicted number would be if everything were known. */
export interface NumberCertainty {
  /** The expected number. */
  readonly prediction: number;
  /** The standard deviation of the number over what the missing columns may be. */
  readonly standardDeviation: Estimate;
  readonly coverage: number;
  /** The number with everything known lies between these with probability `coverage`: its (1 ∓ coverage)/2 quantiles. */
  readonly interval: readonly [low: Estimate, high: Estimate];
  /** With a threshold: the probability that the number reaches it with everything known. */
  readonly reachesThreshold?: Estimate;
}

function sureOfNumber(model: RegressionModel, row: Row, options: HowSureOptions): NumberCertainty {
  const read = readOptions(options, numberOptions);
  const { coverage, threshold, enumerate } = read;
  const watch = new Watch(read, "drawing");
  const cells = readCells(model, row, read);
  const expectation = expectationOf(model);
  const { values } = expectation.expect(cells);
  watch.step(0);
  const ends = [(1 - coverage) / 2, (1 + coverage) / 2];
  const law = expectation.outputDistribution?.(cells, 0, enumerate);
  const answers = law ? undefined : expectation.completions(cells, read);
  const sorted =
    answers &&
    Array.from(answers.weights, (weight, p) => ({ p: answers.values[p], weight })).sort((a, b) => a.p - b.p);
  const at = (p: number): Estimate => {
    if (law) return estimate(law.quantile(p), law.method);
    return answers?.exact ? exactly(quantile(sorted ?? [], p)) : sampledQuantile(sorted ?? [], p);
  };
  const reached = (t: number): Estimate => {
    if (law) return estimate(law.atLeast(t), law.method);
    const share = (sorted ?? []).reduce((sum, { p, weight }) => (p >= t ? sum + weight : sum), 0);
    return answers?.exact ? exactly(share) : sampleShare(share, sorted?.length ?? 0);
  };
  const known = expectation.variance?.(cells);
  const drawn = known === undefined ? (answers ?? expectation.completions(cells, read)) : undefined;
  return {
    prediction: values[0],
    standardDeviation: drawn ? deviationOf(drawn) : exactly(Math.sqrt(known ?? 0)),
    coverage,
    interval: [at(ends[0]), at(ends[1])],
    ...(threshold !== undefined && { reachesThreshold: reached(threshold) }),
  };
}

/** The standard deviation over completions; of draws with its standard error s/√(2n), which holds for normal numbers. */
function deviationOf({ values, weights, exact }: CompletedAnswers): Estimate {
  const deviation = Math.sqrt(momentsOf(values, weights).variance);
  return exact
    ? exactly(deviation)
    : sampleMean(deviation, (deviation ** 2 / 2) * (values.length - 1), values.length);
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
  readonly coverage?: number | undefined;
  /** The decision is whether P(class), or the number, reaches this, instead of which class is most likely. */
  readonly threshold?: number | undefined;
  /** The class whose probability is described. Default the most likely one; with a threshold the last. */
  readonly class?: string | undefined;
  /** Up to this many completions are enumerated. Default 16384. */
  readonly enumerate?: number | undefined;
  /** How many are drawn where there are more of them and more than two classes. Default 10000. */
  readonly samples?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

const howSureOptions = {
  ...queryOptions,
  ...watchOptions,
  coverage: probability(0.9),
  threshold: probability(undefined),
  class: text(undefined),
  enumerate: integer(16384),
  samples: integer(10_000, { least: 1 }),
  seed: integer(0),
} satisfies OptionsOf<HowSureOptions>;

const { class: _, ...sharedOptions } = howSureOptions;

/** The same where the answer is a number: the threshold is one, and there are no classes. */
const numberOptions = {
  ...sharedOptions,
  threshold: number(undefined, { least: -LARGEST }),
} satisfies OptionsOf<Omit<HowSureOptions, "class">>;

/** What was asked for, checked. */
interface HowSureRequest {
  readonly k: number;
  readonly coverage: number;
  /** Whether an answer leads to the decision that is made now. */
  readonly same: (answer: Float64Array) => boolean;
  readonly decision: { readonly threshold: number; readonly class: number; readonly reached: boolean };
}

/** The options, with what they mean for the prediction that is made now. */
function requestOf(
  classes: readonly string[],
  probabilities: Float64Array,
  { threshold, coverage, class: name }: ReadOptions<typeof howSureOptions>,
): HowSureRequest {
  const now = decide(probabilities).class;
  const asked = name === undefined ? undefined : classIndex(classes, name);
  if (threshold === undefined) {
    const decision = { threshold: 0.5, class: 1, reached: now === 1 };
    return { k: asked ?? now, coverage, same: (answer) => decide(answer).class === now, decision };
  }
  const k = asked ?? classes.length - 1;
  const reached = probabilities[k] >= threshold - TIE;
  const same = (answer: Float64Array): boolean => answer[k] >= threshold - TIE === reached;
  return { k, coverage, same, decision: { threshold, class: k, reached } };
}
