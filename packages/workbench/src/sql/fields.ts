import { type NumberStyle, readNumberText } from "conformant/texts";
import { columnNamed, positionOf, sourceColumnOf } from "../source/positions.ts";
import { type CellField, type CellRules, gapsOf, timeStyle } from "../source/table-source.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { EngineDialect } from "./dialects/engine-dialect.ts";
import type { SourceColumn } from "./source-column.ts";

/** One column of the source as SQL expressions. */
export interface Field extends CellField {
  /** SQL: the source column that the others are computed from. */
  readonly key: string;
  /** SQL: the column as the source has it. */
  readonly raw: string;
  /** SQL: a double, a boolean or a trimmed text; NULL where missing. */
  readonly value: string;
  /** SQL: the value as text. */
  readonly text: string;
  /** SQL, for numbers: the same double, but a missing value may also be NaN. Planning is faster without the test for NaN. */
  readonly encoded?: string | undefined;
}

/** Fields of one source, and what they share. */
export interface FieldSet {
  /** The FROM clause. */
  readonly from: string;
  /** By requested name; names that the source lacks are absent. */
  readonly fields: ReadonlyMap<string, Field>;
}

/** The properties of a source that fields depend on. */
export interface FieldSource {
  readonly dialect: Dialect;
  readonly columns: readonly SourceColumn[];
  readonly relation: () => string;
}

/** The named columns of a source. */
export function fieldsOf(
  { dialect, columns, relation }: FieldSource,
  names: readonly string[],
  rules: CellRules,
): FieldSet {
  const fields = new Map<string, Field>();
  for (const name of names) {
    const column = sourceColumnOf(columns, name);
    if (!column || column.storage === "other") continue;
    if (column.storage === "time" && !(timeStyle(column) && rules.numbers?.has(name))) continue;
    fields.set(
      name,
      column.name === name ? wholeField(dialect, column, rules) : letterField(dialect, column, name),
    );
  }
  return { from: relation(), fields };
}

/** The column in SQL. */
export function columnSql({ identifier }: Pick<Dialect, "identifier">, column: SourceColumn): string {
  return identifier(column.engineName ?? column.name);
}

/** The same by its name. */
export function namedColumnSql({ dialect, columns }: FieldSource, name: string): string {
  const column = columnNamed(columns, name);
  return column ? columnSql(dialect, column) : dialect.identifier(name);
}

function wholeField(dialect: Dialect, column: SourceColumn, rules: CellRules): Field {
  const { name, storage } = column;
  const key = columnSql(dialect, column);
  const known = rules.categories?.get(name) ?? [];
  const gaps = gapsOf(name, rules).filter((gap) => !known.includes(gap));
  if (storage === "boolean")
    return asText({ name, storage, key, gaps, raw: key, value: key, text: dialect.text(key) }, rules);
  if (storage === "number") {
    const [value, encoded] = [isWhole(column), true].map((mayBeNan) =>
      cleanNumber(dialect, dialect.double(key), gaps, infiniteOf(gaps), mayBeNan),
    );
    const text = `CASE WHEN ${value} IS NOT NULL THEN ${numberText(dialect, key, column)} END`;
    return asText({ name, storage, key, gaps, raw: key, value, text, encoded }, rules);
  }
  const raw = dialect.text(key);
  const text = cleanText(dialect, raw, gaps);
  const style = timeStyle(column) ?? (rules.texts?.includes(name) ? undefined : rules.numbers?.get(name));
  if (!style) return { name, storage: "text", key, gaps, raw, value: text, text };
  const value = numberOfText(dialect, raw, gaps, style, rules.verified);
  const encoded = numberOfText(dialect, raw, gaps, style, rules.verified, true);
  return { name, storage: "number", key, gaps, raw, value, text, style, encoded };
}

/** A field that is read as text whatever it holds, where the rules say so. */
function asText(field: Field, { texts }: CellRules): Field {
  const { text } = field;
  return texts?.includes(field.name)
    ? { ...field, storage: "text", raw: text, value: text, encoded: undefined }
    : field;
}

/** One letter of a sequence; missing beyond its end. */
function letterField(dialect: Dialect, column: SourceColumn, name: string): Field {
  const letter = `NULLIF(substr(${dialect.trim(dialect.text(columnSql(dialect, column)))}, ${positionOf(name)?.position}, 1), '')`;
  return { name, storage: "text", key: letter, gaps: [], raw: letter, value: letter, text: letter };
}

