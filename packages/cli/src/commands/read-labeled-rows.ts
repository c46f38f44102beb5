import { type AnyModel, isRegression, type Table } from "conformant";
import { type LabeledRowsOptions, readLabeledNumbers, readLabeledRows } from "conformant-workbench";
import { requireColumn } from "../options/column-options.ts";
import type { Messages } from "../options/command.ts";
import { engineTable } from "../sources/engine-table.ts";
import { openSource } from "../sources/open-source.ts";
import type { SourceOptions } from "../sources/source-options.ts";

/** Opens a source and reads its rows with their label, for evaluate and calibrate. */
export async function openLabeledRows(
  data: string | readonly string[],
  model: AnyModel,
  options: SourceOptions & LabeledRowsOptions,
  messages: Messages,
): Promise<Table> {
  const connector = await openSource(data, options);
  try {
    requireColumn(connector, "--label", options.label);
    const table = engineTable(connector);
    const rows = isRegression(model)
      ? await readLabeledNumbers(model, table, options, messages)
      : await readLabeledRows(model, table, options, messages);
    connector.requireUnchanged?.();
    return rows;
  } finally {
    await connector.close();
  }
}
