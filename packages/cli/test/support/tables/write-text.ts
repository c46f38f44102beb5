import { gzipSync } from "node:zlib";
import type { AwkwardTable, Cell } from "./awkward-table.ts";

/** How a CSV file is written. */
interface CsvStyle {
  readonly separator: string;
  readonly quoteAll?: boolean;
  readonly lineEnd?: string;
  readonly decimal?: string;
  readonly mark?: string;
  readonly gap?: string;
}

/** A table as CSV. */
export function csvText({ columns }: AwkwardTable, style: CsvStyle): string {
  const { separator, quoteAll = false, lineEnd = "\n", decimal = ".", mark = "", gap = "" } = style;
  const quote = (text: string): string =>
    quoteAll || /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
  const cell = (value: Cell): string => {
    if (value === null) return gap;
    return quote(typeof value === "number" ? numberText(value).replace(".", decimal) : value);
  };
  const rows = columns[0].cells.map((_, r) => columns.map(({ cells }) => cell(cells[r])).join(separator));
  return mark + [columns.map(({ name }) => quote(name)).join(separator), ...rows, ""].join(lineEnd);
}

/** A number with its sign, also that of zero. */
function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** One JSON object a row; a key may be `__proto__`. */
export function jsonRows({ columns }: AwkwardTable): string[] {
  return columns[0].cells.map((_, r) => {
    const entries = columns.map(({ name, cells }) => {
      const value = cells[r];
      const text = typeof value === "number" ? numberText(value) : JSON.stringify(value);
      return `${JSON.stringify(name)}:${text}`;
    });
    return `{${entries.join(",")}}`;
  });
}

/** The files that text alone makes, by their names. */
export function textFiles(table: AwkwardTable): Record<string, string | Buffer> {
  const plain = csvText(table, { separator: "," });
  return {
    "plain.csv": plain,
    "quoted.csv": csvText(table, { separator: ",", quoteAll: true, gap: "" }),
    "windows.csv": csvText(table, { separator: ",", lineEnd: "\r\n", mark: "\ufeff", gap: "NA" }),
    "packed.csv.gz": gzipSync(plain),
    "tabs.tsv": csvText(table, { separator: "\t", gap: "null" }),
    "european.csv": csvText(table, { separator: ";", decimal: ",", lineEnd: "\r\n" }),
    "rows.json": `[${jsonRows(table).join(",\n")}]`,
    "rows.jsonl": `${jsonRows(table).join("\n")}\n`,
  };
}
