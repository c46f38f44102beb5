/** A quoted SQL identifier: in double quotes, with inner ones doubled. NUL is rejected. */
export function quoteIdentifier(name: string): string {
  return quote(name, '"');
}

/** The same in backticks, for engines that read an unknown name in double quotes as a text. */
export function quoteInBackticks(name: string): string {
  return quote(name, "`");
}

/** The parts of a table name, separated by dots; quoted parts keep their dots. */
export function splitName(name: string): string[] {
  const parts = name.match(/(?:"(?:[^"]|"")*"|[^.])+|(?<=^|\.)(?=\.|$)/g) ?? [name];
  return parts.map((part) => (/^".*"$/s.test(part) ? part.slice(1, -1).replaceAll('""', '"') : part));
}

/** A quoted SQL text: in single quotes, with inner ones doubled. */
export function quoteLiteral(text: string): string {
  return quote(text, "'");
}

/** The same for engines in which a backslash is an escape. */
export function quoteWithBackslash(text: string, mark: string): string {
  return quote(text.replaceAll("\\", "\\\\"), mark);
}

function quote(text: string, mark: string): string {
  if (text.includes("\0"))
    throw new RangeError("a name or text with a NUL character cannot be written as SQL");
  return `${mark}${text.replaceAll(mark, mark + mark)}${mark}`;
}
