import type { Column, Model } from "conformant";
import { CliError, listed, quoted } from "../errors.ts";
import { type Connector, queryRow } from "../sources/connector.ts";
import { encodeSql, UNSEEN } from "../sql/encode.ts";
import type { Field, FieldSet } from "../sql/fields.ts";
import { counted } from "../terminal/numbers.ts";

const EXAMPLES = 5;
/** Columns that are looked at in one query. */
const TOGETHER = 96;

/** A sentence per column about the categories that the model does not know; the columns are looked at in one pass per hundred first. */
export async function describeUnseen(connector: Connector, set: FieldSet, model: Model): Promise<string[]> {
  const sentences: string[] = [];
  for (const { column, field, rows } of await countUnseen(connector, set, model)) {
    if (rows === 0) continue;
    const examples = await readExamples(connector, set, column, field);
    sentences.push(
      `column ${quoted(column.name)}: ${counted(rows, "row")} with a category the model does not know, taken as missing (${listed(examples)})`,
    );
  }
  return sentences;
}

interface UnseenCount {
  readonly column: Column;
  readonly field: Field;
  readonly rows: number;
}

async function countUnseen(
  connector: Connector,
  { from, fields }: FieldSet,
  { classifier: { schema } }: Model,
): Promise<UnseenCount[]> {
  const { dialect } = connector;
  const found = schema.columns.flatMap((column) => {
    const field = fields.get(column.name);
    return column.kind === "categorical" && field ? [{ column, field }] : [];
  });
  const all: UnseenCount[] = [];
  for (let start = 0; start < found.length; start += TOGETHER) {
    const part = found.slice(start, start + TOGETHER);
    const counts = part.map(({ column, field }) => {
      const isUnseen = `${encodeSql(dialect, column, field)} = ${UNSEEN}`;
      return dialect.text(`sum(CASE WHEN ${isUnseen} THEN 1 ELSE 0 END)`);
    });
    const answer = await queryRow(connector, `SELECT ${counts.join(", ")} FROM ${from}`, counts.length);
    all.push(...part.map((one, c) => ({ ...one, rows: Number(answer[c]) })));
  }
  return all;
}

async function readExamples(
  { dialect, query }: Connector,
  { from }: FieldSet,
  column: Column,
  field: Field,
): Promise<string[]> {
  const where = `${encodeSql(dialect, column, field)} = ${UNSEEN}`;
  const sql = dialect.staged(
    { from, where, stages: [[["value_", field.text]]] },
    "value_",
    `GROUP BY value_ ORDER BY count(*) DESC, value_ LIMIT ${EXAMPLES}`,
  );
  const examples: string[] = [];
  for await (const { columns } of query(sql, ["text"])) examples.push(...(columns[0] as readonly string[]));
  return examples;
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
