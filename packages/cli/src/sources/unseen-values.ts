import type { AnyModel, CategoricalColumn, Column } from "conformant";
import { counted, UNSEEN } from "conformant-workbench";
import { encodeSql, type Field, type FieldSet } from "conformant-workbench/sql";
import { CliError, listed, quoted } from "../errors.ts";
import { type Connector, queryRow } from "./connector.ts";

const EXAMPLES = 5;
/** Columns per query. */
export const TOGETHER = 96;

/** A sentence per column about its unknown categories; columns are checked first, a hundred per pass. */
export async function describeUnseen(
  connector: Connector,
  set: FieldSet,
  model: AnyModel,
): Promise<string[]> {
  return describeCounts(connector, set, await countUnseen(connector, set, unseenColumns(set, model)));
}

/** The same for columns that have been checked. */
export async function describeCounts(
  connector: Connector,
  set: FieldSet,
  counts: readonly UnseenCount[],
): Promise<string[]> {
  const sentences: string[] = [];
  for (const { column, field, rows } of counts) {
    if (rows === 0) continue;
    const examples = await readExamples(connector, set, column, field);
    sentences.push(
      `column ${quoted(column.name)}: ${counted(rows, "row")} with an unknown category, counted as missing (${listed(examples)})`,
    );
  }
  return sentences;
}

/** A column that may have unknown categories. */
export interface UnseenColumn {
  readonly column: CategoricalColumn;
  readonly field: Field;
}

/** The number of rows with an unknown category. */
export interface UnseenCount extends UnseenColumn {
  readonly rows: number;
}

/** The categorical columns that a model and a source share. */
export function unseenColumns({ fields }: FieldSet, { schema }: AnyModel): UnseenColumn[] {
  return schema.columns.flatMap((column) => {
    const field = fields.get(column.name);
    return column.kind === "categorical" && field ? [{ column, field }] : [];
  });
}

/**
 * SQL: the number of rows whose text is not literally one of the model's categories, as a double. This check is fast; whether
 * such a text means missing, is another spelling or is unknown takes a second query.
 */
export function suspectSum({ dialect }: Connector, { column, field }: UnseenColumn): string {
  const { storage, raw } = field;
  const isSuspect =
    storage === "text"
      ? `CASE WHEN ${raw} IS NULL THEN 0 WHEN ${dialect.isOneOf(raw, column.values)} THEN 0 ELSE 1 END`
      : isUnseen(dialect, { column, field });
  return dialect.double(`sum(${isSuspect})`);
}

/** SQL: 1 for a row with an unknown category, else 0. */
function isUnseen(dialect: Connector["dialect"], { column, field }: UnseenColumn): string {
  return `CASE WHEN ${encodeSql(dialect, column, field)} = ${UNSEEN} THEN 1 ELSE 0 END`;
}

/** The number of rows with unknown categories, per column. */
export async function countUnseen(
  connector: Connector,
  { from }: FieldSet,
  columns: readonly UnseenColumn[],
): Promise<UnseenCount[]> {
  const { dialect } = connector;
  const all: UnseenCount[] = [];
  for (let start = 0; start < columns.length; start += TOGETHER) {
    const part = columns.slice(start, start + TOGETHER);
    const counts = part.map((one) => dialect.text(`sum(${isUnseen(dialect, one)})`));
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

/** With --strict, throws an error that names the row and column of the first unknown category. */
export async function rejectUnseen(
  connector: Connector,
  { from, fields }: FieldSet,
  model: AnyModel,
): Promise<void> {
  for (const column of model.schema.columns) {
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
