import type { CategoricalColumn, Model, Table } from "conformant";
import { readLabel, requireRows, TableError, type TextCounts, UNSEEN } from "conformant-workbench";
import { fieldsOf } from "conformant-workbench/sql";
import { CliError, listed, quoted } from "../errors.ts";
import { readTrainingTable } from "../fitting/read-training-table.ts";
import { requireColumn } from "../options/column-options.ts";
import type { Messages } from "../options/command.ts";
import { findColumns } from "../predicting/find-columns.ts";
import { countColumns } from "../sources/count-columns.ts";
import { engineTable } from "../sources/engine-table.ts";
import { openSource } from "../sources/open-source.ts";
import { fieldsOfSchema } from "../sources/schema-fields.ts";
import type { SourceOptions } from "../sources/source-options.ts";

/** Which columns are read: those of a model, which is called by its file, and the label. */
interface WantedRows {
  readonly model: Model;
  readonly modelFile: string;
  readonly label: string;
  /** Decides which rows are read where they are too many. */
  readonly seed: number;
}

/** Reads rows with their label in the model's codes: its columns and, last, the label. */
export async function readLabeledRows(
  data: string | readonly string[],
  { model, modelFile, label, seed }: WantedRows,
  options: SourceOptions,
  messages: Messages,
): Promise<Table> {
  const connector = await openSource(data, options);
  try {
    requireColumn(connector, "--label", label);
    const { columns } = model.schema;
    const { sources, missing } = findColumns(connector, model, modelFile);
    if (missing.length > 0)
      messages.warn(`${quoted(connector.name)} lacks ${listed(missing)}: missing in every row`);
    await connector.prepare({ columns: [...new Set([...sources, label])] });
    const column: CategoricalColumn = {
      name: label,
      kind: "categorical",
      values: model.response.outputs,
    };
    const fields = await fieldsOfSchema(connector, [...columns, column], options);
    const { gaps } = options;
    const labels = fieldsOf(connector, [label], {
      gaps,
      categories: new Map([[label, column.values]]),
      texts: [label],
    });
    const { rows, columns: counts } = await countColumns(connector, labels, [label], 1);
    requireRows(connector, rows);
    const found = await readLabel(
      engineTable(connector),
      fields,
      label,
      rows,
      counts.get(label) as TextCounts | undefined,
    ).catch((error: unknown) => {
      if (error instanceof TableError && error.code === "single-class") return undefined; // one class can still be judged
      throw error;
    });
    checkClasses(connector.name, label, found?.column, model);
    const request = { connector, options: { seed }, messages };
    const { table } = await readTrainingTable(request, { fields, rows }, { columns: [...columns, column] });
    connector.requireUnchanged?.();
    return asGaps(table);
  } finally {
    await connector.close();
  }
}

function checkClasses(
  source: string,
  label: string,
  column: CategoricalColumn | undefined,
  model: Model,
): void {
  const {
    response: { outputs: classes },
  } = model;
  const stranger = column?.values.find((value) => !classes.includes(value));
  if (stranger === undefined) return;
  throw new CliError(
    "unknown-class",
    `${quoted(source)}, label ${quoted(label)}: expected ${listed(classes)}, got ${quoted(stranger)}`,
  );
}

/** Categories that the model does not know count as gaps. */
function asGaps(table: Table): Table {
  for (const cells of table.columns) {
    if (cells instanceof Float64Array || cells instanceof Float32Array) continue;
    for (let r = 0; r < cells.length; r++) if (cells[r] === UNSEEN) cells[r] = -1;
  }
  return table;
}
