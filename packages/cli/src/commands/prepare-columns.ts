import type { Model } from "conformant";
import type { Messages } from "../arguments/command.ts";
import { requireColumn } from "../columns/column-options.ts";
import { listed, quoted } from "../errors.ts";
import { findColumns, requireFields } from "../predicting/find-columns.ts";
import type { Connector } from "../sources/connector.ts";
import { type FieldSet, fieldsOf } from "../sql/fields.ts";

/** Finds the model's columns and the ones to keep, and says which are not there. */
export async function prepareColumns(
  connector: Connector,
  model: Model,
  modelFile: string,
  keep: readonly string[],
  gaps: readonly string[],
  messages: Messages,
): Promise<FieldSet> {
  for (const name of keep) requireColumn(connector, "--keep", name);
  const { sources, asText, missing } = findColumns(connector, model, modelFile);
  if (missing.length > 0) {
    messages.warn(`${quoted(connector.name)} lacks ${listed(missing)}: missing in every row`);
  }
  const onlyKept = keep.filter((name) => !sources.includes(name));
  await connector.prepare({ columns: [...sources, ...onlyKept], asText: new Set([...asText, ...onlyKept]) });
  const names = model.classifier.schema.columns.map(({ name }) => name);
  const fields = fieldsOf(connector, names, gaps);
  requireFields(connector, model, fields, missing);
  return fields;
}
