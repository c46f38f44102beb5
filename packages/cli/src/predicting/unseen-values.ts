import type { Model } from "conformant";
import { CliError, listed, quoted } from "../errors.ts";
import type { Connector } from "../sources/connector.ts";
import { encodeSql, UNSEEN } from "../sql/encode.ts";
import type { FieldSet } from "../sql/fields.ts";
import { counted } from "../terminal/numbers.ts";

const EXAMPLES = 5;

/** A sentence per column about the categories that the model does not know; asked of the engine only where there are any. */
export async function describeUnseen(
  connector: Connector,
  { from, fields }: FieldSet,
  model: Model,
): Promise<string[]> {
  const sentences: string[] = [];
  for (const column of model.classifier.schema.columns) {
    const field = fields.get(column.name);
    if (column.kind !== "categorical" || !field) continue;
    const { dialect } = connector;
    const where = `${encodeSql(dialect, column, field)} = ${UNSEEN}`;
    const sql = dialect.staged(
      { from, where, stages: [[["value_", field.text]]] },
      `value_, ${dialect.double("count(*)")} AS n_`,
      "GROUP BY value_ ORDER BY n_ DESC, value_",
    );
    const examples: string[] = [];
    let total = 0;
    for await (const { rows, columns } of connector.query(sql, ["text", "number"])) {
      for (let r = 0; r < rows; r++) {
        if (examples.length < EXAMPLES) examples.push(String(columns[0][r]));
        total += Number(columns[1][r]);
      }
    }
    if (total > 0)
      sentences.push(
        `column ${quoted(column.name)}: ${counted(total, "row")} with a category the model does not know, taken as missing (${listed(examples)})`,
      );
  }
  return sentences;
}

/** Strict: the first unknown category is an error that names row and column. */
export async function rejectUnseen(
  connector: Connector,
  { from, fields }: FieldSet,
  model: Model,
): Promise<void> {
  for (const column of model.classifier.schema.columns) {
    const field = fields.get(column.name);
    if (column.kind !== "categorical" || !field) continue;
    let start = 0;
    for await (const { rows, columns } of connector.query(
      `SELECT ${encodeSql(connector.dialect, column, field)} AS code_, ${field.text} AS value_ FROM ${from}`,
      ["code", "text"],
    )) {
      const r = (columns[0] as Int32Array).indexOf(UNSEEN);
      if (r >= 0) {
        const message = `${quoted(connector.name)}, row ${start + r + 1}, column ${quoted(column.name)}: expected one of ${listed(column.values, 6)}, got ${quoted(String(columns[1][r]))}`;
        throw new CliError("unknown-category", message, {
          hint: "without --strict an unknown category counts as missing",
        });
      }
      start += rows;
    }
  }
}
