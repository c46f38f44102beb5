import { ConformantError, didYouMean, requireMade, show } from "../errors.ts";
import { probabilityOf } from "../math/softmax.ts";
import { expectationOf } from "../model/kinds.ts";
import type { Model } from "../model/model.ts";
import { names, number, type OptionsOf, probability, readOptions, record, seconds } from "../options.ts";
import { decide } from "../predictors/decision.ts";
import { type Coalitions, MANY_ROWS, type Precision } from "../predictors/expectation.ts";
import { type Feature, knownFeatures } from "../predictors/features.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { encodeRow, type QueryOptions, queryOptions, type Reading } from "../questions/row-input.ts";
import { isIndicatorColumn, type Schema } from "../schema/column.ts";
import { isMissingCell, type Row, type Table, type UnseenValues } from "../schema/data.ts";
import { cellsOfRow } from "../schema/read-row.ts";
import { type Contribution, featureValue, type Sides, type Step, sidesOf } from "./contributions.ts";
import type { Kept } from "./goal.ts";
import { type SufficientStatus, sufficientSet } from "./smallest-set.ts";

/** Why a row got its prediction. Names are columns, or groups where those were asked for. */
export interface Explanation {
  /** The most likely class; of several tied ones the last. */
  readonly prediction: string;
  /** P(prediction | the known columns). */
  readonly probability: number;
  /** P(prediction) with nothing known. */
  readonly prior: number;
  /** The classes that share the highest probability, where they are several; else empty. */
  readonly tied: readonly string[];
  /** Every known feature, the largest effect on the log-odds first. */
  readonly contributions: readonly Contribution[];
  /** From the prior to the prediction, one feature after the other in the same order. */
  readonly path: readonly Step[];
  /** Features that speak for the prediction, strongest first; the paper's Definition 5. */
  readonly support: readonly string[];
  /** All others, strongest first. */
  readonly opposing: readonly string[];
  /** A smallest set of support features, with those in `use`, that together with all opposing ones keeps the decision; Definition 6. */
  readonly sufficient: readonly string[];
  /** P(prediction | the sufficient and the opposing features). */
  readonly sufficientProbability: number;
  /** Whether `sufficient` is proved to be smallest. */
  readonly status: SufficientStatus;
  /** No smaller set than this suffices; null where no set does at all. */
  readonly lowerBound: number | null;
  /** The probability that had to be kept instead of the decision, where one was asked for. */
  readonly threshold?: number;
  /** Columns about which nothing is known. */
  readonly missing: readonly string[];
  /** Categories the model does not know, which were treated as missing. */
  readonly unseen: readonly UnseenValues[];
}

/** What a sufficient explanation must keep, what it may use, and how long to look for a smallest one. */
export interface ExplainOptions extends QueryOptions, WatchOptions {
  /** Keep at least this probability of the predicted class instead of the decision; between 0 and 1. */
  readonly threshold?: number | undefined;
  /** Columns that go together as one feature, by the name of the group. */
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Columns or groups that must be in the sufficient explanation. */
  readonly use?: readonly string[] | undefined;
  /** Columns or groups that must not be in it. Opposing ones stay part of the case that it has to win. */
  readonly avoid?: readonly string[] | undefined;
  /** Seconds to search for a smallest set; after that the best one found is given with what was proved. Default 1. */
  readonly timeLimit?: number | undefined;
  /**
   * Where answers are sampled: the standard error that is small enough. Default 0.002; with 0.01 they are those of `predictColumns`
   * and several times as fast.
   */
  readonly tolerance?: number | undefined;
}

const explainOptions = {
  ...queryOptions,
  ...watchOptions,
  threshold: probability(undefined),
  groups: record(names(undefined)),
  use: names<readonly string[]>([]),
  avoid: names<readonly string[]>([]),
  timeLimit: seconds(1),
  tolerance: number(undefined),
} satisfies OptionsOf<ExplainOptions>;

/**
 * Explains the prediction for one row: what each known column contributes, which speak for and which against it, and a
 * smallest set of the former that would have been enough (the paper's sufficient explanation). `status` says whether the set was
 * proved to be smallest.
 *
 *     explain(model, { age: 40, dose: 2 }).sufficient; // ["dose"]
 */
