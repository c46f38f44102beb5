import { ConformantError, requireInteger, requireOptions, show } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { requireAdditive } from "../../model/require-additive.ts";
import { posteriorOfRow } from "../../posterior/predict-row.ts";
import type { Row, Table } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { addCompletion, completedScores } from "../completion/completed-scores.ts";
import { type CompletionSpace, completionSpace, eachCell } from "../completion/completion-space.ts";
import {
  drawCompletions,
  enumerateCompletions,
  type VisitCompletion,
} from "../completion/visit-completions.ts";
import { decide, TIE } from "../terms/decision.ts";
import { type Estimate, exactly, sampleShare } from "../terms/estimate.ts";
import { encodeRow } from "../terms/query-input.ts";
import { type AskOptions, readCosts, valueOfAsking, valuesOfAsking } from "./ask-next.ts";

/** When a plan ends, what questions cost, and how the future is imagined. */
export interface AskPlanOptions extends AskOptions, WatchOptions {
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
  /** The value of each missing column, and the hidden normal numbers. */
  readonly atoms: Int32Array;
  readonly numbers: Float64Array;
  readonly weight: number;
  /** The decision with everything known. */
  readonly final: number;
  /** P(m, k | known, answers so far). */
  posterior: Float64Array;
  /** Where normal numbers are missing: the row with the answers so far, whose numbers move what the others may be. */
  table?: Table;
}

/**
 * Plans questions until the decision is safe: always the one with the largest expected information per cost given those
 * before it (for one component information about the class has diminishing returns, so this greedy choice is within
 * 1 − 1/e of the best plan of its cost; Krause and Guestrin 2005), until the same-decision probability passes the threshold.
 * Whoever gets answers one at a time does better with {@link askNext} after each of them.
 */
export function askPlan(model: Model, row: Row, options: AskPlanOptions = {}): AskPlan {
  requireOptions(options);
  requireAdditive(model, "askPlan");
  const { threshold = 0.95, most = Number.POSITIVE_INFINITY, enumerate = 1024, samples = 500 } = options;
  if (!(threshold > 0 && threshold <= 1)) {
    const message = `options.threshold must be a probability above 0 and at most 1, got ${show(threshold)}`;
    throw new ConformantError("invalid-argument", message, {
      argument: "options.threshold",
      value: threshold,
    });
  }
  requireInteger("options.samples", samples, 1);
  requireInteger("options.enumerate", enumerate, 0);
  if (options.most !== undefined) requireInteger("options.most", options.most, 0);
  const watch = new Watch(options, "planning");
  const costOf = readCosts(model, options.costs);
  const table = encodeRow(model, row, options);
  const space = completionSpace(model, table, 0);
  const draws = space.size <= enumerate ? undefined : samples;
  const scenarios = imagine(space, row, draws, options.seed ?? 0);
  if (space.normals.columns.length > 0) for (const scenario of scenarios) scenario.table = table;
  const first = sameDecision(space, scenarios, draws);
  const questions: PlannedQuestion[] = [];
  const left = new Set([...space.missing.map(({ index }) => index), ...space.normals.columns]);
  const all = left.size;
  let [now, totalCost] = [first, 0];
  while (now.value < threshold - TIE && left.size > 0 && questions.length < most) {
    const asked = questions.length / (questions.length + left.size);
    const best = bestQuestion(space, scenarios, left, costOf, (share) => watch.step(asked + share / all));
    left.delete(best.index);
    learn(space, scenarios, best.index);
    now = sameDecision(space, scenarios, draws);
    totalCost += best.cost;
    const { column, informationGain, cost } = best;
    questions.push({ column, informationGain, cost, totalCost, sameDecision: now });
  }
  return { sameDecision: first, questions, reached: now.value >= threshold - TIE };
}

/** Scenarios over which the information of columns is averaged where each has distributions of its own. */
const MOST_SCENARIOS = 64;
/** The tolerance of the integrals that are averaged. */
const ROUGHLY = 1e-4;

