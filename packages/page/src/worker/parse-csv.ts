import { CsvReader, detectCsv } from "conformant-workbench";
import { TABLE } from "../frame/texts.ts";

/** A CSV text as cells. */
export interface CsvText {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Whether a comma may be part of a number, as it separates nothing. */
  readonly mayHaveCommas: boolean;
}

/**
 * Reads CSV as the command and the studio do, whatever its separator and what stands above the names.
 *
 * @param expected names of which the first line with names has one, where it is one
 */
export function parseCsv(text: string, expected: readonly string[] = []): CsvText {
  const plain = text.replace(/^\uFEFF/, "");
  const rows: (readonly string[])[] = [];
  if (plain.trim() === "") return { header: [], rows, mayHaveCommas: false };
  const format = detectCsv(plain, true, TABLE.table, { expected, twiceNamed: TABLE.twiceNamed });
  const reader = new CsvReader(TABLE.table, format, (fields) => {
    const cells = fields.map((field) => field ?? "");
    if (cells.length > 1 || cells[0].trim() !== "") rows.push(cells);
  });
  reader.push(plain);
  reader.finish();
  return { header: format.names, rows, mayHaveCommas: format.separator.trim() !== "," };
}

/** Cells as a CSV text. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}
