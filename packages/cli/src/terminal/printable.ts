/** Control characters that a terminal takes for orders: all but tabs and line ends. */
const ORDERS = /(?![\t\n])\p{Cc}/gu;

/** Longer cells are cut in tables for people. */
const MOST_CHARACTERS = 100;

/** A text for people as data gave it, without what a terminal would take for orders: they are seen as they stand in JSON. */
export function printable(text: string): string {
  return text.replace(ORDERS, escaped);
}

/** The same in one line of a moderate length. */
export function printableCell(text: string): string {
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
  return printable(short).replace(/[\t\n]/g, (mark) => (mark === "\t" ? "\\t" : "\\n"));
}

function escaped(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
