import type { CategoricalColumn, Column } from "conformant";
import { categoryFinder, categoryKey, foldText, truthNotation } from "conformant/texts";
import { GAP, INVALID, UNSEEN } from "../source/cell-codes.ts";
import { cleanText } from "../source/clean-text.ts";
import { isIndicatorColumn } from "../source/positions.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { type Field, isGapSql } from "./fields.ts";
import type { Shape } from "./source-column.ts";

export function shapeOf(column: Column): Shape {
  return column.kind === "numeric" ? "number" : "code";
}

/**
 * What the library's kernels read, as SQL: a double with NaN for missing and infinity for a text that is not a number, or the code of a
 * discrete value.
 */
export function encodeSql(dialect: Dialect, column: Column, field: Field | undefined): string {
  if (column.kind === "numeric")
    return dialect.nanForNull(field ? (field.encoded ?? numberSql(dialect, field)) : dialect.double("NULL"));
  if (!field) return String(GAP);
  switch (column.kind) {
    case "categorical":
      return categorySql(dialect, column, field);
    case "binary":
      return isIndicatorColumn(column) ? field.value : binarySql(field);
    case "binned": {
      const number = numberSql(dialect, field);
      const bins = column.edges.map((edge, bin) => `WHEN ${number} < ${dialect.number(edge)} THEN ${bin}`);
      const isNumber = `${number} < ${dialect.number(Number.POSITIVE_INFINITY)}`;
      return `CASE WHEN ${field.value} IS NULL THEN ${GAP} ${bins.join(" ")} WHEN ${isNumber} THEN ${column.edges.length} ELSE ${INVALID} END`;
    }
  }
}

/**
 * Looks a text up unchanged first. Only unmatched texts are trimmed and compared with missing values and other spellings, which is slow.
 */
function categorySql(dialect: Dialect, { values }: CategoricalColumn, field: Field): string {
  const { storage, raw, value, text, gaps } = field;
  if (storage === "boolean") {
    const find = categoryFinder(values);
    const [yes, no] = ["true", "false"].map((truth) => find(truth) ?? UNSEEN);
    return `CASE WHEN ${value} IS NULL THEN ${GAP} WHEN ${value} THEN ${yes} ELSE ${no} END`;
  }
  // A text expression that contains its test for a missing value would repeat the test at every use, which engines take long to plan.
  const isTrimmed = storage === "text" && text !== raw;
  const [isGap, clean] = isTrimmed
    ? [isGapSql(dialect, raw, gaps), dialect.trim(raw)]
    : [`${text} IS NULL`, text];
  const found = [dialect.position(clean, values), ...otherSpelling(dialect, values, clean)].join(", ");
  const carefully = `CASE WHEN ${isGap} THEN ${GAP} ELSE COALESCE(${found}, ${UNSEEN}) END`;
  if (storage !== "text") return carefully;
  return `CASE WHEN ${raw} IS NULL THEN ${GAP} ELSE ${dialect.otherwise(dialect.position(raw, values), carefully)} END`;
}

/** The same for texts that were looked up unchanged. */
export function encodeTexts(
  { values }: CategoricalColumn,
  { gaps }: Field,
  texts: readonly (string | null)[],
): Int32Array {
  const find = categoryFinder(values);
  const codes = new Map(values.map((value, code) => [value, code]));
  const carefully = (text: string): number => {
    const clean = cleanText(text, gaps);
    return clean === undefined ? GAP : (find(clean) ?? UNSEEN);
  };
  return Int32Array.from(texts, (text) => (text === null ? GAP : (codes.get(text) ?? carefully(text))));
}

/**
 * The position of the value that is another spelling of the same category. Only some categories have other spellings: booleans in words or
 * as 1 and 0, whole numbers with a point and zeros. Without these zeros `2.00` ends in its point.
 */
function otherSpelling(dialect: Dialect, values: readonly string[], text: string): string[] {
  const keys = values.map(categoryKey);
  const isWhole = (key: string): boolean => /^[-+]?[0-9]+$/.test(key);
  const isTruth = (key: string): boolean => key === "true" || key === "false";
  const folded = foldedSpelling(dialect, values, text);
  if (!keys.some((key) => isWhole(key) || isTruth(key))) return folded;
  const lower = `CASE WHEN lower(${text}) = 'true' OR lower(${text}) = 'false' THEN lower(${text}) ELSE ${text} END`;
  const single = keys.map((key, place) =>
    keys.indexOf(key) === keys.lastIndexOf(key) ? key : values[place],
  );
  const spellings = [single, truthNotation(values) ?? []].filter((spelled) => spelled.length > 0);
  const found = spellings.flatMap((spelled) => {
    const pointed = spelled.map((key) => (isWhole(key) ? `${key}.` : `${key}0`));
    return [dialect.position(lower, spelled), dialect.position(dialect.withoutZeros(text), pointed)];
  });
  return [...found, ...folded];
}

/** The position of the one value that differs only in case or blanks. */
function foldedSpelling(dialect: Dialect, values: readonly string[], text: string): string[] {
  if (!values.some((value) => /[a-z ]/i.test(value))) return [];
  const keys = values.map(foldText);
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  // A folded text has no capital, so that nothing is found for a key of several values.
  const unique = keys.map((key, place) => (counts.get(key) === 1 ? key : `A${place}`));
  return [dialect.position(dialect.fold(text), unique)];
}

/** A field as a double, NULL where missing. */
function numberSql(dialect: Dialect, { storage, value }: Field): string {
  if (storage === "boolean") return `CASE WHEN ${value} THEN 1.0 WHEN NOT ${value} THEN 0.0 END`;
  return storage === "number" ? value : dialect.parseDouble(value);
}

/** Booleans, or numbers and texts that stand for them. Common texts are looked up unchanged, because trimming is slow. */
function binarySql({ storage, raw, value, text, gaps, style }: Field): string {
  const isGap = `WHEN ${value} IS NULL THEN ${GAP}`;
  if (storage === "boolean") return `CASE ${isGap} WHEN ${value} THEN 1 ELSE 0 END`;
  const isNumber = `WHEN ${value} = 1 THEN 1 WHEN ${value} = 0 THEN 0`;
  if (storage === "number" && !style) return `CASE ${isGap} ${isNumber} ELSE ${INVALID} END`;
  const isOneOf = (texts: readonly string[]): string =>
    texts.map((one) => `lower(${text}) = '${one}'`).join(" OR ");
  const usual = ["1", "0"]
    .filter((text) => !gaps.includes(text))
    .map((text) => `WHEN ${raw} = '${text}' THEN ${text}`)
    .join(" ");
  const careful = `WHEN ${isOneOf(["1", "1.0", "true"])} THEN 1 WHEN ${isOneOf(["0", "0.0", "false"])} THEN 0`;
  return `CASE ${usual} ${isGap} ${style ? `${isNumber} ` : ""}${careful} ELSE ${INVALID} END`;
}
