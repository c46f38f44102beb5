import { PLAIN_NUMBER, readPlainNumber, trimText } from "./encode-value.ts";

/** How the numbers of a column are written. */
export interface NumberStyle {
  /** The mark before the fraction. */
  readonly decimal: "point" | "comma";
  /** Whether the other mark groups thousands. */
  readonly grouped: boolean;
  /** Whether a currency or a percent sign may stand beside the digits, blanks between groups, and parentheses for a minus. */
  readonly signs?: boolean;
  /** The numbers are dates, counted in days since 1970-01-01, or times, counted in hours; nothing else of the style then matters. */
  readonly date?: DateStyle;
}

/** How dates are written: the order of their parts. */
export type DateStyle =
  | "year-month-day"
  | "month/day/year"
  | "day/month/year"
  | "yyyymmdd"
  | "day-name-year"
  | "name-day-year"
  | "year-month"
  | "month/year"
  | "name-year"
  | "time";

/** `3`, `-0.5`, `1e-3`, `.5`: numbers as programs write them. */
export const PLAIN_NUMBERS: NumberStyle = { decimal: "point", grouped: false };

/** What may stand beside the digits of an amount. Alternatives rather than a class: engines that match bytes read them alike. */
const SIGN = "(?:[$%]|\u20ac|\u00a3|\u00a5|\u20b9|USD|EUR|GBP|CHF)";

/** A number in a style as a regular expression, in the common part of the syntaxes of JavaScript, RE2 and PostgreSQL. */
export function numberPattern({ decimal, grouped, signs, date }: NumberStyle): string {
  if (date) return DATES[date].pattern;
  if (decimal === "point" && !grouped && !signs) return PLAIN_NUMBER;
  const [mark, other] = decimal === "point" ? ["[.]", "[,]"] : ["[,]", "[.]"];
  const group = signs ? `(?:${other}|'| |\u00a0|\u202f)` : other;
  const whole = grouped ? `(?:0|[1-9][0-9]{0,2}(?:${group}[0-9]{3})+|[1-9][0-9]*)` : "(?:0|[1-9][0-9]*)";
  const digits = `(?:${whole}(?:${mark}[0-9]*)?|${mark}[0-9]+)`;
  if (!signs) return `[-+]?${digits}(?:[eE][-+]?[0-9]{1,3})?`;
  const amount = `(?:${SIGN} ?)?${digits}(?: ?${SIGN})?`;
  return `(?:[-+] ?${amount}|(?:${SIGN} ?)?[-+]?${digits}(?: ?${SIGN})?|[(]${amount}[)])`;
}

const patterns = new Map<string, RegExp>();

function compiled(source: string): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(`^(?:${source})$`);
  patterns.set(source, pattern);
  return pattern;
}

