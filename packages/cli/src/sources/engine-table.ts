import type { Schema } from "conformant";
import type { CodedRows, SoughtCell, TableSource } from "conformant-workbench";
import { blanksAround, type Field, type FieldSet, fieldsOf } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { commandRemedies } from "./command-remedies.ts";
import type { Connector } from "./connector.ts";
import { countColumns } from "./count-columns.ts";
import { findRow } from "./find-row.ts";
import { guessNumbers } from "./guess-numbers.ts";
import { readEvidence } from "./read-evidence.ts";
import { readRows } from "./read-rows.ts";
import { findManyValued, screenText } from "./screen-texts.ts";

/** The time to count the values of all columns grows with the square of their number: for so many it is minutes. */
const MOST_COLUMNS = 10_000;

/** A table whose questions an engine answers. */
export function engineTable(connector: Connector): TableSource<FieldSet> {
  const { name, columns, remote, dialect } = connector;
  const count = (columns: number): string => columns.toLocaleString("en");
  return {
    name,
    columns,
    remote,
    mayHaveCommas: connector.mayHaveCommas ?? false,
    mostCounted: dialect.mostCounted,
    remedies: commandRemedies(connector),
    prepare: (names) => {
      if (names.length > MOST_COLUMNS)
        throw new CliError(
          "source",
          `${quoted(name)}: expected at most ${count(MOST_COLUMNS)} columns in use, got ${count(names.length)}`,
          { hint: "choose the columns that matter with --columns or --exclude" },
        );
      return connector.prepare({ columns: names });
    },
    cells: (names, rules) => fieldsOf(connector, names, rules),
    count: (fields, names, bins, progress) => countColumns(connector, fields, names, bins, progress),
    evidence: (fields, names) => readEvidence(connector, fields, names),
    guessNumbers: (fields, styles) => guessNumbers(connector, fields, styles),
    findManyValued: (fields, most) => findManyValued(connector, fields, most),
    screen: (fields, column, style) => screenText(connector, fields, column, style),
    find: (fields, column, sought) => {
      const field = fields.fields.get(column) as Field;
      return findRow(connector, fields, field, conditionOf(connector, field, sought));
    },
    rows: (fields, schema, withTexts) => codedRows(connector, fields, schema, withTexts),
  };
}

async function* codedRows(
  connector: Connector,
  fields: FieldSet,
  schema: Schema,
  withTexts = false,
): AsyncGenerator<CodedRows> {
  const texts = withTexts
    ? schema.columns.map((column) => rawText(connector, fields.fields.get(column.name)))
    : [];
  for await (const batch of readRows(connector, fields, schema, { texts }))
    yield { ...batch, text: (column, row) => batch.texts[column]?.[row] ?? null };
}

/** SQL: a cell as it stands in the source. */
function rawText({ dialect }: Connector, field: Field | undefined): string {
  return field ? dialect.text(field.raw) : "NULL";
}

/** SQL: whether a cell is what is looked for. */
function conditionOf({ dialect }: Connector, { raw, value }: Field, sought: SoughtCell): string {
  if (sought === "gap") return `${value} IS NULL`;
  if (sought === "no-number") return `${value} = ${dialect.number(Number.POSITIVE_INFINITY)}`;
  return dialect.matches(raw, blanksAround(sought.pattern));
}
