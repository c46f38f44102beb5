import type { CategoricalColumn } from "conformant";
import { sortLabels } from "conformant/texts";
import { mergeSpellings } from "../columns/merge-spellings.ts";
import { CliError, quoted } from "../errors.ts";
import type { TextCounts } from "../reading/column-counts.ts";
import { findRow } from "../reading/find-row.ts";
import type { Connector } from "../sources/connector.ts";
import type { Field, FieldSet } from "../sql/fields.ts";
import { count, counted as number } from "../terminal/numbers.ts";

/** More classes than this are a number that was taken for a label. */
const MOST_CLASSES = 1000;
/** So many rows, of which more than half have a class of their own, have no classes. */
const ENOUGH_ROWS = 20;

export interface LabelReading {
  readonly column: CategoricalColumn;
  /** Rows per class, in the order of the column's values. */
  readonly counts: readonly number[];
}

/** The classes of the label column; every row must have one, and there must be two or more. */
export async function readLabel(
  connector: Connector,
  fields: FieldSet,
  label: string,
  rows: number,
  counted: TextCounts | undefined,
): Promise<LabelReading> {
  const field = fields.fields.get(label);
  if (!field || !counted)
    throw new CliError(
      "unsupported-type",
      `${quoted(connector.name)}: the label ${quoted(label)} is a date or a nested value, expected classes`,
    );
  const { known } = counted;
  const counts = mergeSpellings(counted.counts);
  const where = `${quoted(connector.name)}, label ${quoted(label)}`;
  if (counts.size > MOST_CLASSES) {
    throw new CliError(
      "unsupported-type",
      `${where}: expected at most ${count(MOST_CLASSES)} classes, it has more different values`,
      {
        hint: "a number is no class; make classes of it with --sql, for example CASE WHEN income > 50000 THEN 'high' ELSE 'low' END",
      },
    );
  }
  if (known >= ENOUGH_ROWS && counts.size > known / 2) {
    throw new CliError(
      "unsupported-type",
      `${where}: expected classes that come again and again, got ${count(counts.size)} different values in ${number(known, "row")}`,
      { hint: "is it a name, or a number to make classes of? Another column may be the label" },
    );
  }
  if (known < rows) throw await missingLabel(connector, fields, field, rows - known);
  if (counts.size < 2) {
    throw new CliError(
      "single-class",
      `${where}: expected two or more classes, got only ${quoted([...counts.keys()][0])}`,
    );
  }
  const values = sortLabels(counts.keys());
  return {
    column: { name: label, kind: "categorical", values },
    counts: values.map((value) => counts.get(value) ?? 0),
  };
}

async function missingLabel(
  connector: Connector,
  fields: FieldSet,
  field: Field,
  gaps: number,
): Promise<CliError> {
  const { row } = await findRow(connector, fields, field, `${field.value} IS NULL`);
  const message = `${quoted(connector.name)}, label ${quoted(field.name)}: ${number(gaps, "row has", "rows have")} no label (the first is row ${row}), expected one in every row`;
  const condition = `${connector.dialect.identifier(field.name)} IS NOT NULL`;
  return new CliError("missing-label", message, {
    hint: `leave such rows out: --sql 'SELECT * FROM ${connector.nameInQuery} WHERE ${condition}'`,
  });
}
