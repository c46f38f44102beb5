/** A record of a CSV text: its fields and the lines it takes, more than one where a field in quotes has line ends. */
export interface CsvRecord {
  readonly fields: readonly string[];
  /** Lines before it. */
  readonly line: number;
  readonly lines: number;
}

/** How the fields of a CSV text are told apart. */
export interface CsvMarks {
  /** One character, perhaps with a blank behind it. */
  readonly separator: string;
  readonly quote: string;
  /** What stands before a quote inside of quotes: another quote, or a backslash. */
  readonly escape: string;
}

/** The records at the beginning of a text, at most so many. A quote in the middle of a field is a character like any other. */
export function readRecords(
  text: string,
  { separator, quote, escape: before }: CsvMarks,
  most: number,
): CsvRecord[] {
  const records: CsvRecord[] = [];
  let [at, fields, line, lines] = [0, [] as string[], 0, 1];
  const close = (): void => {
    records.push({ fields, line, lines });
    [fields, line, lines] = [[], line + lines, 1];
  };
  while (at < text.length && records.length < most) {
    let field = "";
    if (text[at] === quote) {
      at++;
      while (at < text.length && (text[at] !== quote || (before === quote && text[at + 1] === quote))) {
        if (text[at] === before && text[at + 1] === quote) at++;
        if (text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n")) lines++;
        field += text[at++];
      }
      at++;
    }
    const rest = at;
    while (at < text.length && text[at] !== "\n" && text[at] !== "\r" && !text.startsWith(separator, at))
      at++;
    fields.push(field + text.slice(rest, at));
    if (text.startsWith(separator, at) && at < text.length) {
      at += separator.length;
      if (at < text.length) continue;
      fields.push("");
    }
    if (at >= text.length) break;
    at += text.startsWith("\r\n", at) ? 2 : 1;
    close();
  }
  if (fields.length > 0) close();
  return records;
}
