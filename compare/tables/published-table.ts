import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MISSING_TEXTS } from "conformant/texts";
import { cellText, readCsvTable } from "conformant-workbench";
import { downloadFile } from "../../paper/download/download-file.ts";

/** Where downloaded tables are kept. */
const FOLDER = process.env.CONFORMANT_DATA ?? fileURLToPath(new URL("../../data", import.meta.url));

/** A table that a public repository holds as CSV. */
export interface PublishedTable {
  readonly name: string;
  /** Its place below the folder of downloads. */
  readonly path: string;
  readonly url: string;
  /** Git's own id of its contents. */
  readonly gitBlob: string;
  /** The column to predict. */
  readonly label: string;
  /** Columns that are not used: identifiers, and those that give the label away. */
  readonly without?: readonly string[];
}

/** Rows of texts, null for a missing value. */
export interface TextRows {
  readonly names: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Reads a table, the label last; rows without a label are dropped. */
export async function readPublished(table: PublishedTable): Promise<TextRows> {
  const { path, url, gitBlob, label, without = [] } = table;
  await downloadFile({ path, urls: [url], gitBlob }, FOLDER);
  const text = readFileSync(join(FOLDER, path), "utf8").replace(/^\uFEFF/, "");
  const { columns, rows } = await readCsvTable(path, pieces(text), {
    expected: [label],
    twiceNamed: "",
    tooLarge: "",
  });
  const unknown = [label, ...without].find((name) => !columns.some((column) => column.name === name));
  if (unknown !== undefined) throw new Error(`${path}: no column ${unknown}`);
  const used = [
    ...columns.filter(({ name }) => name !== label && !without.includes(name)),
    ...columns.filter(({ name }) => name === label),
  ];
  const missing = new Set(["", ...MISSING_TEXTS]);
  const clean = (cell: string | null): string | null => {
    const trimmed = cell?.trim() ?? "";
    return missing.has(trimmed) ? null : trimmed;
  };
  const all = Array.from({ length: rows }, (_, r) => used.map((column) => clean(cellText(column, r))));
  return {
    names: used.map(({ name }) => name),
    rows: all.filter((row) => row[row.length - 1] !== null),
  };
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text;
}

/** The rows at some positions. */
export function pickTexts({ names, rows }: TextRows, positions: ArrayLike<number>): TextRows {
  return { names, rows: Array.from(positions, (r) => rows[r]) };
}
