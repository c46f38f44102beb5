import { completionSpace, eachCell } from "../distribution/completion-space.ts";
import { drawCompletions, enumerateCompletions, type VisitCompletion } from "../distribution/completions.ts";
import { requireMade } from "../errors.ts";
import { expectationOf } from "../model/kinds.ts";
import { type Model, requireClasses } from "../model/model.ts";
import { integer, type OptionsOf, probabilityUpTo1, readOptions } from "../options.ts";
import { decide, TIE } from "../predictors/decision.ts";
import { type Estimate, exactly, sampleShare } from "../predictors/estimate.ts";
import type { CompletionLimits, Expectation } from "../predictors/expectation.ts";
import { learn, missingFeatures } from "../predictors/features.ts";
import { Watch, type WatchOptions } from "../progress.ts";
import { readCells } from "../questions/row-input.ts";
import type { Row } from "../schema/data.ts";
import { type Cells, tableOfRow } from "../schema/read-row.ts";
import { informationGains } from "./information-gains.ts";
import { type AskOptions, askOptions, readCosts } from "./question.ts";

/** When a plan ends, what questions cost, and how completions are sampled. */
export interface AskPlanOptions extends AskOptions, WatchOptions {
  /** Stop when the decision is the final one with this probability. Default 0.95. */
  readonly threshold?: number | undefined;
  /** Stop after this many questions. Default all missing columns. */
  readonly most?: number | undefined;
  /** Up to this many completions of the row are enumerated. Default 1024. */
  readonly enumerate?: number | undefined;
  /** The number of draws where there are more. Default 500. */
  readonly samples?: number | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
}

const askPlanOptions = {
  ...askOptions,
  threshold: probabilityUpTo1(0.95),
  most: integer(Number.POSITIVE_INFINITY),
  enumerate: integer(1024),
  samples: integer(500, { least: 1 }),
  seed: integer(0),
} satisfies OptionsOf<AskPlanOptions>;

/** One question of a plan. */
export interface PlannedQuestion {
  readonly column: string;
  /** Its expected information about the class beyond the questions before it, in nats. */
  readonly informationGain: number;
  readonly cost: number;
  /** Cost of all questions up to this one. */
  readonly totalCost: number;
  /** The probability that the decision after this question is the one that would be made with everything known. */
  readonly sameDecision: Estimate;
}

/** A sequence of questions that is fixed before any is answered. */
export interface AskPlan {
  /** The same-decision probability before any question. */
  readonly sameDecision: Estimate;
  readonly questions: readonly PlannedQuestion[];
  /** Whether the threshold is reached at the end. */
  readonly reached: boolean;
}

/** A scenario: a completion of the row, and the answers given so far. */
interface Scenario {
  /** The row with everything known. */
  readonly answers: Cells;
  readonly weight: number;
  /** The decision with everything known. */
  readonly final: number;
  /** The row with the answers so far. */
  known: Cells;
}

/** The number of scenarios over which the information of a column is averaged, where each is an integral or sampled. */
const [MOST_INTEGRALS, MOST_SAMPLED] = [64, 8];
/** The tolerance of the integrals that are averaged. */
const ROUGHLY = 1e-4;

/**
 * Plans questions until the decision is safe: always the one with the largest expected information per cost given those
 * before it (for one component information about the class has diminishing returns, so this greedy choice is within
 * 1 − 1/e of the best plan of its cost; Krause and Guestrin 2005), until the same-decision probability passes the threshold.
 * Whoever gets answers one at a time does better with {@link askNext} after each of them.
 *
 *     askPlan(model, { age: 40 }).questions.map(({ column }) => column); // ["income", "sex"]
 */
