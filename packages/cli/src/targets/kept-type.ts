import type { SourceColumn } from "conformant-workbench/sql";
import type { Connector } from "../sources/connector.ts";

/** Types of PostgreSQL and ClickHouse, and the DuckDB types that hold the same values in the same notation. */
const TYPES: readonly (readonly [server: RegExp, type: string])[] = [
  [/^(smallint|U?Int8|Int16)$/, "SMALLINT"],
  [/^(integer|UInt16|Int32)$/, "INTEGER"],
  [/^(bigint|UInt32|Int64)$/, "BIGINT"],
  [/^UInt64$/, "UBIGINT"],
  [/^Int128$/, "HUGEINT"],
  [/^UInt128$/, "UHUGEINT"],
  [/^(real|Float32)$/, "FLOAT"],
  [/^(double precision|Float64)$/, "DOUBLE"],
  [/^(boolean|Bool)$/, "BOOLEAN"],
  [/^(date|Date|Date32)$/, "DATE"],
  [
    /^(timestamp( without time zone|\(\d\) without time zone)?|DateTime(\('[^']*'\))?|DateTime64\([0-6](, *'[^']*')?\))$/,
    "TIMESTAMP",
  ],
  [/^DateTime64\([7-9](, *'[^']*')?\)$/, "TIMESTAMP_NS"],
  [/^timestamp(\(\d\))? with time zone$/, "TIMESTAMPTZ"],
  [/^time(\(\d\))? without time zone$/, "TIME"],
  [/^(uuid|UUID)$/, "UUID"],
];
/** The most digits of a DuckDB decimal. */
const MOST_DIGITS = 38;

/** The DuckDB type that holds a source column exactly; columns without one are kept as the text that the server prints. */
export function keptType({ remote }: Pick<Connector, "remote">, column: SourceColumn): string {
  if (remote) return serverType(column.baseType ?? column.type);
  // The types in a text file, and a type that no text has.
  return /^(text|list|object)$|UNION\(/.test(column.type) ? "VARCHAR" : column.type;
}

function serverType(type: string): string {
  const [, inner] = /^(?:Nullable|LowCardinality)\((.*)\)$/.exec(type) ?? [];
  if (inner !== undefined) return serverType(inner);
  const [, digits, scale] = /^(?:decimal|numeric)\((\d+),\s*(\d+)\)$/i.exec(type) ?? [];
  if (digits !== undefined && Number(digits) <= MOST_DIGITS && Number(scale) <= Number(digits))
    return `DECIMAL(${digits}, ${scale})`;
  return TYPES.find(([server]) => server.test(type))?.[1] ?? "VARCHAR";
}

/**
 * The Parquet type for a DuckDB type. DuckDB would write 128-bit integers as doubles and round intervals to milliseconds. A number with
 * more digits than a decimal holds is an error.
 */
export function parquetType(type: string): string {
  if (/^U?HUGEINT$/.test(type)) return `DECIMAL(${MOST_DIGITS}, 0)`;
  return /HUGEINT|INTERVAL|TIME WITH TIME ZONE|BIT|BIGNUM/.test(type.replaceAll("TIMESTAMP WITH", ""))
    ? "VARCHAR"
    : type;
}