/** The number that a text is, in the given style; undefined where it is none, or none that a double can hold. */
export function readNumberText(text: string, style: NumberStyle = PLAIN_NUMBERS): number | undefined {
  if (style.date) return readDate(text, style.date);
  if (style.decimal === "point" && !style.grouped && !style.signs) return readPlainNumber(text);
  const trimmed = trimText(text);
  if (!compiled(numberPattern(style)).test(trimmed)) return undefined;
  const [mark, group] = style.decimal === "point" ? [".", ","] : [",", "."];
  const isNegative = style.signs === true && /[-(]/.test(trimmed);
  const bare = style.signs ? trimmed.replace(/[^0-9.,]/g, "") : trimmed;
  const number = Number(bare.replaceAll(group, "").replace(mark, "."));
  if (!Number.isFinite(number)) return undefined;
  return isNegative ? -number : number;
}

const DAY = "(0?[1-9]|[12][0-9]|3[01])";
const MONTH = "(0?[1-9]|1[0-2])";
const YEAR = "([0-9]{4})";
const ANY_YEAR = "([0-9]{4}|[0-9]{2})";
const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
const NAMES = Array.from({ length: 12 }, (_, month) =>
  MONTHS.slice(3 * month, 3 * month + 3).replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`),
);
const NAME = `(${NAMES.join("|")})[A-Za-z]*[.]?`;
const CLOCK = "([01]?[0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:[.][0-9]+)?)?";
/** A time after a date. Its offset from universal time is not used: all times of a column are taken for those of one place. */
const AND_TIME = `(?:[T ]${CLOCK}(?: ?(?:Z|UTC|[-+][0-9]{2}(?::?[0-9]{2})?))?)?`;

/** The form of a date as a regular expression, and which of its groups are year, month, day and hour; 0 for none. */
interface DateForm {
  readonly pattern: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  /** Whether the month is a name. */
  readonly named?: boolean;
}

/** All forms of dates. */
export const DATES: Readonly<Record<DateStyle, DateForm>> = {
  "year-month-day": {
    pattern: `${YEAR}[-/.]${MONTH}[-/.]${DAY}${AND_TIME}`,
    year: 1,
    month: 2,
    day: 3,
    hour: 4,
  },
  "month/day/year": {
    pattern: `${MONTH}[-/.]${DAY}[-/.]${ANY_YEAR}${AND_TIME}`,
    year: 3,
    month: 1,
    day: 2,
    hour: 4,
  },
  "day/month/year": {
    pattern: `${DAY}[-/.]${MONTH}[-/.]${ANY_YEAR}${AND_TIME}`,
    year: 3,
    month: 2,
    day: 1,
    hour: 4,
  },
  yyyymmdd: {
    pattern: "((?:18|19|20|21)[0-9]{2})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])",
    year: 1,
    month: 2,
    day: 3,
    hour: 0,
  },
  "day-name-year": {
    pattern: `${DAY}[- /]?${NAME}[- /]?${ANY_YEAR}${AND_TIME}`,
    year: 3,
    month: 2,
    day: 1,
    hour: 4,
    named: true,
  },
  "name-day-year": {
    pattern: `${NAME} ${DAY}(?:st|nd|rd|th)?,? ${YEAR}${AND_TIME}`,
    year: 3,
    month: 1,
    day: 2,
    hour: 4,
    named: true,
  },
  "year-month": { pattern: `${YEAR}[-/]${MONTH}`, year: 1, month: 2, day: 0, hour: 0 },
  "month/year": { pattern: `${MONTH}[-/]${YEAR}`, year: 2, month: 1, day: 0, hour: 0 },
  "name-year": { pattern: `${NAME}[- /,]{1,2}${ANY_YEAR}`, year: 2, month: 1, day: 0, hour: 0, named: true },
  time: { pattern: CLOCK, year: 0, month: 0, day: 0, hour: 1 },
};

/** Days from 1970-01-01 to the date of a text, with the fraction of the day; hours of a time. */
function readDate(text: string, style: DateStyle): number | undefined {
  const { pattern, year: y, month: m, day: d, hour: h, named } = DATES[style];
  const parts = compiled(pattern).exec(trimText(text));
  if (!parts) return undefined;
  const part = (group: number, otherwise: number): number =>
    group === 0 || parts[group] === undefined ? otherwise : Number(parts[group]);
  const seconds = h === 0 ? 0 : 3600 * part(h, 0) + 60 * part(h + 1, 0) + part(h + 2, 0);
  if (y === 0) return seconds / 3600;
  const month = named ? MONTHS.indexOf(parts[m].toLowerCase()) / 3 + 1 : Number(parts[m]);
  const year = part(y, 0) + (parts[y].length === 2 ? (part(y, 0) < 69 ? 2000 : 1900) : 0);
  return daysOfDate(year, month, part(d, 1)) + seconds / 86400;
}

/** Days from 1970-01-01 to a date of the Gregorian calendar, by its number in the Julian period (Richards 2013). */
function daysOfDate(year: number, month: number, day: number): number {
  const before = month < 3 ? 1 : 0;
  const [years, months] = [year + 4800 - before, month + 12 * before - 3];
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return day + Math.floor((153 * months + 2) / 5) + 365 * years + leaps - 32045 - 2440588;
}

/** Whether a text is a date or a time as ISO 8601 writes them. */
export function isDateText(text: string): boolean {
  return readDate(text, "year-month-day") !== undefined || readDate(text, "time") !== undefined;
}