function imagine(space: CompletionSpace, row: Row, draws: number | undefined, seed: number): Scenario[] {
  const scores = completedScores(space.model.classifier, space, row);
  const out = new Float64Array(space.K);
  const scenarios: Scenario[] = [];
  const visit: VisitCompletion = (atoms, weight, numbers) => {
    addCompletion(scores, atoms, numbers, out);
    const final = decide(out).class;
    const { posterior } = space;
    scenarios.push({ atoms: atoms.slice(), numbers: numbers.slice(), weight, final, posterior });
  };
  if (draws === undefined) enumerateCompletions(space, visit);
  else drawCompletions(space, draws, seed, visit);
  return scenarios;
}

function bestQuestion(
  space: CompletionSpace,
  scenarios: readonly Scenario[],
  left: ReadonlySet<number>,
  costOf: (column: string) => number,
  step: (share: number) => void,
): { index: number; column: string; informationGain: number; cost: number } {
  const gains =
    space.normals.columns.length > 0 ? gainsByScenario(space, scenarios, step) : gainsOf(space, scenarios);
  const candidates = Array.from(left, (index, at) => {
    step(at / left.size);
    const column = space.model.classifier.schema.columns[index].name;
    return { index, column, informationGain: gains(index), cost: costOf(column) };
  });
  return candidates.reduce((best, next) =>
    next.informationGain / next.cost > best.informationGain / best.cost ? next : best,
  );
}

/** The expected information of a column over all scenarios. */
function gainsOf({ missing, K }: CompletionSpace, scenarios: readonly Scenario[]): (index: number) => number {
  return (index) => {
    const column = missing[missing.findIndex((one) => one.index === index)];
    return scenarios.reduce(
      (sum, { weight, posterior }) => sum + weight * valueOfAsking(column, posterior, K).informationGain,
      0,
    );
  };
}

/** Where answers move the other columns every scenario has distributions of its own: the mean over some of them, which are draws. */
function gainsByScenario(
  { model }: CompletionSpace,
  scenarios: readonly Scenario[],
  step: (share: number) => void,
): (index: number) => number {
  const some = scenarios.slice(0, MOST_SCENARIOS);
  const gains = new Map<number, number>();
  for (const [at, { table }] of some.entries()) {
    if (!table) continue;
    const space = completionSpace(model, table, 0);
    const before = (share: number): void => step((at + share) / some.length);
    for (const { index, informationGain } of valuesOfAsking(space, before, ROUGHLY))
      gains.set(index, (gains.get(index) ?? 0) + informationGain / some.length);
  }
  return (index) => gains.get(index) ?? 0;
}

/** Every scenario hears its answer about a column. */
function learn(space: CompletionSpace, scenarios: readonly Scenario[], index: number): void {
  const j = space.missing.findIndex((one) => one.index === index);
  for (const scenario of scenarios) {
    if (scenario.table) learnCell(space, scenario, scenario.table, index);
    else learnAtom(space, scenario, j);
  }
}

function learnAtom({ missing }: CompletionSpace, scenario: Scenario, j: number): void {
  const outcomes = scenario.posterior.length;
  const at = scenario.atoms[j] * outcomes;
  const joint = scenario.posterior.map((p, a) => p * missing[j].conditional[at + a]);
  const total = joint.reduce((sum, p) => sum + p, 0);
  // An answer that cannot be given, whose scenario has weight 0, teaches nothing.
  if (total > 0) scenario.posterior = joint.map((p) => p / total);
}

/** Writes the answer into the row. */
function learnCell(space: CompletionSpace, scenario: Scenario, table: Table, index: number): void {
  const columns = [...table.columns];
  eachCell(space, scenario.atoms, scenario.numbers, (i, cell) => {
    if (i === index) columns[i] = columns[i].slice().fill(cell);
  });
  scenario.table = { ...table, columns };
  scenario.posterior = posteriorOfRow(space.model, scenario.table, 0);
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
    if (decide(classes).class === final) share += weight;
  }
  return draws === undefined ? exactly(Math.min(1, share)) : sampleShare(Math.min(1, share), draws);
}
