/** Texts that stand for a gap in files, besides the empty one, unless a column has them as categories. */
export const GAP_TEXTS: readonly string[] = ["NA", "NaN", "nan", "null", "NULL"];

/** How the numbers of a column are written: the mark before the fraction, and whether the other one groups thousands. */
export interface NumberStyle {
  readonly decimal: "point" | "comma";
  readonly grouped: boolean;
}

/** `3`, `-0.5`, `1e-3`, `.5`: numbers as programs write them. */
export const PLAIN_NUMBERS: NumberStyle = { decimal: "point", grouped: false };

/** Blanks are spaces: what a tab or a line end stands for, only the file knows. */
export function trimText(text: string): string {
  return text.replace(/^ +| +$/g, "");
}

/**
 * A decimal number as a regular expression, in the common part of the syntaxes of JavaScript, RE2 and PostgreSQL. A number that
 * begins with a zero it could do without is none: `007` is a code, and 7 would be another one.
 */
export function numberPattern({ decimal, grouped }: NumberStyle): string {
  const [mark, group] = decimal === "point" ? ["[.]", "[,]"] : ["[,]", "[.]"];
  const whole = grouped ? `(?:0|[1-9][0-9]{0,2}(?:${group}[0-9]{3})+|[1-9][0-9]*)` : "(?:0|[1-9][0-9]*)";
  return `[-+]?(?:${whole}(?:${mark}[0-9]*)?|${mark}[0-9]+)(?:[eE][-+]?[0-9]{1,3})?`;
}

const patterns = new Map<string, RegExp>();

/** The number that a text is, in the given style; undefined where it is none, or none that a double can hold. */
export function readNumberText(text: string, style: NumberStyle = PLAIN_NUMBERS): number | undefined {
  const source = numberPattern(style);
  const pattern = patterns.get(source) ?? new RegExp(`^(?:${source})$`);
  patterns.set(source, pattern);
  const trimmed = trimText(text);
  if (!pattern.test(trimmed)) return undefined;
  const [mark, group] = style.decimal === "point" ? [".", ","] : [",", "."];
  const number = Number(trimmed.replaceAll(group, "").replace(mark, "."));
  return Number.isFinite(number) ? number : undefined;
}

/**
 * What two spellings of one category share: `1`, `1.0` and `1.` are one, and so are `true`, `True` and `TRUE`. A spelling that a
 * column has is always preferred; only one that it does not have is looked up by this.
 */
export function categoryKey(text: string): string {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase();
  return /^[-+]?[0-9]+[.]0*$/.test(text) ? text.slice(0, text.indexOf(".")) : text;
}

/** Finds the position of a category by its spelling or, where that is not among the values, by the one value of the same key. */
export function categoryFinder(values: readonly string[]): (text: string) => number | undefined {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  values.forEach((value, place) => {
    const key = categoryKey(value);
    if (places.has(key)) repeated.add(key);
    places.set(key, place);
  });
  for (const key of repeated) places.delete(key);
  values.forEach((value, place) => {
    places.set(value, place);
  });
  return (text) => places.get(text) ?? places.get(categoryKey(text));
}

/** Whether a text stands for a gap. */
export function isGapText(text: string, gaps: readonly string[] = GAP_TEXTS): boolean {
  return text === "" || gaps.includes(text);
}

/** A date, a time of the day, or both, as ISO 8601 writes them. */
const DATE =
  /^(?:\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z|UTC|[-+]\d{2}:?\d{2}))?)?|\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;

/** Whether a text is a date or a time. */
export function isDateText(text: string): boolean {
  return DATE.test(text);
}
