/** A CSV text as cells, its separator with it. */
export interface CsvText {
  readonly separator: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const SEPARATORS = [",", ";", "\t", "|"] as const;

/** Reads CSV (RFC 4180) with any of the usual separators: the one that splits the first line most. */
export function parseCsv(text: string): CsvText {
  const [announcement, announced] = /^\uFEFF?(?:sep=(.)\r?\n)?/i.exec(text) ?? [""];
  const plain = text.slice(announcement.length);
  const separator = announced ?? findSeparator(plain);
  const [header = [], ...rows] = split(plain, separator);
  return {
    separator,
    header: header.map((name) => name.trim()),
    rows: rows.filter((cells) => cells.length > 1 || cells[0].trim() !== ""),
  };
}

function findSeparator(text: string): string {
  const line = text.slice(0, text.search(/\r?\n|$/));
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))];
}

/** Lines of cells; a cell in double quotes may hold separators, line ends and doubled quotes. */
function split(text: string, separator: string): string[][] {
  const lines: string[][] = [[]];
  const pattern = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\${separator}\\r\\n][^\\${separator}\\r\\n]*)?)(\\${separator}|\\r\\n|\\n|\\r|$)`,
    "y",
  );
  while (pattern.lastIndex < text.length || text === "") {
    const match = pattern.exec(text);
    if (!match) throw new Error(`the quotes in line ${lines.length} do not match`);
    const [, inQuotes, bare = "", end] = match;
    lines[lines.length - 1].push(inQuotes === undefined ? bare : inQuotes.replaceAll('""', '"'));
    if (end === "" || pattern.lastIndex >= text.length) {
      if (end === separator) lines[lines.length - 1].push("");
      break;
    }
    if (end !== separator) lines.push([]);
  }
  return lines;
}

/** Cells as a CSV text. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}
