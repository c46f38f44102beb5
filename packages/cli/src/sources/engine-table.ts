import type { Schema } from "conformant";
import type { CodedRows, RowSums, SoughtCell, TableSource } from "conformant-workbench";
import {
  blanksAround,
  type Field,
  type FieldSet,
  fieldsOf,
  sampleSql,
  withMarks,
} from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { commandRemedies } from "./command-remedies.ts";
import type { Connector } from "./connector.ts";
import { countColumns } from "./count-columns.ts";
import { memoryBudget } from "./duckdb/memory-budget.ts";
import { expectInEngine } from "./expect-in-engine.ts";
import { findRow } from "./find-row.ts";
import { findStrays } from "./find-strays.ts";
import { lossInEngine, momentsInEngine } from "./loss-in-engine.ts";
import { readBeginning } from "./read-beginning.ts";
import { readEvidence } from "./read-evidence.ts";
import { readRows } from "./read-rows.ts";
import { findManyValued, screenText } from "./screen-texts.ts";

/** Counting the values of all columns takes time quadratic in their number: with this many, minutes. */
const MOST_COLUMNS = 10_000;

/** The share of the command's memory for encoded rows: training needs a few times as much. */
const ROWS_SHARE = 1 / 4;
/** The same in bytes where the engine computes sums over the rows that a sample leaves out. */
const SAMPLE_BYTES = 24 << 20;

/** A table source that an engine answers. */
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
    beginning: (fields, names, rows) => readBeginning(connector, fields, names, rows),
    findManyValued: (fields, most) => findManyValued(connector, fields, most),
    screen: (fields, column, style) => screenText(connector, fields, column, style),
    strays: (fields, names) => findStrays(connector, fields, names),
    find: (fields, column, sought) => {
      const field = fields.fields.get(column) as Field;
      return findRow(connector, fields, field, conditionOf(connector, field, sought));
    },
    rows: (fields, schema, withTexts) => codedRows(connector, fields, schema, { withTexts }),
    get memoryBudget() {
      const budget = ROWS_SHARE * memoryBudget();
      return remote ? Math.min(SAMPLE_BYTES, budget) : budget;
    },
    sums: sumsOf(connector),
  };
}

/** Sums that the engine computes, so that the rows need not be sent. */
function sumsOf(connector: Connector): RowSums<FieldSet> {
  return {
    sample: (fields, schema, share, seed) =>
      codedRows(connector, fields, schema, { where: sampleSql(connector, share, seed) }),
    expectation: (fields, tilt, hasGaps) =>
      expectInEngine(connector, withMarks(connector.dialect, fields, tilt.schema.columns), tilt, hasGaps),
    moments: (rows, columns) => momentsInEngine(connector, rows, columns),
    loss: (rows, classifier, scaling) => lossInEngine(connector, rows, classifier, scaling),
  };
}

async function* codedRows(
  connector: Connector,
  fields: FieldSet,
  schema: Schema,
  { withTexts, where }: { readonly withTexts?: boolean | undefined; readonly where?: string },
): AsyncGenerator<CodedRows> {
  const marked = withMarks(connector.dialect, fields, schema.columns);
  const texts = withTexts
    ? schema.columns.map((column) => rawText(connector, fields.fields.get(column.name)))
    : [];
  for await (const batch of readRows(connector, marked, schema, { texts, where }))
    yield { ...batch, text: (column, row) => batch.texts[column]?.[row] ?? null };
}

/** SQL: a cell as it is in the source. */
function rawText({ dialect }: Connector, field: Field | undefined): string {
  return field ? dialect.text(field.raw) : "NULL";
}

/** SQL: whether a cell has the wanted value. */
function conditionOf({ dialect }: Connector, { raw, value }: Field, sought: SoughtCell): string {
  if (sought === "gap") return `${value} IS NULL`;
  if (sought === "no-number") return `${value} = ${dialect.number(Number.POSITIVE_INFINITY)}`;
  return dialect.matches(raw, blanksAround(sought.pattern));
}
