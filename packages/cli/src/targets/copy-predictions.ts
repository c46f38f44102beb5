import { FORMULA_PATTERNS, guardFormula } from "conformant-workbench";
import { copySql, namedColumnSql, quoteIdentifier, quoteLiteral } from "conformant-workbench/sql";
import { createAtomicFile } from "../output/atomic-file.ts";
import { type Connector, queryRow } from "../sources/connector.ts";
import { namingValues, type Selection, selectSql } from "../sources/select-predictions.ts";
import { describeUnseen } from "../sources/unseen-values.ts";
import { parquetCopy } from "./parquet-copy.ts";
import { type ResultColumns, resultNames } from "./prediction-lines.ts";
import { nameUnheld, placeName } from "./scratch-table.ts";

/** Whether DuckDB can write a file of this name itself, which is faster by far than to hand every row over. */
export function isCopied(target: string | undefined): target is string {
  return target !== undefined && !target.startsWith("/dev/") && /[^/\\]\.(parquet|csv|tsv)$/i.test(target);
}

/** What is written, where and by whom. */
interface CopyRequest {
  readonly execute: NonNullable<Connector["execute"]>;
  /** A file that does not say otherwise is CSV. */
  readonly target: string;
  /** The columns that are copied through. */
  readonly keep: readonly string[];
  readonly result: ResultColumns;
  /** Whether texts that a spreadsheet might run as formulas are guarded; in Parquet they never are. */
  readonly guarded: boolean;
}

/** What was written. */
interface Copied {
  readonly rows: number;
  /** What is to be said about categories that the model does not know. */
  readonly notes: readonly string[];
}

/** Numbers that are drawn, one for every row with an unknown category: a file of texts is not to be read once more to count them. */
const UNSEEN_ROWS = "unseen_rows_";

/** Predicts all rows into a file that DuckDB, which reads them, writes as well. */
export async function copyPredictions(
  selection: Selection,
  { execute, target, keep, result, guarded }: CopyRequest,
): Promise<Copied> {
  const { connector } = selection;
  const draw = `nextval(${quoteLiteral(UNSEEN_ROWS)})`;
  const isParquet = /\.parquet$/i.test(target);
  const copies = keep.map((name) => (isParquet ? namedColumnSql : copySql)(connector, name));
  const query = selectSql(selection, copies, undefined, draw);
  const file = createAtomicFile(target);
  try {
    const parquet = isParquet ? parquetCopy(query, file.path, result, {}) : undefined;
    const sql =
      parquet?.sql ?? copyToTextSql(query, file.path, /\.tsv$/i.test(target) ? "\t" : ",", result, guarded);
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
  // An empty text is written as nothing, like a gap.
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