/** Infinite numbers among the missing values. Texts that are not numbers are infinite too, so these count only in numeric columns. */
function infiniteOf(gaps: readonly string[]): number[] {
  return gaps.flatMap((gap) => {
    const [, sign] = /^([+-]?)inf(?:inity)?$/i.exec(gap) ?? [];
    return sign === undefined ? [] : [sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY];
  });
}

/** Whether a numeric column has an integer type, without NaN and fractions. */
function isWhole({ type }: SourceColumn): boolean {
  return /int/i.test(type);
}

/** A double without the numbers that mean missing, and without NaN unless allowed. */
function cleanNumber(
  dialect: Dialect,
  number: string,
  gaps: readonly string[],
  infinite: readonly number[] = [],
  mayBeNan = false,
): string {
  const finite = gaps.flatMap((gap) => readNumberText(gap) ?? []);
  const numbers = [...finite, ...infinite].map((gap) => dialect.number(gap));
  const clean = mayBeNan ? number : dialect.nullForNan(number);
  return numbers.length === 0
    ? clean
    : `CASE WHEN ${numbers.map((gap) => `${number} = ${gap}`).join(" OR ")} THEN NULL ELSE ${clean} END`;
}

/** A text as a double: NULL where missing, infinity for a text that is not a number. */
export function numberOfText(
  dialect: Dialect,
  raw: string,
  gaps: readonly string[],
  style: NumberStyle,
  verified = false,
  mayBeNan = false,
): string {
  // An engine's own cast reads texts such as "inf" as numbers, which may be declared missing.
  if (verified && "castDouble" in dialect && !gaps.some((gap) => /inf/i.test(gap)))
    return cleanNumber(dialect, (dialect as EngineDialect).castDouble(raw, style), gaps, [], mayBeNan);
  const noNumber = `CASE WHEN ${isGapSql(dialect, raw, gaps)} THEN NULL ELSE ${dialect.number(Number.POSITIVE_INFINITY)} END`;
  const number = dialect.parseDouble(raw, style, noNumber);
  return gaps.some((gap) => readNumberText(gap) !== undefined) ? cleanNumber(dialect, number, gaps) : number;
}

/** Whether a text means missing. A list after IN would become a join in DuckDB, one per column. */
export function isGapSql(dialect: Dialect, text: string, gaps: readonly string[]): string {
  const trimmed = dialect.trim(text);
  return ["", ...gaps].map((gap) => `${trimmed} = ${dialect.literal(gap)}`).join(" OR ");
}

/** A text without surrounding blanks, NULL where it means missing. */
function cleanText(dialect: Dialect, text: string, gaps: readonly string[]): string {
  return `CASE WHEN ${isGapSql(dialect, text, gaps)} THEN NULL ELSE ${dialect.trim(text)} END`;
}

/** A whole decimal number as engines print it. */
const WHOLE_DECIMAL = "-?[0-9]+[.]0+";

/** A number as a category: a whole number without a fraction, whatever its type. */
function numberText(dialect: Dialect, number: string, column: SourceColumn): string {
  if (isWhole(column)) return dialect.text(number);
  const text = dialect.text(number);
  // A decimal number may have more digits than a double.
  if (/^(decimal|numeric)/i.test(column.type) && "matches" in dialect) {
    const { copied, matches, withoutZeros, withoutPoint } = dialect as EngineDialect;
    const own = copied(number, column.type);
    return `CASE WHEN ${matches(own, WHOLE_DECIMAL)} THEN ${withoutPoint(withoutZeros(own))} ELSE ${own} END`;
  }
  const whole = `${dialect.double(number)} = floor(${dialect.double(number)}) AND abs(${dialect.double(number)}) < 1e15`;
  return `CASE WHEN ${whole} THEN ${dialect.text(dialect.whole(number))} ELSE ${text} END`;
}

/** A copied column, as the text that the engine itself prints. */
export function copySql(source: FieldSource, name: string): string {
  const { dialect, columns } = source;
  const raw = namedColumnSql(source, name);
  const column = columnNamed(columns, name);
  return column && "copied" in dialect
    ? (dialect as EngineDialect).copied(raw, column.type)
    : dialect.text(raw);
}
