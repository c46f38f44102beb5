import {
  ConformantError,
  type ExplainOptions,
  type Explanation,
  explain,
  type Model,
  type Row,
} from "conformant";
import { CliError, quoted } from "../errors.ts";
import { readObjects } from "../reading/read-objects.ts";
import type { Connector } from "../sources/connector.ts";
import type { FieldSet } from "../sql/fields.ts";
import { counted } from "../terminal/numbers.ts";

/** A row of the source with its explanation. */
export interface ExplainedRow {
  /** Counted from 1. */
  readonly number: number;
  readonly row: Row;
  readonly explanation: Explanation;
}

/** Explains the rows with the given numbers, or all of them, in the order of the source. */
export async function* explainRows(
  connector: Connector,
  fields: FieldSet,
  model: Model,
  wanted: readonly number[] | undefined,
  options: ExplainOptions,
): AsyncGenerator<ExplainedRow> {
  const last = wanted ? Math.max(...wanted) : Number.POSITIVE_INFINITY;
  let read = 0;
  for await (const { start, rows } of readObjects(connector, fields, model.classifier.schema)) {
    for (let r = 0; r < rows.length && start + r < last; r++) {
      const number = start + r + 1;
      if (wanted && !wanted.includes(number)) continue;
      yield { number, row: rows[r], explanation: explainRow(model, rows[r], number, options) };
    }
    read = start + rows.length;
    if (read >= last) return;
  }
  if (read === 0)
    throw new CliError("empty-data", `${quoted(connector.name)} has no rows, expected at least one`);
  if (wanted)
    throw new CliError(
      "unknown-row",
      `--row ${last}: ${quoted(connector.name)} has only ${counted(read, "row")}`,
    );
}

/** The library's words about its options, in those of the command line and with the row they were found in. */
function explainRow(model: Model, row: Row, number: number, options: ExplainOptions): Explanation {
  try {
    return explain(model, row, options);
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    const option = (_: string, name: string): string =>
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const message = cause.message.replace(/options\.([a-zA-Z]+)/g, option);
    throw new CliError(cause.code, `row ${number}: ${message}`, { hint: cause.details.hint, cause });
  }
}