export function askPlan(model: Model, row: Row, options: AskPlanOptions = {}): AskPlan {
  requireClasses(model, "askPlan");
  requireMade("model", model);
  const read = readOptions(options, askPlanOptions);
  const { threshold, most } = read;
  const watch = new Watch(read, "planning");
  const { schema } = model;
  const costOf = readCosts(schema, read.costs);
  const cells = readCells(model, row, read);
  const { scenarios, draws } = imagine(model, cells, read);
  const decisions = new DecisionsByRow(model);
  const first = sameDecision(scenarios, decisions, draws);
  const questions: PlannedQuestion[] = [];
  const left = new Set(missingFeatures(schema, cells).map(({ columns: [i] }) => i));
  const all = left.size;
  let [now, totalCost] = [first, 0];
  while (now.value < threshold - TIE && left.size > 0 && questions.length < most) {
    const asked = questions.length / (questions.length + left.size);
    const gains = expectedGains(model, scenarios, left, (share) => watch.step(asked + share / all));
    const candidates = Array.from(left, (index) => {
      const column = schema.columns[index].name;
      return { index, column, informationGain: gains.get(index) ?? 0, cost: costOf(column) };
    });
    const best = candidates.reduce((high, next) =>
      next.informationGain / next.cost > high.informationGain / high.cost ? next : high,
    );
    left.delete(best.index);
    for (const scenario of scenarios) {
      scenario.known = scenario.known.slice();
      learn(schema, scenario.known, best.index, scenario.answers[best.index]);
    }
    now = sameDecision(scenarios, decisions, draws);
    totalCost += best.cost;
    const { column, informationGain, cost } = best;
    questions.push({ column, informationGain, cost, totalCost, sameDecision: now });
  }
  return { sameDecision: first, questions, reached: now.value >= threshold - TIE };
}

/** All completions of a row, or draws of them where there are too many. */
function imagine(
  model: Model,
  cells: Cells,
  { enumerate, samples, seed }: CompletionLimits,
): { scenarios: Scenario[]; draws: number | undefined } {
  const { schema } = model;
  const expectation = expectationOf(model);
  const space = completionSpace(model, tableOfRow(schema, cells), 0);
  const scenarios: Scenario[] = [];
  const visit: VisitCompletion = (atoms, weight, numbers) => {
    const answers = cells.slice();
    eachCell(space, atoms, numbers, (i, cell) => learn(schema, answers, i, cell));
    const final = decide(expectation.expect(answers).values).class;
    scenarios.push({ answers, weight, final, known: cells });
  };
  const draws = space.size <= enumerate ? undefined : samples;
  if (draws === undefined) enumerateCompletions(space, visit);
  else drawCompletions(space, draws, seed, visit);
  return { scenarios, draws };
}

/** Scenarios with the same answers so far, merged. */
function byKnown(scenarios: readonly Scenario[]): { known: Cells; weight: number }[] {
  const groups = new Map<string, { known: Cells; weight: number }>();
  for (const { known, weight } of scenarios) {
    const key = known.join();
    const group = groups.get(key) ?? { known, weight: 0 };
    group.weight += weight;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The information of each column, averaged over the scenarios or a part of them. */
function expectedGains(
  model: Model,
  scenarios: readonly Scenario[],
  left: ReadonlySet<number>,
  step: (share: number) => void,
): Map<number, number> {
  const expectation = expectationOf(model);
  const groups = byKnown(scenarios);
  const most = expectation.sampled ? MOST_SAMPLED : model.gaussianColumns ? MOST_INTEGRALS : groups.length;
  const some = groups.slice(0, most);
  const total = some.reduce((sum, { weight }) => sum + weight, 0);
  const gains = new Map<number, number>();
  some.forEach(({ known, weight }, at) => {
    step(at / some.length);
    const gainOf = informationGains(expectation, model.schema, known, ROUGHLY);
    for (const i of left) gains.set(i, (gains.get(i) ?? 0) + (weight / total) * gainOf(i).informationGain);
  });
  return gains;
}

/** The decision for each row, computed once. */
class DecisionsByRow {
  readonly #expectation: Expectation;
  readonly #made = new Map<string, number>();

  constructor(model: Model) {
    this.#expectation = expectationOf(model);
  }

  of(known: Cells): number {
    const key = known.join();
    const made = this.#made.get(key) ?? decide(this.#expectation.expect(known).values).class;
    this.#made.set(key, made);
    return made;
  }
}

function sameDecision(
  scenarios: readonly Scenario[],
  decisions: DecisionsByRow,
  draws: number | undefined,
): Estimate {
  let [share, other] = [0, 0];
  for (const { weight, final, known } of scenarios) {
    if (decisions.of(known) === final) share += weight;
    else other += weight;
  }
  share /= share + other; // 1 where every scenario ends with the same decision
  return draws === undefined ? exactly(share) : sampleShare(share, draws);
}