export function explain(model: Model, row: Row, options: ExplainOptions = {}): Explanation {
  requireMade("model", model);
  const read = readOptions(options, explainOptions);
  const watch = new Watch(read, "searching");
  const { schema, response } = model;
  const precision = read.tolerance === undefined ? undefined : { ...MANY_ROWS, tolerance: read.tolerance };
  const asked = askAbout(model, row, read, watch.check, precision);
  const { table, features, coalitions } = asked;
  const use = readKnownFeatures(schema, features, read.use, "options.use", read.groups);
  const avoid = readNames(schema, features, read.avoid, "options.avoid", read.groups);
  const both = read.use.find((name) => read.avoid.includes(name));
  if (both !== undefined) {
    const message = `${show(both)} is in both options.use and options.avoid`;
    throw new ConformantError("invalid-argument", message, { argument: "options.avoid", column: both });
  }
  const late = watch.timer(read.timeLimit);
  const { values } = coalitions.value(features.map((_, f) => f));
  const decision = decide(values);
  const c = decision.class;
  const effects = coalitions.leaveOneOut(c);
  const sides = sidesOf(response.outputs.length, c, effects);
  const { order, support, opposing } = sides;
  const nameOf = (f: number): string => features[f].name;
  return {
    prediction: response.outputs[c],
    probability: values[c],
    prior: coalitions.value([]).values[c],
    tied: decision.tied.map((k) => response.outputs[k]),
    contributions: order.map((f) => ({
      column: nameOf(f),
      value: featureValue(schema, row, features[f]),
      logOdds: effects.logOdds[f],
      probability: effects.probability[f],
    })),
    path: pathOf(coalitions, order, c),
    support: support.map(nameOf),
    opposing: opposing.map(nameOf),
    ...findSufficient(coalitions, { decision, threshold: read.threshold }, sides, { use, avoid, late }),
    missing: schema.columns.filter((_, i) => isMissingCell(table.columns[i], 0)).map(({ name }) => name),
    unseen: table.unseen,
  };
}

/** A row that was read, its known features, and the answers to sets of them. */
export interface AskedRow {
  readonly table: Table;
  readonly features: readonly Feature[];
  readonly coalitions: Coalitions;
}

/**
 * Reads a row.
 *
 * @param before called before each computation
 * @param precision of sampled answers
 */
export function askAbout(
  model: Model,
  row: Row,
  { groups, ...reading }: Reading & Pick<ExplainOptions, "groups">,
  before?: () => void,
  precision?: Precision,
): AskedRow {
  requireMade("model", model);
  const table = encodeRow(model, row, reading);
  const cells = cellsOfRow(table, 0);
  const features = knownFeatures(model.schema, cells, groups);
  return { table, features, coalitions: expectationOf(model).coalitions(cells, features, before, precision) };
}

/** From the prior to the prediction of class c, one feature after the other. */
function pathOf(coalitions: Coalitions, order: readonly number[], c: number): Step[] {
  const { logOdds } = coalitions.along(order, c);
  return order.map((f, at) => ({
    column: coalitions.features[f].name,
    logOdds: logOdds[at + 1] - logOdds[at],
    probability: probabilityOf(logOdds[at + 1]),
  }));
}

/** Which features the set must and must not have, and when to stop looking for a smaller one. */
interface Request {
  readonly use: ReadonlySet<number>;
  readonly avoid: ReadonlySet<number>;
  readonly late: () => boolean;
}

function findSufficient(
  coalitions: Coalitions,
  kept: Kept,
  { order, support, opposing }: Sides,
  { use, avoid, late }: Request,
): Pick<Explanation, "sufficient" | "sufficientProbability" | "status" | "lowerBound" | "threshold"> {
  const { decision, threshold } = kept;
  const { chosen, lowerBound, status } = sufficientSet(coalitions, kept, {
    given: [...opposing, ...support.filter((f) => use.has(f))],
    free: support.filter((f) => !use.has(f) && !avoid.has(f)),
    late,
  });
  const found = new Set(chosen && [...use, ...chosen]);
  const sufficient = order.filter((f) => found.has(f));
  const known = [...new Set([...opposing, ...sufficient])];
  return {
    sufficient: sufficient.map((f) => coalitions.features[f].name),
    sufficientProbability: coalitions.value(known).values[decision.class],
    status,
    lowerBound: Number.isFinite(lowerBound) ? use.size + lowerBound : null,
    ...(threshold !== undefined && { threshold }),
  };
}

/** The positions of the listed features, which must all be known in the row. */
function readKnownFeatures(
  schema: Schema,
  features: readonly Feature[],
  list: readonly string[],
  argument: string,
  groups: ExplainOptions["groups"],
): Set<number> {
  const positions = readNames(schema, features, list, argument, groups);
  const missing = list.find((name) => !features.some((feature) => feature.name === name));
  if (missing === undefined) return positions;
  const message = `${argument}: ${show(missing)} is missing in the row (or part of a group), so it cannot be used`;
  throw new ConformantError("invalid-argument", message, { argument, column: missing });
}

/** The positions of the listed features; every name must be a column or a group. */
function readNames(
  schema: Schema,
  features: readonly Feature[],
  list: readonly string[],
  argument: string,
  groups: ExplainOptions["groups"] = {},
): Set<number> {
  if (list.length === 0) return new Set();
  const columns = schema.columns.filter((column) => !isIndicatorColumn(column)).map(({ name }) => name);
  const known = [...columns, ...Object.keys(groups)];
  const unknown = list.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `${argument}: ${show(unknown)} is not a column of the model${didYouMean(unknown, known)}`;
    throw new ConformantError("unknown-column", message, { argument, column: unknown });
  }
  return new Set(features.flatMap(({ name }, f) => (list.includes(name) ? [f] : [])));
}
