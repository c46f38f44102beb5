/** A name as SQL writes it: in double quotes, with those inside doubled. NUL ends a name in no engine and is refused. */
export function quoteIdentifier(name: string): string {
  refuseNul(name);
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as SQL writes it: in single quotes, with those inside doubled. */
export function quoteLiteral(text: string): string {
  refuseNul(text);
  return `'${text.replaceAll("'", "''")}'`;
}

function refuseNul(text: string): void {
  if (text.includes("\0"))
    throw new RangeError("a name or text with a NUL character cannot be written as SQL");
}
