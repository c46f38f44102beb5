import { statSync } from "node:fs";
import { FORMULA_PATTERNS, guardFormula } from "conformant-workbench";
import { copySql, namedColumnSql, quoteIdentifier, quoteLiteral } from "conformant-workbench/sql";
import { createAtomicFile, STDOUT } from "../output/atomic-file.ts";
import { type Connector, queryRow } from "../sources/connector.ts";
import { namingValues, type Selection, selectSql } from "../sources/select-predictions.ts";
import { describeUnseen } from "../sources/unseen-values.ts";
import { parquetCopy } from "./parquet-copy.ts";
import { type ResultColumns, resultNames } from "./prediction-lines.ts";
import type { OutputFormat } from "./prediction-output.ts";
import { nameUnheld, placeName } from "./scratch-table.ts";

/**
 * Whether DuckDB can write the file itself, which is much faster than passing rows on. It cannot compress, or write to devices and pipes.
 */
export function isCopied(target: string | undefined, format: OutputFormat): target is string {
  if (target === undefined || target === STDOUT || /\.(gz|zst)$/i.test(target)) return false;
  return format !== "json" && statSync(target, { throwIfNoEntry: false })?.isFile() !== false;
}

/** The predictions to write, the target and the engine. */
interface CopyRequest {
  readonly execute: NonNullable<Connector["execute"]>;
  readonly target: string;
  readonly format: OutputFormat;
  /** Copied columns. */
  readonly keep: readonly string[];
  readonly result: ResultColumns;
  /** Whether texts that a spreadsheet might run as formulas are escaped; never in Parquet. */
  readonly guarded: boolean;
}

/** What was written. */
interface Copied {
  readonly rows: number;
  /** Warnings about unknown categories. */
  readonly notes: readonly string[];
}

/** A random number for every row with an unknown category, because a text file should not be read again to count them. */
const UNSEEN_ROWS = "unseen_rows_";

/** Predicts all rows into a file that DuckDB both reads and writes. */
export async function copyPredictions(
  selection: Selection,
  { execute, target, format, keep, result, guarded }: CopyRequest,
): Promise<Copied> {
  const { connector } = selection;
  const draw = `nextval(${quoteLiteral(UNSEEN_ROWS)})`;
  const isParquet = format === "parquet";
  const copies = keep.map((name) => (isParquet ? namedColumnSql : copySql)(connector, name));
  const query = selectSql(selection, copies, undefined, draw);
  const file = createAtomicFile(target);
  try {
    const parquet = isParquet ? parquetCopy(query, file.path, result, {}) : undefined;
    const sql =
      parquet?.sql ?? copyToTextSql(query, file.path, format === "tsv" ? "\t" : ",", result, guarded);
    await execute([`CREATE OR REPLACE TEMP SEQUENCE ${UNSEEN_ROWS}`]);
    const rows = await namingValues(selection, undefined, () => execute([sql])).catch(async (thrown) => {
      if (isParquet) await nameUnheld(query, result, target, (asked) => readTexts(connector, asked));
      throw thrown;
    });
    const [next] = await queryRow(connector, `SELECT ${connector.dialect.text(draw)}`, 1);
    parquet?.finish();
    const unseen = Number(next) - 1;
    const notes = unseen > 0 ? await describeUnseen(connector, selection.fields, selection.model) : [];
    connector.requireUnchanged?.();
    file.commit();
    return { rows, notes };
  } catch (thrown) {
    file.discard();
    throw thrown;
  }
}

async function readTexts({ query }: Connector, sql: string): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  for await (const { columns } of query(sql, ["text"]))
    texts.push(...(columns[0] as readonly (string | null)[]));
  return texts;
}

function copyToTextSql(
  query: string,
  path: string,
  separator: string,
  result: ResultColumns,
  guarded: boolean,
): string {
  const before = 1 + result.classes.length + result.added.length;
  // An empty text is written like a missing value.
  const write = (place: string, c: number): string => {
    if (c < before) return place;
    return `NULLIF(${guarded && !result.kept[c - before].isNumber ? guardSql(place) : place}, '')`;
  };
  const kept = result.kept.map((column) => ({
    ...column,
    name: guarded ? guardFormula(column.name) : column.name,
  }));
  const how = `FORMAT csv, HEADER true, DELIMITER ${quoteLiteral(separator)}, QUOTE '"', ESCAPE '"', NULLSTR '', USE_TMP_FILE false`;
  return `COPY (${renamedSql(query, { ...result, kept }, write)}) TO ${quoteLiteral(path)} (${how})`;
}

/** {@link guardFormula} in SQL. */
export function guardSql(text: string): string {
  const { formula, number } = FORMULA_PATTERNS;
  const isFormula = `regexp_matches(${text}, ${quoteLiteral(formula)}, 's') AND NOT regexp_matches(${text}, ${quoteLiteral(number)}, 'i')`;
  return `CASE WHEN ${isFormula} THEN ${quoteLiteral("'")} || ${text} ELSE ${text} END`;
}

function renamedSql(
  query: string,
  result: ResultColumns,
  write: (place: string, column: number) => string,
): string {
  const names = resultNames(result);
  const places = names.map((_, c) => placeName(c));
  const selected = places.map((place, c) => `${write(place, c)} AS ${quoteIdentifier(names[c])}`);
  return `SELECT ${selected.join(", ")} FROM (${query}) AS answers(${places.join(", ")})`;
}
