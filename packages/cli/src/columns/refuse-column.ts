import { CliError, quoted } from "../errors.ts";
import type { Connector } from "../sources/connector.ts";
import type { Verdict } from "./verdict.ts";

/** A date or a nested value is no column of a classifier: an error where it was asked for, else left out with a word. */
export function refuseColumn(connector: Connector, name: string, asked: boolean): Verdict[] {
  const column = connector.columns.find((candidate) => candidate.name === name);
  if (column?.storage === "time") return [refuseDate(connector, name, asked)];
  if (column?.storage !== "other") return [];
  return [refuse(connector, name, asked, `its type ${column.type} is no number, text or truth value`)];
}

/** A column of dates is none of a classifier; its parts may be. */
export function refuseDate(connector: Connector, name: string, asked: boolean): Verdict {
  const column = connector.columns.find((candidate) => candidate.name === name);
  const type = column?.storage === "time" ? ` (${column.type})` : "";
  const part = `extract(month FROM ${connector.dialect.identifier(name)}) AS month`;
  const hint = `take the parts that matter: --sql 'SELECT *, ${part} FROM ${connector.nameInQuery}'`;
  return refuse(connector, name, asked, `it is a date or time${type}`, hint);
}

function refuse(connector: Connector, name: string, asked: boolean, why: string, hint?: string): Verdict {
  if (asked)
    throw new CliError(
      "unsupported-type",
      `${quoted(connector.name)}, column ${quoted(name)}: ${why}, expected numbers, texts or truth values`,
      { hint },
    );
  return { name, chosen: [], leftOut: hint ? `${why}; ${hint}` : why };
}
