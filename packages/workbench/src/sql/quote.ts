/** A name as SQL writes it: in double quotes, with those inside doubled. NUL ends a name in no engine and is refused. */
export function quoteIdentifier(name: string): string {
  return quote(name, '"');
}

/** The same in backticks, for engines that take a name in double quotes for a text where there is no such column. */
export function quoteInBackticks(name: string): string {
  return quote(name, "`");
}

/** The parts of the name of a table: separated by dots, those in double quotes with their dots. */
export function splitName(name: string): string[] {
  const parts = name.match(/(?:"(?:[^"]|"")*"|[^.])+|(?<=^|\.)(?=\.|$)/g) ?? [name];
  return parts.map((part) => (/^".*"$/s.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part));
}

/** A text as SQL writes it: in single quotes, with those inside doubled. */
export function quoteLiteral(text: string): string {
  return quote(text, "'");
}

/** The same for engines in which a backslash takes the meaning from the next character. */
export function quoteWithBackslash(text: string, mark: string): string {
  return quote(text.replaceAll("\\", "\\\\"), mark);
}

function quote(text: string, mark: string): string {
  if (text.includes("\0"))
    throw new RangeError("a name or text with a NUL character cannot be written as SQL");
  return `${mark}${text.replaceAll(mark, mark + mark)}${mark}`;
}
