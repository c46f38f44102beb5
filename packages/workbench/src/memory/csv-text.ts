/** A small table as text, RFC 4180: fields in quotes may hold separators, line ends and doubled quotes. */
export function parseCsv(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  const field = new RegExp(`("(?:[^"]|"")*"|(?!")[^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`, "y");
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) throw new RangeError(`row ${rows.length}: a quote is not closed or stands inside a field`);
    const [, cell, end] = match;
    rows[rows.length - 1].push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell.trim());
    if (end !== separator && end !== "") rows.push([]);
  }
  return rows.filter((row) => row.some((cell) => cell !== ""));
}

/** One field as CSV writes it. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
