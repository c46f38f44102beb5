import { ConformantError, requireInteger, show } from "../errors.ts";
import type { Model } from "../model/model.ts";
import type { Row } from "../schema/data.ts";
import { type AskOptions, readCosts, valueOfAsking } from "./ask-next.ts";
import { addCompletion, completedScores } from "./completion/completed-scores.ts";
import { type CompletionSpace, completionSpace } from "./completion/completion-space.ts";
import { drawCompletions, enumerateCompletions } from "./completion/visit-completions.ts";
import { decide } from "./decision.ts";
import { type Estimate, exactly, sampleShare } from "./estimate.ts";
import { encodeRow } from "./query-input.ts";

/** When a plan ends, what questions cost, and how the future is imagined. */
export interface AskPlanOptions extends AskOptions {
  /** Stop when the decision is the final one with this probability. Default 0.95. */
  readonly threshold?: number;
  /** Stop after this many questions. Default all missing columns. */
  readonly most?: number;
  /** Up to this many completions of the row are enumerated. Default 1024. */
  readonly enumerate?: number;
  /** How many are drawn where there are more. Default 500. */
  readonly samples?: number;
  /** Default 0. */
  readonly seed?: number;
}

/** One question of a plan. */
export interface PlannedQuestion {
  readonly column: string;
  /** What it is expected to tell about the class beyond the questions before it, in nats. */
  readonly informationGain: number;
  readonly cost: number;
  /** Cost of all questions up to this one. */
  readonly totalCost: number;
  /** The probability that the decision after this question is the one that would be made with everything known. */
  readonly sameDecision: Estimate;
}

/** A sequence of questions, made before any is answered. */
export interface AskPlan {
  /** The same-decision probability before any question. */
  readonly sameDecision: Estimate;
  readonly questions: readonly PlannedQuestion[];
  /** Whether the threshold is passed at the end. */
  readonly reached: boolean;
}

/** A way things may be: the answers, and what would be known about component and class. */
interface Scenario {
  readonly atoms: Int32Array;
  readonly weight: number;
  /** The decision with everything known. */
  readonly final: number;
  /** P(m, k | known, answers so far). */
  posterior: Float64Array;
}

/**
 * Plans questions until the decision is safe: always the one with the largest expected information per cost given those
 * before it (for one component information about the class has diminishing returns, so this greedy choice is within
 * 1 − 1/e of the best plan of its cost; Krause and Guestrin 2005), until the same-decision probability passes the threshold.
 * Whoever gets answers one at a time does better with {@link askNext} after each of them.
 */
export function askPlan(model: Model, row: Row, options: AskPlanOptions = {}): AskPlan {
  const { threshold = 0.95, most = Number.POSITIVE_INFINITY, enumerate = 1024, samples = 500 } = options;
  if (!(threshold > 0 && threshold <= 1)) {
    const message = `options.threshold must be a probability above 0 and at most 1, got ${show(threshold)}`;
    throw new ConformantError("invalid-argument", message, {
      argument: "options.threshold",
      value: threshold,
    });
  }
  requireInteger("options.samples", samples, 1);
  const costOf = readCosts(model, options.costs);
  const space = completionSpace(model, encodeRow(model, row, options), 0);
  const draws = space.size <= enumerate ? undefined : samples;
  const scenarios = imagine(space, row, draws, options.seed ?? 0);
  const first = sameDecision(space, scenarios, draws);
  const questions: PlannedQuestion[] = [];
  const left = new Set(space.missing.keys());
  let [now, totalCost] = [first, 0];
  while (now.value < threshold - TIE && left.size > 0 && questions.length < most) {
    const best = bestQuestion(space, scenarios, left, costOf);
    left.delete(best.j);
    learn(space, scenarios, best.j);
    now = sameDecision(space, scenarios, draws);
    totalCost += best.cost;
    const { column, informationGain, cost } = best;
    questions.push({ column, informationGain, cost, totalCost, sameDecision: now });
  }
  return { sameDecision: first, questions, reached: now.value >= threshold - TIE };
}

/** Probabilities that differ by less are equal. */
const TIE = 1e-12;

function imagine(space: CompletionSpace, row: Row, draws: number | undefined, seed: number): Scenario[] {
  const scores = completedScores(space.model.classifier, space, row);
  const out = new Float64Array(space.K);
  const scenarios: Scenario[] = [];
  const visit = (atoms: Int32Array, weight: number): void => {
    addCompletion(scores, atoms, out);
    const final = decide(out, TIE).class;
    scenarios.push({ atoms: atoms.slice(), weight, final, posterior: space.posterior });
  };
  if (draws === undefined) enumerateCompletions(space, visit);
  else drawCompletions(space, draws, seed, visit);
  return scenarios;
}

function bestQuestion(
  { model, missing, K }: CompletionSpace,
  scenarios: readonly Scenario[],
  left: ReadonlySet<number>,
  costOf: (column: string) => number,
): { j: number; column: string; informationGain: number; cost: number } {
  const candidates = Array.from(left, (j) => {
    const column = model.classifier.schema.columns[missing[j].index].name;
    const informationGain = scenarios.reduce(
      (sum, { weight, posterior }) => sum + weight * valueOfAsking(missing[j], posterior, K).informationGain,
      0,
    );
    return { j, column, informationGain, cost: costOf(column) };
  });
  return candidates.reduce((best, next) =>
    next.informationGain / next.cost > best.informationGain / best.cost ? next : best,
  );
}

/** Every scenario hears its answer to question j. */
function learn({ missing }: CompletionSpace, scenarios: readonly Scenario[], j: number): void {
  for (const scenario of scenarios) {
    const cells = scenario.posterior.length;
    const at = scenario.atoms[j] * cells;
    const joint = scenario.posterior.map((p, a) => p * missing[j].conditional[at + a]);
    const total = joint.reduce((sum, p) => sum + p, 0);
    scenario.posterior = joint.map((p) => p / total);
  }
}

function sameDecision(
  { K }: CompletionSpace,
  scenarios: readonly Scenario[],
  draws: number | undefined,
): Estimate {
  let share = 0;
  const classes = new Float64Array(K);
  for (const { weight, final, posterior } of scenarios) {
    classes.fill(0);
    for (let a = 0; a < posterior.length; a++) classes[a % K] += posterior[a];
    if (decide(classes, TIE).class === final) share += weight;
  }
  return draws === undefined ? exactly(Math.min(1, share)) : sampleShare(Math.min(1, share), draws);
}
