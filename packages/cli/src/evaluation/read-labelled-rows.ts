import type { CategoricalColumn, Model, Table } from "conformant";
import type { Messages } from "../arguments/command.ts";
import { requireColumn } from "../columns/column-options.ts";
import { fieldsOfSchema } from "../columns/schema-fields.ts";
import { CliError, listed, quoted } from "../errors.ts";
import { asTexts, requireRows } from "../fitting/read-columns.ts";
import { readLabel } from "../fitting/read-label.ts";
import { readTrainingTable } from "../fitting/training/read-training-table.ts";
import { findColumns } from "../predicting/find-columns.ts";
import type { TextCounts } from "../reading/column-counts.ts";
import { countColumns } from "../reading/count-columns.ts";
import { openSource } from "../sources/open-source.ts";
import type { SourceOptions } from "../sources/source-options.ts";
import { UNSEEN } from "../sql/encode.ts";

/** Reads rows with their label in the model's codes: its columns and, last, the label. */
export async function readLabelledRows(
  data: string,
  label: string,
  model: Model,
  modelFile: string,
  options: SourceOptions,
  seed: number,
  messages: Messages,
): Promise<Table> {
  const connector = await openSource(data, options);
  try {
    requireColumn(connector, "--label", label);
    const { columns } = model.classifier.schema;
    const { sources, missing } = findColumns(connector, model, modelFile);
    if (missing.length > 0)
      messages.warn(`${quoted(connector.name)} lacks ${listed(missing)}: missing in every row`);
    await connector.prepare({ columns: [...new Set([...sources, label])] });
    const column: CategoricalColumn = {
      name: label,
      kind: "categorical",
      values: model.classifier.classes,
    };
    const fields = await fieldsOfSchema(connector, [...columns, column], options);
    const { rows, columns: counts } = await countColumns(connector, asTexts(fields, [label]), [label], 1);
    requireRows(connector, rows);
    const found = await readLabel(
      connector,
      fields,
      label,
      rows,
      counts.get(label) as TextCounts | undefined,
    ).catch((error: unknown) => {
      if (error instanceof CliError && error.code === "single-class") return undefined; // one class can still be judged
      throw error;
    });
    checkClasses(connector.name, label, found?.column, model);
    const request = { connector, options: { seed }, messages };
    const { table } = await readTrainingTable(request, { fields, rows }, { columns: [...columns, column] });
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
  const { classes } = model.classifier;
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
