import { ConformantError, requireNumber, show } from "../../errors.ts";
import { hiddenNumber } from "../../factors/hidden-normals.ts";
import type { MissingColumn } from "../../factors/missing-column.ts";
import { divergence } from "../../math/divergence.ts";
import type { Model } from "../../model/model.ts";
import type { Row } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { type CompletionSpace, completionSpace } from "../completion/completion-space.ts";
import { rejectColumn } from "../explanation/features.ts";
import { decide, isAnother } from "../terms/decision.ts";
import { encodeRow, type QueryOptions } from "../terms/query-input.ts";
import { valueOfNumber } from "./ask-number.ts";

/** What questions cost, and how strictly names are read. */
export interface AskOptions extends QueryOptions, WatchOptions {
  /** What it costs to learn a column, or a group, a positive number each; what is not listed costs 1. */
  readonly costs?: Readonly<Record<string, number>>;
  /** Whether to look one question further, for answers that only help together. Default false. */
  readonly lookAhead?: boolean;
  /** The error of `informationGain` that is small enough, of numbers in a Gaussian block. Default 1e-11. */
  readonly tolerance?: number;
}

/** What the next question may be for. */
export interface AskNextOptions extends AskOptions {
  /** Columns that are learned together, by the name of the group: each group is one question. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
}

/** What learning one missing column is worth. */
export interface Question {
  /** The column, or the group. */
  readonly column: string;
  /** Expected reduction of the entropy of the class, in nats: its mutual information with the column, given what is known. */
  readonly informationGain: number;
  /** The probability that the answer changes the decision. */
  readonly changesDecision: number;
  readonly cost: number;
  readonly gainPerCost: number;
  /** Of a number in a Gaussian block: the estimated error of the integral that `informationGain` is; of a group its standard error. */
  readonly error?: number;
  /** With `lookAhead`, where this question and the next one are worth more per cost together than the best one is alone. */
  readonly ahead?: {
    /** What to ask then, most of the time. */
    readonly column: string;
    /** Of both answers, and per cost of both. */
    readonly informationGain: number;
    readonly gainPerCost: number;
  };
}

/**
 * Which missing column to ask for next: for each one the expected information about the class and the chance that its
 * value changes the decision, exact over the column's values (for the numbers of a Gaussian block by quadrature, with its
 * error), by falling gain per cost.
 */
export function askNext(model: Model, row: Row, options: AskOptions = {}): Question[] {
  const watch = new Watch(options, "planning");
  const costOf = readCosts(model, options.costs);
  if (options.tolerance !== undefined) requireNumber("options.tolerance", options.tolerance, 0);
  const space = completionSpace(model, encodeRow(model, row, options), 0);
  const questions = valuesOfAsking(space, (share) => watch.step(share), options.tolerance).map(
    ({ index, ...value }): Question => {
      const column = model.classifier.schema.columns[index].name;
      const cost = costOf(column);
      const { informationGain, changesDecision } = value;
      const gainPerCost = informationGain / cost;
      const { error } = value;
      return {
        column,
        informationGain,
        changesDecision,
        cost,
        gainPerCost,
        ...(error !== undefined && { error }),
      };
    },
  );
  return questions.sort((a, b) => b.gainPerCost - a.gainPerCost);
}

/** What asking for a column is worth. */
export interface ValueOfAsking {
  readonly informationGain: number;
  readonly changesDecision: number;
  readonly error?: number;
}

/**
 * The value of every missing column, with its position in the schema.
 *
 * @param before told before each column what share of them is done
 * @param tolerance of the integrals
 */
export function valuesOfAsking(
  { missing, normals, posterior, K }: CompletionSpace,
  before: (share: number) => void,
  tolerance?: number,
): (ValueOfAsking & { readonly index: number })[] {
  const all = missing.length + normals.columns.length;
  return [
    ...missing.map((column, j) => {
      before(j / all);
      return { index: column.index, ...valueOfAsking(column, posterior, K) };
    }),
    ...normals.columns.map((index, a) => {
      before((missing.length + a) / all);
      return { index, ...valueOfNumber(hiddenNumber(normals, a), posterior, K, tolerance) };
    }),
  ];
}

/**
 * With p_kv = P(k, x = v | y) = Σ_m P(m, k | y) P_m(v | k):
 *
 *     information   Σ_kv p_kv log( p_kv / (p_k p_v) )
 *     change        Σ_v p_v [ argmax_k p_kv ≠ argmax_k p_k ]
 *
 * @param posterior P(m, k | y), M × K
 */
export function valueOfAsking(
  { count, conditional }: Pick<MissingColumn, "count" | "conditional">,
  posterior: Float64Array,
  K: number,
): { informationGain: number; changesDecision: number } {
  const prior = new Float64Array(K);
  for (let a = 0; a < posterior.length; a++) prior[a % K] += posterior[a];
  const now = decide(prior).class;
  const joint = new Float64Array(K);
  let informationGain = 0;
  let changesDecision = 0;
  for (let v = 0, at = 0; v < count; v++) {
    joint.fill(0);
    for (let a = 0; a < posterior.length; a++, at++) joint[a % K] += posterior[a] * conditional[at];
    let share = 0;
    for (let k = 0; k < K; k++) share += joint[k];
    if (share === 0) continue;
    const given = joint.map((p) => p / share);
    informationGain += share * divergence(given, prior);
    if (isAnother(given, now)) changesDecision += share;
  }
  return { informationGain: Math.max(0, informationGain), changesDecision: Math.min(1, changesDecision) };
}

/** The cost of a column or a group, after checking all that were given. */
export function readCosts(
  model: Model,
  costs: Readonly<Record<string, number>> = {},
  groups: Iterable<string> = [],
): (column: string) => number {
  const known = new Set([...model.classifier.schema.columns.map(({ name }) => name), ...groups]);
  for (const [column, cost] of Object.entries(costs)) {
    if (!known.has(column)) rejectColumn(column, "options.costs");
    if (!(typeof cost === "number" && cost > 0 && cost < Number.POSITIVE_INFINITY)) {
      const message = `options.costs: the cost of ${show(column)} must be a positive number, got ${show(cost)}`;
      throw new ConformantError("invalid-argument", message, {
        argument: "options.costs",
        column,
        value: cost,
      });
    }
  }
  return (column) => (Object.hasOwn(costs, column) ? costs[column] : 1);
}
