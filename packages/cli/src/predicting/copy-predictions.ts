import { CliError, quoted } from "../errors.ts";
import { createAtomicFile } from "../output/atomic-file.ts";
import type { Connector } from "../sources/connector.ts";
import { quoteIdentifier, quoteLiteral } from "../sql/quote.ts";
import { FORMULA, guardFormula, NUMBER } from "./guard-formula.ts";
import { copyToParquetSql } from "./parquet-sink.ts";
import { type ResultColumns, resultNames } from "./prediction-lines.ts";
import { resultTypes } from "./scratch-table.ts";
import { namingValues, type Selection, selectSql } from "./select-predictions.ts";

/** Whether DuckDB can write a file of this name itself, which is faster by far than to hand every row over. */
export function isCopied(target: string | undefined): target is string {
  return target !== undefined && /[^/\\]\.(csv|tsv|parquet)$/i.test(target) && !target.startsWith("/dev/");
}

/**
 * Predicts all rows into a file that DuckDB, which reads them, writes as well; says how many they were.
 *
 * @param copies SQL of the columns that are copied through, as texts
 * @param raw leaves texts as they are that a spreadsheet would run as formulas
 */
export async function copyPredictions(
  selection: Selection,
  execute: NonNullable<Connector["execute"]>,
  target: string,
  copies: readonly string[],
  result: ResultColumns,
  raw: boolean,
): Promise<number> {
  const query = selectSql(selection, copies);
  const file = createAtomicFile(target);
  try {
    const sql = /\.parquet$/i.test(target)
      ? copyToParquetSql(typedSql(query, result), file.path, {})
      : copyToTextSql(query, file.path, /\.tsv$/i.test(target) ? "\t" : ",", result, raw);
    const rows = await namingValues(selection, undefined, () => execute([sql]));
    if (rows === 0)
      throw new CliError(
        "empty-data",
        `${quoted(selection.connector.name)} has no rows, expected at least one`,
      );
    file.commit();
    return rows;
  } catch (thrown) {
    file.discard();
    throw thrown;
  }
}

/** The columns of a query in the names and types that a Parquet file has them in. */
export function typedSql(query: string, result: ResultColumns): string {
  const types = resultTypes(result);
  return renamedSql(query, result, (place, c) => `CAST(${place} AS ${types[c]})`, resultNames(result));
}

function copyToTextSql(
  query: string,
  path: string,
  separator: string,
  result: ResultColumns,
  raw: boolean,
): string {
  const before = 1 + result.classes.length + result.added.length;
  const kept = result.kept.map(({ name }) => (raw ? name : guardFormula(name)));
  const names = [...resultNames({ ...result, kept: [] }), ...kept];
  const write = (place: string, c: number): string => {
    if (c < before) return place;
    const isText = !result.kept[c - before].isNumber;
    return `NULLIF(${isText && !raw ? guardSql(place) : place}, '')`; // an empty text is written as nothing, like a gap
  };
  const how = `FORMAT csv, HEADER true, DELIMITER ${quoteLiteral(separator)}, QUOTE '"', ESCAPE '"', NULLSTR '', USE_TMP_FILE false`;
  return `COPY (${renamedSql(query, result, write, names)}) TO ${quoteLiteral(path)} (${how})`;
}

/** {@link guardFormula} in SQL. */
function guardSql(text: string): string {
  const isFormula = `regexp_matches(${text}, ${quoteLiteral(FORMULA.source)}, 's')`;
  const isNumber = `regexp_matches(${text}, ${quoteLiteral(NUMBER.source)}, 'i')`;
  return `CASE WHEN ${isFormula} AND NOT ${isNumber} THEN ${quoteLiteral("'")} || ${text} ELSE ${text} END`;
}

function renamedSql(
  query: string,
  result: ResultColumns,
  write: (place: string, column: number) => string,
  names: readonly string[],
): string {
  const places = resultNames(result).map((_, c) => `c${c}_`);
  const selected = places.map((place, c) => `${write(place, c)} AS ${quoteIdentifier(names[c])}`);
  return `SELECT ${selected.join(", ")} FROM (${query}) AS answers(${places.join(", ")})`;
}
