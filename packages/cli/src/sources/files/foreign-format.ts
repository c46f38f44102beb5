export const DUCKDB_DATABASE = "a DuckDB database";

/** Signatures at an offset in files that are not delimited text, and the remedy for each. */
const FORMATS: readonly (readonly [at: number, bytes: string, is: string, hint: string])[] = [
  [0, "PK\x03\x04", "a spreadsheet or another ZIP archive", "a workbook of Excel is read with --format xlsx"],
  [0, "\xd0\xcf\x11\xe0", "a spreadsheet (.xls), or one with a password", "save the table as .xlsx or CSV"],
  [0, "PAR1", "a Parquet file", "give it a name that ends in .parquet"],
  [8, "DUCK", DUCKDB_DATABASE, "read a table of it: duckdb:FILE#TABLE"],
  [0, "SQLite format 3", "an SQLite database", "read a table of it: sqlite:FILE#TABLE"],
  [0, "ARROW1", "an Arrow file", "write the table as Parquet"],
  [0, "\x89PNG", "an image", "give the table that it shows"],
  [0, "\xff\xd8\xff", "an image", "give the table that it shows"],
  [0, "%PDF-", "a PDF document", "save the table as CSV"],
  [0, "<!doctype html", "a web page", "was it saved in place of the table?"],
  [0, "<!DOCTYPE html", "a web page", "was it saved in place of the table?"],
  [0, "<html", "a web page", "was it saved in place of the table?"],
];

/** The format of a file that is not text, by its first bytes; undefined if none is recognized. */
export function foreignFormat(head: Buffer): { readonly is: string; readonly hint: string } | undefined {
  const start = head.subarray(0, 100).toString("latin1");
  const found = FORMATS.find(([at, bytes]) => start.startsWith(bytes, at));
  return found && { is: found[2], hint: found[3] };
}
