import { ConformantError, didYouMean, requireMade, show } from "../errors.ts";
import { expectationOf } from "../model/kinds.ts";
import type { AnyModel } from "../model/model.ts";
import { names, number, type OptionsOf, probability, type ReadOptions, record, seconds } from "../options.ts";
import { type Coalitions, MANY_ROWS, type Precision } from "../predictors/expectation.ts";
import { type Feature, knownFeatures } from "../predictors/features.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { encodeRow, type QueryOptions, queryOptions, type Reading } from "../questions/row-input.ts";
import { isIndicatorColumn, type Schema } from "../schema/column.ts";
import { isMissingCell, type Row, type Table } from "../schema/data.ts";
import { cellsOfRow } from "../schema/read-row.ts";

/** What a sufficient explanation must keep, what it may use, and how long to look for a smallest one. */
export interface ExplainOptions extends QueryOptions, WatchOptions {
  /** Keep at least this probability of the predicted class instead of the decision; of a number, keep it on its side of this. */
  readonly threshold?: number | undefined;
  /** Of a number without a threshold: how far it may move. Default a quarter of the standard deviation of all answers. */
  readonly within?: number | undefined;
  /** Columns that go together as one feature, by the name of the group. */
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Columns or groups that must be in the sufficient explanation. */
  readonly use?: readonly string[] | undefined;
  /** Columns or groups that must not be in it. Opposing ones stay part of the case that it has to win. */
  readonly avoid?: readonly string[] | undefined;
  /** Seconds to search for a smallest set; after that the best one found is given with what was proved. Default 1. */
  readonly timeLimit?: number | undefined;
  /**
   * Where answers are sampled: the standard error that is small enough, of a number in standard deviations of all answers. Default 0.002; with
   * 0.01 they are those of `predictColumns` and several times as fast.
   */
  readonly tolerance?: number | undefined;
}

/** How {@link ExplainOptions} are read for classes. */
export const explainOptions = {
  ...queryOptions,
  ...watchOptions,
  threshold: probability(undefined),
  groups: record(names(undefined)),
  use: names<readonly string[]>([]),
  avoid: names<readonly string[]>([]),
  timeLimit: seconds(1),
  tolerance: number(undefined),
} satisfies OptionsOf<Omit<ExplainOptions, "within">>;

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
  model: AnyModel,
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

/** A row to explain, the features that the set must and must not have, and when to stop looking for a smaller one. */
export interface ExplainedRow extends AskedRow {
  readonly use: ReadonlySet<number>;
  readonly avoid: ReadonlySet<number>;
  readonly late: () => boolean;
  /** Columns about which nothing is known. */
  readonly missing: readonly string[];
}

/** Reads a row that is to be explained, whatever its answer is. */
export function askToExplain(
  model: AnyModel,
  row: Row,
  read: Omit<ReadOptions<typeof explainOptions>, "threshold">,
): ExplainedRow {
  const watch = new Watch(read, "searching");
  const { schema } = model;
  const precision = read.tolerance === undefined ? undefined : { ...MANY_ROWS, tolerance: read.tolerance };
  const asked = askAbout(model, row, read, watch.check, precision);
  const { table, features } = asked;
  const use = readKnownFeatures(schema, features, read.use, "options.use", read.groups);
  const avoid = readNames(schema, features, read.avoid, "options.avoid", read.groups);
  const both = read.use.find((name) => read.avoid.includes(name));
  if (both !== undefined) {
    const message = `${show(both)} is in both options.use and options.avoid`;
    throw new ConformantError("invalid-argument", message, { argument: "options.avoid", column: both });
  }
  const missing = schema.columns.filter((_, i) => isMissingCell(table.columns[i], 0)).map(({ name }) => name);
  return { ...asked, use, avoid, late: watch.timer(read.timeLimit), missing };
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
