import { DATES, type DateStyle, type NumberStyle, numberPattern } from "conformant/texts";
import type { EngineDialect } from "./dialects/engine-dialect.ts";

/** A pattern with surrounding blanks. */
export function blanksAround(pattern: string): string {
  return ` *(?:${pattern}) *`;
}

/** What the styles of numbers need of a dialect beside its casts. */
type TextFunctions = Pick<EngineDialect, "matches" | "concat" | "strip" | "replaceAll">;

/** SQL: a text in a style of numbers as engines read it, with a point before the fraction and no groups or signs. */
export function plainNumber(
  { matches, concat, strip, replaceAll }: TextFunctions,
  expression: string,
  { decimal, grouped, signs }: NumberStyle,
): string {
  const [mark, group] = decimal === "point" ? [".", ","] : [",", "."];
  const bare = signs
    ? strip(expression, `[^0-9${mark}]`)
    : grouped
      ? replaceAll(expression, group, "")
      : expression;
  const digits = mark === "." ? bare : replaceAll(bare, ",", ".");
  if (!signs) return digits;
  return concat([`CASE WHEN ${matches(expression, ".*[-(].*")} THEN '-' ELSE '' END`, digits]);
}

/** SQL: the number that a date is, see `readNumberText`; `otherwise` for a text that is none. */
export function dateNumber(
  dialect: EngineDialect,
  expression: string,
  style: DateStyle,
  otherwise: string,
): string {
  const { year: y, month: m, day: d, hour: h, named, pattern } = DATES[style];
  const whole = blanksAround(pattern);
  const text = (group: number): string => dialect.capture(expression, whole, group);
  const part = (group: number): string => dialect.digits(text(group));
  const seconds = `(3600 * COALESCE(${part(h)}, 0) + 60 * COALESCE(${part(h + 1)}, 0) + COALESCE(${part(h + 2)}, 0))`;
  const isDate = `WHEN ${expression} IS NULL THEN NULL WHEN ${dialect.matches(expression, whole)}`;
  const hours = dialect.number(3600);
  if (y === 0) return `CASE ${isDate} THEN ${seconds} / ${hours} ELSE ${otherwise} END`;
  const month = named ? monthOfName(dialect, text(m)) : part(m);
  const before = `CASE WHEN ${month} < 3 THEN 1 ELSE 0 END`;
  const century =
    named || style.startsWith("month/day") || style.startsWith("day/")
      ? ` + CASE WHEN length(${text(y)}) = 4 THEN 0 WHEN ${part(y)} < 69 THEN 2000 ELSE 1900 END`
      : "";
  const years = `(${part(y)}${century} + 4800 - ${before})`;
  const months = `(${month} + 12 * ${before} - 3)`;
  const days = `${d === 0 ? "1" : part(d)} + floor((153 * ${months} + 2) / 5) + 365 * ${years} + floor(${years} / 4) - floor(${years} / 100) + floor(${years} / 400) - ${32045 + 2440588}`;
  const time = h === 0 ? "" : ` + ${seconds} / ${dialect.number(86400)}`;
  return `CASE ${isDate} THEN ${days}${time} ELSE ${otherwise} END`;
}

/** SQL: the number of a month by the three letters of its name. */
function monthOfName(dialect: EngineDialect, name: string): string {
  const names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
  return dialect.double(`(${dialect.position(`lower(${name})`, names)} + 1)`);
}

/** The pattern of a number with blanks around it. */
export function numberWithBlanks(style: NumberStyle): string {
  return blanksAround(numberPattern(style));
}
