import { type AddedValue, addedText } from "conformant-workbench";
import { quoteLiteral } from "conformant-workbench/sql";
import { CliError, quoted } from "../errors.ts";
import { parquetType } from "./kept-type.ts";
import { answersOf, type LineWriter, type ResultColumns, resultNames } from "./prediction-lines.ts";

/** The longest line in bytes. */
const LONGEST_LINE = 64 * 2 ** 20;

/** Results on their way into a table, as lossless CSV: texts are quoted, NULL is an empty field. */
export function scratchLines(result: ResultColumns): LineWriter {
  const { classes } = result;
  const K = classes.length;
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const names = classes.map(quote);
  const field = (value: AddedValue): string =>
    typeof value === "number" ? String(value) : quote(addedText(value));
  return {
    header: `${resultNames(result).map(quote).join(",")}\n`,
    lines: (batch) => {
      const { rows, added, texts } = batch;
      const { decision, probability } = answersOf(batch, K, String);
      let text = "";
      for (let r = 0; r < rows; r++) {
        text += K === 0 ? probability(r, 0) : names[decision(r)];
        for (let k = 0; k < K; k++) text += `,${probability(r, k)}`;
        for (const value of added[r] ?? []) text += `,${field(value)}`;
        for (const column of texts) {
          const value = column[r];
          text += value === null ? "," : `,${quote(value)}`;
        }
        text += "\n";
      }
      return text;
    },
  };
}

/** The types that hold the columns of a result in DuckDB, in order. */
export function resultTypes({ classes, added, kept }: ResultColumns): string[] {
  return [
    classes.length === 0 ? "DOUBLE" : "VARCHAR",
    ...classes.map(() => "DOUBLE"),
    ...added.map(({ isNumber }) => (isNumber ? "DOUBLE" : "VARCHAR")),
    ...kept.map(({ type }) => type ?? "VARCHAR"),
  ];
}

/** The temporary name of a column by its position: DuckDB treats names that differ only in case as one. */
export function placeName(column: number): string {
  return `c${column}_`;
}

/** The query that reads a file of {@link scratchLines} in DuckDB. */
export function scratchSql(file: string, result: ResultColumns): string {
  const types = resultTypes(result);
  const values = types.map(
    (type, c) => `CAST(${heldText(placeName(c), type)} AS ${type}) AS ${placeName(c)}`,
  );
  return `SELECT ${values.join(", ")} FROM ${textRelation(file, types.length)}`;
}

/** A text in DuckDB's notation of its type: older versions of ClickHouse write 1970-01-01 as zeros. */
function heldText(text: string, type: string): string {
  return /^(DATE|TIMESTAMP)$/.test(type) ? `replace(${text}, '0000-00-00', '1970-01-01')` : text;
}

/** The same columns as texts. */
export function scratchTexts(file: string, result: ResultColumns): string {
  return `SELECT * FROM ${textRelation(file, resultTypes(result).length)}`;
}

function textRelation(file: string, width: number): string {
  const columns = Array.from({ length: width }, (_, c) => `${placeName(c)}: 'VARCHAR'`);
  return `read_csv(${quoteLiteral(file)}, auto_detect=false, header=true, delim=',', quote='"', escape='"', nullstr='', allow_quoted_nulls=false, parallel=true, max_line_size=${LONGEST_LINE}, columns={${columns.join(", ")}})`;
}

/** Queries the texts of the first column. */
type AskTexts = (sql: string) => Promise<readonly (string | null)[]>;

/**
 * Finds a value that a Parquet file cannot hold, and throws an error that names it and its column.
 *
 * @param query has the columns of the result, by {@link placeName}
 */
export async function nameUnheld(
  query: string,
  result: ResultColumns,
  target: string,
  ask: AskTexts,
): Promise<void> {
  const [names, types] = [resultNames(result), resultTypes(result)];
  const places = names.map((_, c) => placeName(c)).join(", ");
  for (const [c, type] of types.entries()) {
    const written = parquetType(type);
    if (c < names.length - result.kept.length || written === "VARCHAR") continue;
    const place = placeName(c);
    const value = `CAST(${place} AS VARCHAR)`;
    const [text] = await ask(
      `SELECT ${value} FROM (${query}) AS answers(${places}) WHERE ${place} IS NOT NULL AND (TRY_CAST(${heldText(value, type)} AS ${type}) IS NULL OR TRY_CAST(TRY_CAST(${heldText(value, type)} AS ${type}) AS ${written}) IS NULL) LIMIT 1`,
    );
    if (text === undefined) continue;
    throw new CliError(
      "unwritable-output",
      `${quoted(target)}, column ${quoted(names[c])}: expected values that fit the type ${written}, got ${quoted(text ?? "")}`,
      { hint: "make a text of it with --sql" },
    );
  }
}
