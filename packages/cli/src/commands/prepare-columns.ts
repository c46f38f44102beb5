import type { AnyModel } from "conformant";
import {
  type CellOptions,
  findColumns,
  isIndicatorColumn,
  requireFields,
  withSequences,
} from "conformant-workbench";
import type { FieldSet } from "conformant-workbench/sql";
import { listed, quoted } from "../errors.ts";
import { requireColumn } from "../options/column-options.ts";
import type { Messages } from "../options/command.ts";
import type { Connector } from "../sources/connector.ts";
import { fieldsOfSchema } from "../sources/schema-fields.ts";

/** The columns to read: those of a model, which messages call by its file, and copied ones. */
interface WantedColumns {
  readonly model: AnyModel;
  readonly modelFile: string;
  readonly keep?: readonly string[];
}

/** Finds the model's columns and the copied ones, and reports those that are missing. */
export async function prepareColumns(
  connector: Connector,
  { model, modelFile, keep = [] }: WantedColumns,
  options: CellOptions & { readonly strict?: boolean },
  messages: Messages,
): Promise<FieldSet> {
  for (const name of keep) requireColumn(connector, "--keep", name);
  const { sources, missing } = findColumns(connector, model, modelFile);
  if (missing.length > 0) {
    messages.warn(`${quoted(connector.name)} lacks ${listed(missing)}: missing in every row`);
  }
  const onlyKept = keep.filter((name) => !sources.includes(name));
  await connector.prepare({ columns: [...sources, ...onlyKept] });
  const fields = await fieldsOfSchema(connector, model.schema.columns, {
    ...options,
    warn: options.strict ? undefined : messages.warn,
  });
  requireFields(connector, model, fields, missing);
  return fields;
}

/** Names that DATA is expected to have, to recognize its header. */
export function expectedNames({ schema, predictor }: AnyModel, others: readonly string[] = []): string[] {
  const names = schema.columns.filter((column) => !isIndicatorColumn(column)).map(({ name }) => name);
  const label = predictor.label === undefined ? [] : [predictor.label];
  return [...withSequences(names), ...label, ...others];
}
