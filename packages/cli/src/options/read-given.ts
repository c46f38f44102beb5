import type { AnyModel, Row, Value } from "conformant";
import { CliError, quoted } from "../errors.ts";
import type { Messages, Parsed } from "./command.ts";
import { complaint, readAnswer } from "./read-answer.ts";
import { readList } from "./read-value.ts";
import { splitItem } from "./split-item.ts";
import { unknownColumn } from "./unknown-column.ts";

/** The observed values of --given, "column=value,…"; an item whose value contains a comma needs quotes. */
export function readGiven(parsed: Parsed, model: AnyModel, strict: boolean, messages: Messages): Row {
  const { columns } = model.schema;
  const known = new Map<string, Value>();
  for (const item of readList(parsed, "given") ?? []) {
    const said = splitItem(
      item,
      columns.map(({ name }) => name),
    );
    const column = columns.find(({ name }) => name === said?.column);
    if (!said || !column) throw rejectItem(item, model);
    if (known.has(column.name)) throw new CliError("usage", `--given names ${quoted(column.name)} twice`);
    const text = said.rest;
    const answer = readAnswer(column, text);
    if ("expected" in answer) {
      const message = `--given, column ${quoted(column.name)}: ${complaint(answer.expected, text)}`;
      if (column.kind !== "categorical") throw new CliError("invalid-value", message);
      if (strict)
        throw new CliError("unknown-category", message, { hint: "without --strict it counts as missing" });
      messages.warn(`${message}; taken as missing`);
    }
    known.set(column.name, "value" in answer ? answer.value : null);
  }
  return Object.fromEntries([...known].filter(([, value]) => value !== null));
}

/** An item of --given that does not begin with a column of the model. */
function rejectItem(item: string, { schema, predictor }: AnyModel): CliError {
  const at = item.indexOf("=");
  if (at <= 0) return new CliError("usage", `--given must be COLUMN=VALUE,…, got ${quoted(item)}`);
  const name = item.slice(0, at).trim();
  if (name === predictor.label)
    return new CliError("unknown-column", `--given names ${quoted(name)}, which is what the model predicts`);
  const names = schema.columns.map((column) => column.name);
  return unknownColumn("--given names", name, names);
}
