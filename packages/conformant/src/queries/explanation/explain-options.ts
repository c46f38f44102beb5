import { ConformantError, requireNumber, show } from "../../errors.ts";
import type { Schema } from "../../schema/column.ts";
import type { WatchOptions } from "../../watch.ts";
import type { QueryOptions } from "../terms/query-input.ts";
import { type Feature, rejectColumn } from "./features.ts";

/** What a sufficient explanation must keep, what it may use, and how long to look for a smallest one. */
export interface ExplainOptions extends QueryOptions, WatchOptions {
  /** Keep at least this probability of the predicted class instead of the decision; between 0 and 1. */
  readonly atLeast?: number;
  /** Columns that go together as one feature, by the name of the group. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Columns or groups that must be in the sufficient explanation. */
  readonly use?: readonly string[];
  /** Columns or groups that must not be in it. Opposing ones stay part of the case that it has to win. */
  readonly avoid?: readonly string[];
  /** Milliseconds to search for a smallest set; after that the best one found is given with what was proved. Default 1000. */
  readonly timeLimit?: number;
}

/** The options of one explanation, checked: positions of features. */
export interface ExplainRequest {
  readonly atLeast: number | undefined;
  readonly use: ReadonlySet<number>;
  readonly avoid: ReadonlySet<number>;
  readonly timeLimit: number;
}

/** Checks what was asked for against the known features of the row. */
export function readExplainOptions(
  schema: Schema,
  features: readonly Feature[],
  options: ExplainOptions,
): ExplainRequest {
  const { atLeast, timeLimit = 1000 } = options;
  if (atLeast !== undefined && !(atLeast > 0 && atLeast < 1)) {
    const message = `options.atLeast must be a probability between 0 and 1, got ${show(atLeast)}`;
    throw new ConformantError("invalid-argument", message, { argument: "options.atLeast", value: atLeast });
  }
  const { groups } = options;
  const use = readKnownFeatures(schema, features, options.use ?? [], "options.use", groups);
  const avoid = readNames(schema, features, options.avoid ?? [], "options.avoid", groups);
  const both = options.use?.find((name) => options.avoid?.includes(name));
  if (both !== undefined) {
    const message = `${show(both)} stands in options.use and in options.avoid`;
    throw new ConformantError("invalid-argument", message, { argument: "options.avoid", column: both });
  }
  return { atLeast, use, avoid, timeLimit: requireNumber("options.timeLimit", timeLimit, 0) };
}

/** The positions of the listed features, which must all be known in the row. */
export function readKnownFeatures(
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
  if (!Array.isArray(list)) {
    const message = `${argument} must be a list of columns, got ${show(list)}`;
    throw new ConformantError("invalid-argument", message, { argument, value: list });
  }
  if (list.length === 0) return new Set();
  const names = new Set([...schema.columns.map(({ name }) => name), ...Object.keys(groups)]);
  const stranger = list.find((name) => !names.has(name));
  if (stranger !== undefined) rejectColumn(stranger, argument);
  return new Set(features.flatMap(({ name }, f) => (list.includes(name) ? [f] : [])));
}
