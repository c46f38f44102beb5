import type { Column } from "conformant";
import { CliError, quoted } from "../errors.ts";
import type { Counted, NumberCounts } from "../reading/column-counts.ts";
import { countColumns } from "../reading/count-columns.ts";
import { readRows } from "../reading/read-rows.ts";
import { screenText } from "../reading/screen-texts.ts";
import type { Connector } from "../sources/connector.ts";
import { numberSql } from "../sql/encode.ts";
import type { Field, FieldSet } from "../sql/fields.ts";
import { count, counted } from "../terminal/numbers.ts";
import { type ChosenColumn, categoryColumn, numberColumn } from "./chosen-column.ts";
import type { AskedKind } from "./column-options.ts";
import { sequenceColumns } from "./sequence-columns.ts";

/** A text column with more values than this is left out unless it is asked for. */
export const MOST_CATEGORIES = 1000;
/** A text column of at least so many rows of which more than half differ is a name or a number of the row. */
const ENOUGH_ROWS = 100;
/** Fewer values than this may all differ by chance. */
const FEW_ROWS = 5;

/** What became of a column of the source: columns of the model, or left out and why. */
export interface Verdict {
  readonly name: string;
  readonly chosen: readonly ChosenColumn[];
  readonly leftOut?: string;
}

/** Finds out what a column is from the counts of its values: 0/1, a number, categories, or nothing a classifier can use. */
export async function inferColumn(
  connector: Connector,
  fields: FieldSet,
  name: string,
  counts: Counted,
  asked: AskedKind | undefined,
  bins: number,
): Promise<Verdict> {
  if (counts.known === 0) return leaveOut(name, "it has no value in any row");
  if (asked === "numeric" || asked === "binary")
    return { name, chosen: [await readAsNumber(connector, fields, name, asked, bins)] };
  if (counts.kind === "number") {
    if (!Number.isFinite(counts.least) || !Number.isFinite(counts.most))
      await rejectFirst(connector, fields, { name, kind: "numeric" });
    if (counts.least === counts.most) return leaveOut(name, `it is ${counts.least} in every row that has it`);
    return { name, chosen: [numberColumn(name, counts, counts.bits)] };
  }
  if (counts.tooMany) {
    if (asked === undefined) return inferManyValued(connector, fields, name);
    throw tooManyValues(connector, name);
  }
  const { size } = counts.counts;
  if (asked === undefined && looksLikeName(size, counts.known)) return leaveOutName(name, size, counts.known);
  if (asked === undefined && size === 1)
    return leaveOut(name, `it is ${quoted([...counts.counts.keys()][0])} in every row that has it`);
  return { name, chosen: [categoryColumn(name, counts)] };
}

/** A column of very many different texts: a sequence of letters, a name, or too many categories. */
export async function inferManyValued(
  connector: Connector,
  fields: FieldSet,
  name: string,
): Promise<Verdict> {
  const screen = await screenText(connector, fields, fields.fields.get(name) as Field);
  const letters = await sequenceColumns(connector, fields, screen);
  if (letters) return { name, chosen: letters };
  if (looksLikeName(screen.distinct, screen.known))
    return leaveOutName(name, screen.distinct, screen.known, "about ");
  return leaveOut(
    name,
    `it has more than ${count(MOST_CATEGORIES)} different values; --type ${quoted(`${name}=categorical`)} keeps it`,
  );
}

/** A column of texts that is asked for and has more values than a server is made to count. */
export function tooManyValues({ name: source, dialect }: Connector, name: string): CliError {
  const message = `${quoted(source)}, column ${quoted(name)}: expected fewer than ${count(dialect.mostCounted)} different values, it has more`;
  return new CliError("unsupported-type", message, {
    hint: "leave it out with --exclude, or make groups of its values with --sql",
  });
}

function looksLikeName(distinct: number, known: number): boolean {
  if (known < FEW_ROWS) return false;
  return known < ENOUGH_ROWS ? distinct >= known : distinct > known / 2;
}

function leaveOut(name: string, why: string): Verdict {
  return { name, chosen: [], leftOut: why };
}

function leaveOutName(name: string, distinct: number, known: number, about = ""): Verdict {
  return leaveOut(
    name,
    `${about}${counted(distinct, "different text")} in ${counted(known, "row")}: it looks like a name, not a category`,
  );
}

/** A column that the command line calls numeric or binary; a value that is neither is an error with its row. */
async function readAsNumber(
  connector: Connector,
  fields: FieldSet,
  name: string,
  kind: "numeric" | "binary",
  bins: number,
): Promise<ChosenColumn> {
  await rejectFirst(connector, fields, { name, kind });
  const field = fields.fields.get(name) as Field;
  const asNumber = {
    ...field,
    storage: "number" as const,
    value: connector.dialect.nullForNan(numberSql(connector.dialect, field)),
  };
  const { columns } = await countColumns(
    connector,
    { ...fields, fields: new Map([[name, asNumber]]) },
    [name],
    bins,
  );
  const counts = columns.get(name) as NumberCounts;
  if (kind === "binary" && !counts.bits)
    throw new CliError("invalid-value", `${quoted(connector.name)}, column ${quoted(name)}: expected 0 or 1`);
  return numberColumn(name, counts, kind === "binary");
}

/** Reads one column, which throws at the first value that it cannot hold. */
async function rejectFirst(connector: Connector, fields: FieldSet, column: Column): Promise<void> {
  for await (const batch of readRows(connector, fields, { columns: [column] })) void batch;
}
