import type { Model, Table } from "conformant";
import { type LabeledRowsOptions, readLabeledRows } from "conformant-workbench";
import { requireColumn } from "../options/column-options.ts";
import type { Messages } from "../options/command.ts";
import { engineTable } from "../sources/engine-table.ts";
import { openSource } from "../sources/open-source.ts";
import type { SourceOptions } from "../sources/source-options.ts";

/** Opens a source and reads its rows with their label, for evaluate and calibrate. */
export async function openLabeledRows(
  data: string,
  model: Model,
  options: SourceOptions & LabeledRowsOptions,
  messages: Messages,
): Promise<Table> {
  const connector = await openSource(data, options);
  try {
    requireColumn(connector, "--label", options.label);
    const rows = await readLabeledRows(model, engineTable(connector), options, messages);
    connector.requireUnchanged?.();
    return rows;
  } finally {
    await connector.close();
  }
}
