import { CliError, quoted } from "../errors.ts";
import type { Connector } from "../sources/connector.ts";
import type { Verdict } from "./infer-columns.ts";

/** A date or a nested value is no column of a classifier: an error where it was asked for, else left out with a word. */
export function refuseColumn(connector: Connector, name: string, asked: boolean): Verdict[] {
  const column = connector.columns.find((candidate) => candidate.name === name);
  if (column?.storage !== "time" && column?.storage !== "other") return [];
  const isTime = column.storage === "time";
  const why = isTime
    ? `it is a date or time (${column.type})`
    : `its type ${column.type} is no number, text or truth value`;
  const part = `extract(month FROM ${connector.dialect.identifier(name)}) AS month`;
  const hint = isTime
    ? `take the parts that matter: --sql 'SELECT *, ${part} FROM ${connector.nameInQuery}'`
    : undefined;
  if (asked)
    throw new CliError(
      "unsupported-type",
      `${quoted(connector.name)}, column ${quoted(name)}: ${why}, expected numbers, texts or truth values`,
      { hint },
    );
  return [{ name, chosen: [], leftOut: hint ? `${why}; ${hint}` : why }];
}
