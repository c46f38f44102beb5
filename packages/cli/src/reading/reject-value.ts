import type { Column } from "conformant";
import { INVALID } from "conformant-workbench";
import { encodeSql, type FieldSet } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { type Connector, queryRow } from "../sources/connector.ts";
import { commandRemedies } from "./command-remedies.ts";

/** Throws for a value that a column of the model cannot hold; asks the engine once more what it was. */
export async function rejectValue(
  connector: Connector,
  { from, fields }: FieldSet,
  column: Column,
  row: number,
): Promise<never> {
  const { dialect } = connector;
  const field = fields.get(column.name);
  const encoded = encodeSql(dialect, column, field);
  const bad =
    column.kind === "numeric"
      ? `abs(${encoded}) = ${dialect.number(Number.POSITIVE_INFINITY)}`
      : `${encoded} = ${INVALID}`;
  const [value] = await queryRow(
    connector,
    `SELECT ${field?.text ?? "NULL"} FROM ${from} WHERE ${bad} LIMIT 1`,
    1,
  );
  const need = column.kind === "binary" ? "0 or 1" : "a finite number";
  const message = `${quoted(connector.name)}, row ${row + 1}, column ${quoted(column.name)}: expected ${need} or nothing, got ${quoted(value ?? "")}`;
  throw new CliError("invalid-value", message, {
    hint: commandRemedies(connector).wrongValue(value ?? ""),
  });
}
