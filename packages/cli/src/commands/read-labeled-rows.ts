import { type AnyModel, isRegression, type Table } from "conformant";
import {
  type LabeledRowsOptions,
  readLabeledNumbers,
  readLabeledRows,
  withoutTrainingRows,
} from "conformant-workbench";
import { requireColumn } from "../options/column-options.ts";
import type { Messages } from "../options/command.ts";
import { parseAddress } from "../sources/address.ts";
import { engineTable } from "../sources/engine-table.ts";
import { openSource } from "../sources/open-source.ts";
import type { SourceOptions } from "../sources/source-options.ts";

/** The option of the commands that need rows which the model was not fitted on. */
export const allowTrainingRows = {
  help: "keep rows that the model was fitted on, which make it look better than it is",
} as const;

/** The rows to test a model on: those of a source with their label, except the rows that the model was fitted on. */
export async function openTestRows(
  data: readonly string[],
  model: AnyModel,
  options: SourceOptions & LabeledRowsOptions & { readonly allowed: boolean },
  messages: Messages,
): Promise<Table> {
  const table = await openLabeledRows(data, model, options, messages);
  const source = parseAddress(data).name;
  return withoutTrainingRows(model, { table, source, allowed: options.allowed }, messages);
}

/** Opens a source and reads its rows with their label. */
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
