import type { Column } from "conformant";
import { INVALID, LARGEST, neededValue } from "conformant-workbench";
import { encodeSql, type FieldSet } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { commandRemedies } from "./command-remedies.ts";
import { type Connector, queryRow } from "./connector.ts";

/** Throws for a value that a column of the model cannot hold; queries the engine again for the value. */
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
      ? `abs(${dialect.nullForNan(encoded)}) > ${dialect.number(LARGEST)}`
      : `${encoded} = ${INVALID}`;
  const [value] = await queryRow(
    connector,
    `SELECT ${field?.text ?? "NULL"} FROM ${from} WHERE ${bad} LIMIT 1`,
    1,
  );
  const need = neededValue(column, value ?? "");
  const message = `${quoted(connector.name)}, row ${row + 1}, column ${quoted(column.name)}: expected ${need} or nothing, got ${quoted(value ?? "")}`;
  throw new CliError("invalid-value", message, {
    hint: commandRemedies(connector).wrongValue(value ?? ""),
  });
}
