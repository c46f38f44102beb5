import {
  type AnyModel,
  ConformantError,
  type Explanation,
  explain,
  isRegression,
  type NumberExplanation,
  type NumberSensitivity,
  type NumberShapley,
  type Row,
  type Sensitivity,
  type Shapley,
  sensitivity,
  shapley,
} from "conformant";
import { counted } from "conformant-workbench";
import type { FieldSet } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import type { ExplainRequest } from "../options/explain-request.ts";
import type { Connector } from "../sources/connector.ts";
import { readObjects } from "../sources/read-objects.ts";

/** A row of the source with its explanation. */
export interface ExplainedRow {
  /** Counted from 1. */
  readonly number: number;
  readonly row: Row;
  readonly explanation: Explanation | NumberExplanation;
  /** Present where it was requested. */
  readonly shapley?: Shapley | NumberShapley;
  readonly sensitivity?: Sensitivity | NumberSensitivity;
}

/** A range of rows, counted from 1, both ends included. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Explains the rows of the given ranges, or all of them, in the order of the source. */
export async function* explainRows(
  connector: Connector,
  fields: FieldSet,
  model: AnyModel,
  wanted: readonly RowRange[] | undefined,
  request: ExplainRequest,
): AsyncGenerator<ExplainedRow> {
  const last = wanted ? Math.max(...wanted.map(({ to }) => to)) : Number.POSITIVE_INFINITY;
  let read = 0;
  for await (const { start, rows } of readObjects(connector, fields, model.schema)) {
    for (let r = 0; r < rows.length && start + r < last; r++) {
      const number = start + r + 1;
      if (wanted && !wanted.some(({ from, to }) => from <= number && number <= to)) continue;
      yield { number, row: rows[r], ...explainRow(model, rows[r], number, request) };
    }
    read = start + rows.length;
    if (read >= last) return;
  }
  if (read === 0)
    throw new CliError("empty-data", `${quoted(connector.name)} has no rows, expected at least one`);
  const beyond = wanted?.find(({ from }) => from > read);
  if (beyond)
    throw new CliError(
      "unknown-row",
      `--row ${beyond.from}: ${quoted(connector.name)} has only ${counted(read, "row")}`,
    );
}

/** Rewrites the library's errors about options in terms of the command line, with the row they occurred in. */
function explainRow(
  model: AnyModel,
  row: Row,
  number: number,
  { shapley: shares, sensitivity: wanted, ...options }: ExplainRequest,
): Pick<ExplainedRow, "explanation" | "shapley" | "sensitivity"> {
  try {
    if (isRegression(model))
      return {
        explanation: explain(model, row, options),
        ...(shares && { shapley: shapley(model, row, { ...shares, groups: options.groups }) }),
        ...(wanted && { sensitivity: sensitivity(model, row, { threshold: options.threshold }) }),
      };
    return {
      explanation: explain(model, row, options),
      ...(shares && { shapley: shapley(model, row, { ...shares, groups: options.groups }) }),
      ...(wanted && { sensitivity: sensitivity(model, row) }),
    };
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    const option = (_: string, name: string): string =>
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const message = cause.message.replace(/options\.([a-zA-Z]+)/g, option);
    throw new CliError(cause.code, `row ${number}: ${message}`, { hint: cause.details.hint, cause });
  }
}
