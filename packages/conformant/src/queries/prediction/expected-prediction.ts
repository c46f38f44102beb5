import type { Classifier } from "../../classifier/classifier.ts";
import { ConformantError, requireInteger, requireMade, requireOptions, show } from "../../errors.ts";
import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import type { Model } from "../../model/model.ts";
import type { Row, Value } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { classGrid } from "../completion/class-grid.ts";
import { addCompletion, completedScores } from "../completion/completed-scores.ts";
import { type CompletionSpace, completionSpace } from "../completion/completion-space.ts";
import { drawnValues } from "../completion/drawn-values.ts";
import {
  drawCompletions,
  enumerateCompletions,
  type VisitCompletion,
} from "../completion/visit-completions.ts";
import type { Estimate } from "../terms/estimate.ts";
import { NamedMeans } from "../terms/named-means.ts";
import { encodeRow, type QueryOptions } from "../terms/query-input.ts";

/** When to enumerate and how much to draw. */
export interface ExpectedPredictionOptions extends QueryOptions, WatchOptions {
  /** Up to this many completions are enumerated. Default 16384. */
  readonly enumerate?: number;
  /** How many are drawn where there are more. Default 10000. */
  readonly samples?: number;
  /** Default 0. */
  readonly seed?: number;
}

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
  requireOptions(options);
  const { enumerate = 16384, samples = 10_000, seed = 0 } = options;
  requireInteger("options.samples", samples, 1);
  requireInteger("options.enumerate", enumerate, 0);
  const space = completionSpace(model, encodeRow(model, row, options), 0);
  const draws = space.size <= enumerate ? undefined : { samples, seed };
  const watch = new Watch(options, "drawing");
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
  const { columns } = space.model.classifier.schema;
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
