import { columnNamed } from "../source/positions.ts";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import type { Verdict } from "./verdict.ts";

/** A date or a nested value is no column of a classifier: an error where it was asked for, else left out with a word. */
export function refuseColumn<Cells extends CellReading>(
  source: TableSource<Cells>,
  name: string,
  asked: boolean,
): Verdict[] {
  const column = columnNamed(source.columns, name);
  if (column?.storage === "time") return [refuseDate(source, name, asked, column.type)];
  if (column?.storage !== "other") return [];
  return [refuse(source, name, asked, `its type ${column.type} is no number, text or truth value`)];
}

/**
 * A column of dates is none of a classifier; its parts may be.
 *
 * @param like its type, or one of its texts
 */
export function refuseDate<Cells extends CellReading>(
  source: TableSource<Cells>,
  name: string,
  asked: boolean,
  like: string,
): Verdict {
  const column = columnNamed(source.columns, name);
  const type = column?.storage === "time" ? ` (${column.type})` : "";
  const part = /^(?:time(?!stamp)|\d\d:)/i.test(like) ? "hour" : "month";
  return refuse(source, name, asked, `it is a date or time${type}`, source.remedies.date(name, part));
}

function refuse(
  { name: table }: { readonly name: string },
  name: string,
  asked: boolean,
  why: string,
  hint?: string,
): Verdict {
  if (asked)
    throw new TableError(
      "unsupported-type",
      `${quoted(table)}, column ${quoted(name)}: ${why}, expected numbers, texts or truth values`,
      { hint },
    );
  return { name, chosen: [], leftOut: hint ? `${why}; ${hint}` : why };
}
