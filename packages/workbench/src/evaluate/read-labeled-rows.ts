import type { CategoricalColumn, Model, Table } from "conformant";
import { categoryFinder } from "conformant/texts";
import type { TextCounts } from "../columns/column-counts.ts";
import { requireRows } from "../columns/read-columns.ts";
import { readLabel } from "../fit/read-label.ts";
import { readLabeledTable } from "../fit/read-training-table.ts";
import { type CellOptions, cellsOfSchema, findColumns } from "../predict/find-columns.ts";
import { UNSEEN } from "../source/cell-codes.ts";
import { counted as countedRows } from "../source/count.ts";
import { listed, quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";

/** Which columns are read, and how: those of a model, which is called by its file, and the label. */
export interface LabeledRowsOptions extends CellOptions {
  readonly modelName: string;
  readonly label: string;
  /** Decides which rows are read where they are too many. */
  readonly seed: number;
}

/** Classes that a message shows. */
const EXAMPLES = 5;

/** Reads rows with their label in the model's codes: its columns and, last, the label. */
export async function readLabeledRows<Cells extends CellReading>(
  model: Model,
  source: TableSource<Cells>,
  { modelName, label, seed, ...options }: LabeledRowsOptions,
  reporter: Reporter,
): Promise<Table> {
  const { columns } = model.schema;
  const { sources, missing } = findColumns(source, model, modelName);
  if (missing.length > 0)
    reporter.warn(`${quoted(source.name)} lacks ${listed(missing)}: missing in every row`);
  await source.prepare([...new Set([...sources, label])]);
  const column: CategoricalColumn = { name: label, kind: "categorical", values: model.response.outputs };
  const schema = { columns: [...columns, column] };
  const fields = await cellsOfSchema(source, schema.columns, { ...options, warn: reporter.warn });
  const labels = source.cells([label], {
    gaps: options.gaps,
    categories: new Map([[label, column.values]]),
    texts: [label],
  });
  const { rows, columns: counts } = await source.count(labels, [label], 1);
  requireRows(source, rows);
  const counted = counts.get(label) as TextCounts | undefined;
  requireClasses(source, fields, label, rows, counted);
  const unlabeled = rows - (counted?.known ?? rows);
  if (unlabeled > 0)
    reporter.warn(`${quoted(source.name)}: ${countedRows(unlabeled, "row")} without a label skipped`);
  const { table } = await readLabeledTable(source, { fields, rows }, schema, { seed }, reporter);
  const find = categoryFinder(column.values);
  const unknown = [...(counted?.counts ?? [])].filter(([text]) => find(text) === undefined);
  if (unknown.length > 0) {
    const where = `${quoted(source.name)}, label ${quoted(label)}`;
    const texts = listed(
      unknown.map(([text]) => text),
      EXAMPLES,
    );
    if (table.rows === 0)
      throw new TableError("unknown-class", `${where}: expected ${listed(column.values)}, got ${texts}`);
    const skipped = unknown.reduce((sum, [, n]) => sum + n, 0);
    reporter.warn(
      `${where}: ${countedRows(skipped, "row")} of a class that the model does not know skipped (${texts})`,
    );
  }
  return asGaps(table);
}

/** Throws for a label that has no classes; that all rows have the same one can still be scored. */
function requireClasses<Cells extends CellReading>(...reading: Parameters<typeof readLabel<Cells>>): void {
  try {
    readLabel(...reading);
  } catch (thrown) {
    if (!(thrown instanceof TableError && thrown.code === "single-class")) throw thrown;
  }
}

/** Categories that the model does not know count as missing. */
function asGaps(table: Table): Table {
  for (const cells of table.columns) {
    if (cells instanceof Float64Array || cells instanceof Float32Array) continue;
    for (let r = 0; r < cells.length; r++) if (cells[r] === UNSEEN) cells[r] = -1;
  }
  return table;
}
