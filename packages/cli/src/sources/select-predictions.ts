import { type AnyModel, isRegression } from "conformant";
import { type FieldSet, labelSql, scoreNames, scoreSql } from "conformant-workbench/sql";
import { CliError } from "../errors.ts";
import type { Connector } from "./connector.ts";
import { readRows } from "./read-rows.ts";

/** Rows of a source, and the model. */
export interface Selection {
  readonly connector: Connector;
  readonly fields: FieldSet;
  readonly model: AnyModel;
}

/**
 * The predictions as a query: the class and the probability of each, or the number, and the given expressions.
 *
 * @param noteUnseen SQL of a number to compute in every row with an unknown category
 */
export function selectSql(
  { connector, model, fields }: Selection,
  copies: readonly string[],
  where?: string,
  noteUnseen?: string,
): string {
  const { dialect } = connector;
  const classes = isRegression(model) ? [] : model.response.outputs;
  const answers = scoreSql(dialect, model, fields, copies, where);
  const probabilities = classes.map((_, k) => scoreNames.probability(k));
  const known = `${dialect.nullForNan(scoreNames.probability(0))} IS NOT NULL`;
  // A server's table rejects a row without a prediction; DuckDB has a function that raises an error.
  const otherwise = connector.remote ? "" : " ELSE error('no prediction')";
  const label = isRegression(model) ? scoreNames.probability(0) : labelSql(dialect, classes);
  // Nested CASEs, because engines may evaluate the parts of a condition in any order.
  const noted = noteUnseen
    ? `CASE WHEN ${scoreNames.unseen} > 0 THEN CASE WHEN ${noteUnseen} IS NULL THEN NULL ELSE ${label} END ELSE ${label} END`
    : label;
  const selected = [
    `CASE WHEN ${known} THEN ${noted}${otherwise} END AS prediction_`,
    ...probabilities,
    ...copies.map((_, t) => scoreNames.copy(t)),
  ];
  return `SELECT ${selected.join(", ")} FROM (${answers}) AS answers`;
}

/** Runs a query that fails on an invalid value, and then names that value. */
export async function namingValues<Result>(
  { connector, fields, model }: Selection,
  where: string | undefined,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (thrown) {
    if (thrown instanceof CliError && ["source", "unreadable-file"].includes(thrown.code))
      for await (const batch of readRows(connector, fields, model.schema, { where })) void batch;
    throw thrown;
  }
}
