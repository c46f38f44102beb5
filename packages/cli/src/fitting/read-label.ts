import { type CategoricalColumn, sortLabels } from "conformant";
import { CliError, quoted } from "../errors.ts";
import type { TextCounts } from "../reading/column-counts.ts";
import type { Connector } from "../sources/connector.ts";
import type { Field, FieldSet } from "../sql/fields.ts";
import { count, counted as number } from "../terminal/numbers.ts";

/** More classes than this are a number that was taken for a label. */
const MOST_CLASSES = 1000;

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
  const { counts, known } = counted;
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
  { from }: FieldSet,
  field: Field,
  gaps: number,
): Promise<CliError> {
  let row = 0;
  for await (const batch of connector.query(
    `SELECT CASE WHEN ${field.value} IS NULL THEN 1 ELSE 0 END AS gap_ FROM ${from}`,
    ["code"],
  )) {
    const first = (batch.columns[0] as Int32Array).indexOf(1);
    row += first < 0 ? batch.rows : first;
    if (first >= 0) break;
  }
  const message = `${quoted(connector.name)}, label ${quoted(field.name)}: ${number(gaps, "row has", "rows have")} no label (the first is row ${row + 1}), expected one in every row`;
  const condition = `${connector.dialect.identifier(field.name)} IS NOT NULL`;
  return new CliError("missing-label", message, {
    hint: `leave such rows out: --sql 'SELECT * FROM ${connector.nameInQuery} WHERE ${condition}'`,
  });
}
