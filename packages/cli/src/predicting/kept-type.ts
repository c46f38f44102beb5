import type { SourceColumn } from "conformant-workbench/sql";

/** Whole numbers by the engines' names of their types: what holds all of them. */
const WHOLE: readonly (readonly [RegExp, string])[] = [
  [/^(U?Int(8|16|32)|Int64|int[248]|U?(TINY|SMALL)INT|U?INTEGER|BIGINT)$/, "BIGINT"],
  [/^(UInt64|UBIGINT)$/, "UBIGINT"],
  [/^(Int128|HUGEINT)$/, "HUGEINT"],
  [/^(UInt128|UHUGEINT)$/, "UHUGEINT"],
];
/** Digits that a decimal number may have at most. */
const MOST_DIGITS = 38;

/** The type of a Parquet column that keeps all digits of a column of a source; what has no such type is kept as text. */
export function keptType({ storage, type }: Pick<SourceColumn, "storage" | "type">): string {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type) ?? [];
  if (inner !== undefined) return keptType({ storage, type: inner });
  const whole = WHOLE.find(([names]) => names.test(type));
  if (whole) return whole[1];
  const [, digits, scale] = /^decimal\((\d+),\s*(\d+)\)$/i.exec(type) ?? [];
  if (digits !== undefined && Number(digits) <= MOST_DIGITS) return `DECIMAL(${digits}, ${scale})`;
  if (storage === "boolean") return "BOOLEAN";
  return /^(float[48]?|double|Float(32|64)|BFloat16)$/i.test(type) ? "DOUBLE" : "VARCHAR";
}
