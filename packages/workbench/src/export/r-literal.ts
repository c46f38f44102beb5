import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";

/**
 * A value as R code: lists of numbers as vectors, objects as named lists. Numbers are exact, in hexadecimal where decimals are not (R
 * rounds those it reads). In texts everything but plain letters is escaped, so that no name becomes code.
 */
export function rLiteral(value: unknown): string {
  if (typeof value === "number") return rNumber(value);
  if (typeof value === "string") return rText(value);
  if (Array.isArray(value)) {
    const items = value.map(rLiteral).join(", ");
    if (value.length > 0 && value.every((item) => typeof item === "number")) return `c(${items})`;
    if (value.length > 0 && value.every((item) => typeof item === "string")) return `c(${items})`;
    return value.length === 0 ? "numeric(0)" : `list(${items})`;
  }
  const entries = Object.entries(value as object).map(([key, own]) => `${key} = ${rLiteral(own)}`);
  return `list(${entries.join(", ")})`;
}

/** A name of R with all its characters as they are: `\u` has four digits, `\U` eight. */
function rText(text: string): string {
  if (/[\0\p{Surrogate}]/u.test(text))
    throw new TableError("not-exportable", `${quoted(text)} has a character that R cannot hold in a text`);
  const escaped = Array.from(text, (character) => {
    if (/[A-Za-z0-9 _.,:;()[\]<>=+*/?!@#&|^~$-]/.test(character)) return character;
    return `\\U{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
  return `"${escaped.join("")}"`;
}

const bytes = new DataView(new ArrayBuffer(8));

/** A whole number as it is, any other in hexadecimal: mantissa and power of two. */
function rNumber(x: number): string {
  if (Number.isSafeInteger(x)) return Object.is(x, -0) ? "0" : String(x);
  if (!Number.isFinite(x)) return x > 0 ? "Inf" : x < 0 ? "-Inf" : "NaN";
  bytes.setFloat64(0, Math.abs(x));
  const bits = bytes.getBigUint64(0);
  const exponent = Number(bits >> 52n);
  const fraction = (bits & 0xfffffffffffffn).toString(16).padStart(13, "0").replace(/0+$/, "");
  const mantissa = `${exponent === 0 ? 0 : 1}${fraction && `.${fraction}`}`;
  return `${x < 0 ? "-" : ""}0x${mantissa}p${exponent === 0 ? -1022 : exponent - 1023}`;
}
