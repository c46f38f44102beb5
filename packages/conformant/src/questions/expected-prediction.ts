import type { Classifier } from "../additive/classifier.ts";
import { addCompletion, classGrid, completedScores } from "../additive/log-odds.ts";
import {
  drawCompletions,
  drawnValues,
  enumerateCompletions,
  type VisitCompletion,
} from "../distribution/completions.ts";
import { type CompletionSpace, completionSpace } from "../distribution/given.ts";
import { ConformantError, requireMade, show } from "../errors.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import type { Model } from "../model/model.ts";
import { integer, type OptionsOf, readOptions } from "../options.ts";
import { type Estimate, exactly, sampleMean } from "../predictors/estimate.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import type { Row, Value } from "../schema/data.ts";
import { encodeRow, type QueryOptions, queryOptions } from "./row-input.ts";

/** When to enumerate and how much to draw. */
export interface ExpectedPredictionOptions extends QueryOptions, WatchOptions {
  /** Up to this many completions are enumerated. Default 16384. */
  readonly enumerate?: number | undefined;
  /** How many are drawn where there are more. Default 10000. */
  readonly samples?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

const expectedPredictionOptions = {
  ...queryOptions,
  ...watchOptions,
  enumerate: integer(16384),
  samples: integer(10_000, { least: 1 }),
  seed: integer(0),
} satisfies OptionsOf<ExpectedPredictionOptions>;

/** Any predictor: a complete row to one number, or to several by name (class probabilities, say). */
export type Predictor<T extends number | Readonly<Record<string, number>>> = (row: Row) => T;

/** What a predictor's answer becomes: an estimate, or one per name. */
export type Expected<T> = T extends number ? Estimate : Readonly<Record<string, Estimate>>;

/**
 * The general expected prediction task, Definition 1 of the paper: E[F(y, X)] with X ~ P(missing | y), for any predictor F
 * and any of our models as the distribution P. Exact by enumeration where the completions are few; else seeded draws with a
 * standard error. A two-class classifier that the model was not made for (Theorem 1: NP-hard) is evaluated on a grid with
 * proved bounds.
 *
 * @param predictor a function of a complete row, or a classifier whose columns are among the model's
 */
export function expectedPrediction<T extends number | Readonly<Record<string, number>>>(
  predictor: Predictor<T>,
  model: Model,
  row: Row,
  options?: ExpectedPredictionOptions,
): Expected<T>;
export function expectedPrediction(
  predictor: Classifier,
  model: Model,
  row: Row,
  options?: ExpectedPredictionOptions,
): Readonly<Record<string, Estimate>>;
export function expectedPrediction(
  predictor: Predictor<number | Readonly<Record<string, number>>> | Classifier,
  model: Model,
  row: Row,
  options: ExpectedPredictionOptions = {},
): Estimate | Readonly<Record<string, Estimate>> {
  const read = readOptions(options, expectedPredictionOptions);
  const { enumerate, samples, seed } = read;
  const space = completionSpace(model, encodeRow(model, row, read), 0);
  const draws = space.size <= enumerate ? undefined : { samples, seed };
  const watch = new Watch(read, "drawing");
  if (typeof predictor !== "function") requireMade("classifier", predictor, "predictor");
  if (typeof predictor !== "function") return ofClassifier(predictor, space, row, draws, watch);
  return ofFunction(predictor, space, row, draws, watch);
}

type Draws = { readonly samples: number; readonly seed: number } | undefined;

function ofClassifier(
  classifier: Classifier,
  space: CompletionSpace,
  row: Row,
  draws: Draws,
  watch: Watch,
): Record<string, Estimate> {
  const scores = completedScores(classifier, space, row);
  if (draws && scores.K === 2) {
    const { value, lower, upper } = classGrid(space, scores, 1).expectedProbability();
    const [negative, positive] = classifier.classes;
    return {
      [negative]: { value: 1 - value, lower: 1 - upper, upper: 1 - lower, method: "grid" },
      [positive]: { value, lower, upper, method: "grid" },
    };
  }
  const means = new NamedMeans(classifier.classes);
  const out = new Float64Array(scores.K);
  visitWith(
    space,
    draws,
    (atoms, weight, numbers) => {
      addCompletion(scores, atoms, numbers, out);
      softmaxInPlace(out);
      means.add(out, weight);
    },
    watch,
  );
  return means.estimates(draws?.samples);
}

function ofFunction(
  predictor: Predictor<number | Readonly<Record<string, number>>>,
  space: CompletionSpace,
  row: Row,
  draws: Draws,
  watch: Watch,
): Estimate | Record<string, Estimate> {
  const { columns } = space.distribution.schema;
  let means: NamedMeans | undefined;
  let single = false;
  visitWith(
    space,
    draws,
    (atoms, weight, numbers) => {
      watch.check(); // a predictor may take long over each row
      const drawn = [...drawnValues(space, atoms, numbers)].map(
        ([i, value]) => [columns[i].name, value] as const,
      );
      const answer = predictor(Object.fromEntries<Value>([...Object.entries(row), ...drawn]));
      single = typeof answer === "number";
      const named = typeof answer === "number" ? { value: answer } : answer;
      means ??= new NamedMeans(Object.keys(named));
      means.add(checkAnswer(means.names, named), weight);
    },
    watch,
  );
  const estimates = means?.estimates(draws?.samples) ?? {};
  return single ? estimates.value : estimates;
}

function visitWith(space: CompletionSpace, draws: Draws, visit: VisitCompletion, watch: Watch): void {
  if (draws) drawCompletions(space, draws.samples, draws.seed, visit, watch);
  else enumerateCompletions(space, visit, watch);
}

function checkAnswer(names: readonly string[], answer: Readonly<Record<string, number>>): number[] {
  return names.map((name) => {
    if (typeof answer[name] === "number" && !Number.isNaN(answer[name])) return answer[name];
    const message = `predictor must answer a number, or an object with the same numbers for every row, got ${show(answer[name])}`;
    throw new ConformantError("invalid-argument", message, { argument: "predictor", value: answer[name] });
  });
}

/** Weighted means of several named numbers, over all completions or over draws. */
export class NamedMeans {
  readonly names: readonly string[];
  readonly #sums: Float64Array;
  /** Running mean of the draws and sum of squares about it (Welford 1962), which no offset of the numbers cancels. */
  readonly #means: Float64Array;
  readonly #squares: Float64Array;
  #draws = 0;

  constructor(names: readonly string[]) {
    this.names = names;
    this.#sums = new Float64Array(names.length);
    this.#means = new Float64Array(names.length);
    this.#squares = new Float64Array(names.length);
  }

  add(numbers: ArrayLike<number>, weight: number): void {
    this.#draws++;
    for (let j = 0; j < this.#sums.length; j++) {
      if (weight > 0) this.#sums[j] += weight * numbers[j];
      const away = numbers[j] - this.#means[j];
      this.#means[j] += away / this.#draws;
      this.#squares[j] += away * (numbers[j] - this.#means[j]);
    }
  }

  /** @param samples how many draws there were, each with weight 1 / samples; undefined after a complete enumeration */
  estimates(samples: number | undefined): Record<string, Estimate> {
    return Object.fromEntries(
      this.names.map((name, j) => [
        name,
        samples ? sampleMean(this.#means[j], this.#squares[j], samples) : exactly(this.#sums[j]),
      ]),
    );
  }
}
