import { CliError } from "../errors.ts";
import type { Parsed } from "./command.ts";

/** A comma-separated list; a double-quoted item may hold a comma. */
export function readList(parsed: Parsed, option: string): string[] | undefined {
  const text = parsed.text(option);
  if (text === undefined) return undefined;
  const items = Array.from(
    text.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g),
    ([, inQuotes, plain]) => (inQuotes === undefined ? (plain ?? "").trim() : inQuotes.replaceAll('""', '"')),
  );
  return items.filter((item) => item !== "");
}

/** A finite number, at least `least` and at most `most`. */
export function readNumber(
  parsed: Parsed,
  option: string,
  initially: number,
  least: number,
  most = Number.POSITIVE_INFINITY,
): number {
  const text = parsed.text(option);
  if (text === undefined) return initially;
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number) && number >= least && number <= most) return number;
  throw outOfRange("a number", option, text, least, most);
}

/** A whole number, at least `least` and at most `most`. */
export function readInteger(
  parsed: Parsed,
  option: string,
  initially: number,
  least: number,
  most = Number.POSITIVE_INFINITY,
): number {
  const number = readNumber(parsed, option, initially, least, most);
  if (Number.isSafeInteger(number)) return number;
  throw outOfRange("a whole number", option, parsed.text(option) ?? "", least, most);
}

function outOfRange(what: string, option: string, text: string, least: number, most: number): CliError {
  const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
  return new CliError("usage", `--${option} must be ${what} ${range}, got "${text}"`);
}

/** A list of numbers between 0 and 1. */
export function readShares(parsed: Parsed, option: string, initially: readonly number[]): readonly number[] {
  const items = readList(parsed, option);
  if (items === undefined) return initially;
  const shares = items.map(Number);
  const bad = shares.findIndex((share) => !(share >= 0 && share <= 1));
  if (items.length > 0 && bad < 0) return shares;
  throw new CliError("usage", `--${option} must be numbers from 0 to 1, got "${items[bad] ?? ""}"`);
}
