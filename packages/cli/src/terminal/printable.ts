/** Control characters that a terminal interprets, except tabs and line ends. */
const ORDERS = /(?![\t\n])\p{Cc}/gu;

/** Cells longer than this are shortened in tables. */
const MOST_CHARACTERS = 100;

/** A text from data for a terminal: control characters are shown as JSON escapes. */
export function printable(text: string): string {
  return text.replace(ORDERS, escaped);
}

/** The same in one line of limited length. */
export function printableCell(text: string): string {
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
  return printable(short).replace(/[\t\n]/g, (mark) => (mark === "\t" ? "\\t" : "\\n"));
}

function escaped(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
