import type { CsvFormat } from "conformant-workbench";
import { quoteLiteral } from "conformant-workbench/sql";
import { memoryBudget } from "./memory-budget.ts";

/** The engine's buffer for CSV in bytes: at least two longest lines, at most a sixteenth of the memory. */
const BUFFER = { least: 4 * 2 ** 20, most: 32 * 10 ** 6, share: 1 / 16 } as const;

/** Files of one table, and their compression. */
export interface DataFiles {
  readonly paths: readonly string[];
  readonly compression: "none" | "gzip" | "zstd";
}

/** The engine's name of the column at a position, independent of the file's names. */
export function engineName(c: number): string {
  return `c${c}`;
}

/** The engine's names of the first columns, as an SQL list. */
export function engineNames(width: number): string {
  return Array.from({ length: width }, (_, c) => engineName(c)).join(", ");
}

/** Paths with pattern characters escaped for the engine's readers. */
function pathList(paths: readonly string[]): string {
  return `[${paths.map((path) => quoteLiteral(path.replace(/[*?[]/g, "[$&]"))).join(", ")}]`;
}

/** Reads CSV files, every column as text. */
export function readCsvSql({ paths, compression }: DataFiles, format: CsvFormat): string {
  const columns = format.names.map((_, c) => `${engineName(c)}: 'VARCHAR'`);
  const settings = [
    pathList(paths),
    "auto_detect=false",
    `compression='${compression}'`,
    `delim=${quoteLiteral(format.separator)}`,
    `quote=${quoteLiteral(format.quote)}`,
    `escape=${quoteLiteral(format.escape)}`,
    "header=false",
    `skip=${format.skippedRecords}`, // the engine counts records
    bufferSize(),
    `columns={${columns.join(", ")}}`,
  ];
  return `read_csv(${settings.join(", ")})`;
}

function bufferSize(): string {
  const { least, most, share } = BUFFER;
  return `buffer_size=${Math.round(Math.min(most, Math.max(least, memoryBudget() * share)))}`;
}

/** Reads the first lines of a file as texts. */
export function readLinesSql({ paths, compression }: DataFiles, most: number): string {
  const settings = `auto_detect=false, compression='${compression}', delim='\\x01', quote='', escape='', header=false, columns={line: 'VARCHAR'}, ${bufferSize()}`;
  return `SELECT line FROM read_csv(${pathList(paths.slice(0, 1))}, ${settings}) LIMIT ${most}`;
}

/** Reads the objects of JSON files, one in a row. */
export function readJsonSql({ paths, compression }: DataFiles): string {
  return `read_json_objects(${pathList(paths)}${packed(compression)})`;
}

/** The same with types detected by the engine, for the user's own queries. */
export function readTypedJsonSql({ paths, compression }: DataFiles): string {
  return `read_json_auto(${pathList(paths)}${packed(compression)})`;
}

/** The readers of JSON have no option value for an uncompressed file. */
function packed(compression: DataFiles["compression"]): string {
  return compression === "none" ? "" : `, compression='${compression}'`;
}

/** Reads Parquet files. Folder names such as `year=2024` become text columns. */
export function readParquetSql({ paths }: DataFiles): string {
  return `read_parquet(${pathList(paths)}, hive_types_autocast=false)`;
}

/** The columns of a row of {@link parquetSchemaSql}. */
export const SCHEMA_WIDTH = 4;

/**
 * The schemas of Parquet files: file, name, number of children and type, depth first. Integers of any size count as one type: a number
 * too large for the first file's type is an error of the engine.
 */
export function parquetSchemaSql(paths: readonly string[]): string {
  const whole = "type IN ('INT32', 'INT64') AND COALESCE(logical_type, 'IntType') LIKE 'Int%'";
  const other = "COALESCE(logical_type, converted_type, type, 'a structure')";
  return `SELECT file_name, name, num_children, CASE WHEN ${whole} THEN 'whole numbers' ELSE ${other} END FROM parquet_schema(${pathList(paths)})`;
}
