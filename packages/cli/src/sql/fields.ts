import type { Dialect } from "./dialect.ts";
import type { SourceColumn } from "./source-column.ts";

/** One column of the source as the queries of this folder see it. */
export interface Field {
  readonly name: string;
  readonly storage: "number" | "boolean" | "text";
  /** SQL: the column of the source that all else follows from. */
  readonly key: string;
  /** SQL: the column as the source has it. */
  readonly raw: string;
  /** SQL: a double, a truth value or a trimmed text; NULL is a gap. */
  readonly value: string;
  /** SQL: the value as text. */
  readonly text: string;
}

/** Fields of one source, and what they share. */
export interface FieldSet {
  /** What stands after FROM. */
  readonly from: string;
  /** By the name that was asked for; a name the source lacks is absent. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Texts that stand for a gap. */
  readonly gaps: readonly string[];
}

/** What fields need to know of a source. */
export interface FieldSource {
  readonly dialect: Dialect;
  readonly columns: readonly SourceColumn[];
  readonly relation: () => string;
}

/** A position of a column of sequences, `name[17]`: the letters of such a column are columns of the model. */
const POSITION = /^(.*)\[(\d+)\]$/s;

/** The name of the column of letters at a position of a column of sequences, counted from 1. */
export function positionName(name: string, position: number): string {
  return `${name}[${position}]`;
}

/** The sequence that a name is a position of, where all positions up to it are among the names; undefined for others. */
export function sequenceOf(name: string, names: ReadonlySet<string>): string | undefined {
  const [, parent, position] = POSITION.exec(name) ?? [];
  if (parent === undefined || names.has(parent)) return undefined;
  const earlier = Array.from({ length: Number(position) }, (_, p) => positionName(parent, p + 1));
  return names.has(positionName(parent, 2)) && earlier.every((other) => names.has(other))
    ? parent
    : undefined;
}

/** The column of the source that a name needs: itself, or the sequence it is a position of. */
export function sourceColumnOf(columns: readonly SourceColumn[], name: string): SourceColumn | undefined {
  const whole = columns.find((column) => column.name === name);
  if (whole) return whole;
  const [, parent] = POSITION.exec(name) ?? [];
  return columns.find((column) => column.name === parent && column.storage === "text");
}

/** The named columns of a source; texts in `gaps`, blanks around them and NaN are gaps. */
export function fieldsOf(
  { dialect, columns, relation }: FieldSource,
  names: readonly string[],
  gaps: readonly string[],
): FieldSet {
  const fields = new Map<string, Field>();
  for (const name of names) {
    const column = sourceColumnOf(columns, name);
    if (!column || column.storage === "time" || column.storage === "other") continue;
    fields.set(
      name,
      column.name === name ? wholeField(dialect, column, gaps) : letterField(dialect, column, name),
    );
  }
  return { from: relation(), fields, gaps };
}

function wholeField(dialect: Dialect, { name, storage }: SourceColumn, gaps: readonly string[]): Field {
  const raw = dialect.identifier(name);
  if (storage === "boolean") return { name, storage, key: raw, raw, value: raw, text: dialect.text(raw) };
  if (storage === "number") {
    const value = cleanNumber(dialect, raw, gaps);
    return {
      name,
      storage,
      key: raw,
      raw,
      value,
      text: `CASE WHEN ${value} IS NOT NULL THEN ${dialect.text(raw)} END`,
    };
  }
  const text = dialect.text(raw);
  const value = cleanText(dialect, text, gaps);
  return { name, storage: "text", key: raw, raw: text, value, text: value };
}

/** One letter of a sequence; what is beyond its end is a gap. */
function letterField(dialect: Dialect, column: SourceColumn, name: string): Field {
  const letter = `NULLIF(substr(${dialect.trim(dialect.text(dialect.identifier(column.name)))}, ${POSITION.exec(name)?.[2]}, 1), '')`;
  return { name, storage: "text", key: letter, raw: letter, value: letter, text: letter };
}

function cleanNumber(dialect: Dialect, raw: string, gaps: readonly string[]): string {
  const number = dialect.double(raw);
  const numbers = gaps
    .filter((gap) => gap.trim() !== "" && Number.isFinite(Number(gap)))
    .map((gap) => dialect.number(Number(gap)));
  const clean = dialect.nullForNan(number);
  return numbers.length === 0
    ? clean
    : `CASE WHEN ${number} IN (${numbers.join(", ")}) THEN NULL ELSE ${clean} END`;
}

/** A text without the blanks around it, NULL where it is a gap. */
export function cleanText(dialect: Dialect, text: string, gaps: readonly string[]): string {
  const trimmed = dialect.trim(text);
  return `CASE WHEN ${trimmed} IN (${["", ...gaps].map(dialect.literal).join(", ")}) THEN NULL ELSE ${trimmed} END`;
}

/** The same for a text that has been read. */
export function cleanRead(text: string, gaps: readonly string[]): string | undefined {
  const trimmed = text.replace(/^ +| +$/g, "");
  return trimmed === "" || gaps.includes(trimmed) ? undefined : trimmed;
}

/** A column as text to be copied; a whole number without a fraction, whatever type it was read in. */
export function copySql({ dialect, columns }: FieldSource, name: string): string {
  const raw = dialect.identifier(name);
  if (columns.find((column) => column.name === name)?.storage !== "number") return dialect.text(raw);
  const whole = `${dialect.double(raw)} = floor(${dialect.double(raw)}) AND abs(${dialect.double(raw)}) < 1e15`;
  return `CASE WHEN ${whole} THEN ${dialect.text(dialect.whole(raw))} ELSE ${dialect.text(raw)} END`;
}
